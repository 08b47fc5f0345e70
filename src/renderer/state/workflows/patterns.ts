// The known patterns of workflows: what a new workflow begins with, and what the editor offers as snippets.

export interface Pattern {
  id: string
  /** As the editor's completion and the New workflow dialog name it. */
  title: string
  /** One sentence: when to take it. */
  description: string
  phases: readonly string[]
  /** Plain JavaScript; `«n:text»` is the nth place that a snippet stops at, with its text. */
  body: string
}

export const PATTERNS: readonly Pattern[] = [
  {
    id: 'empty',
    title: 'Empty workflow',
    description: 'One phase with one agent.',
    phases: ['Work'],
    body: `phase('Work')
const answer = await agent('«1:What shall be done?»', { label: '«2:first agent»' })

return { answer }
`,
  },
  {
    id: 'fan-out',
    title: 'Fan-out',
    description: 'Ask many agents at once, then put their answers together.',
    phases: ['Ask', 'Sum up'],
    body: `phase('Ask')
const topics = args?.topics ?? [«1:'security', 'speed', 'tests'»]
const answers = await parallel(
  topics.map((topic) => () => agent(\`«2:Look for problems with \${topic} in this project.»\`, { label: topic })),
)
// An agent that failed is null: it is named as missing, never counted as "nothing found".
const missing = topics.filter((_, index) => answers[index] === null)

phase('Sum up')
const findings = topics.flatMap((topic, index) => (answers[index] === null ? [] : [{ topic, answer: answers[index] }]))
const report = await agent(\`Sum up these findings:\\n\${JSON.stringify(findings)}\`, { label: 'sum up' })

return { report, missing }
`,
  },
  {
    id: 'pipeline',
    title: 'Pipeline',
    description: 'Each item goes through the same steps on its own; none waits for another.',
    phases: ['Find', 'Work'],
    body: `phase('Find')
const found = await agent('«1:List the files that matter here.»', {
  label: 'find',
  schema: {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'string' } } },
    required: ['items'],
  },
})
if (found === null) throw new Error('nothing could be listed')

phase('Work')
const results = await pipeline(
  found.items,
  (item) => agent(\`«2:Review \${item}.»\`, { label: item }),
  (review, item) => agent(\`«3:Is this review of \${item} right?»\\n\${review}\`, { label: \`check \${item}\` }),
)

return found.items.map((item, index) => ({ item, result: results[index] }))
`,
  },
  {
    id: 'judge-panel',
    title: 'Judge panel',
    description: 'Several attempts at one task, judged independently; the best one wins.',
    phases: ['Attempt', 'Judge'],
    body: `const attempts = 3
const judges = 3

phase('Attempt')
const drafts = await parallel(
  Array.from({ length: attempts }, (_, index) => () =>
    agent(\`«1:Propose a solution.» Take approach \${index + 1} of \${attempts}.\`, { label: \`attempt \${index + 1}\` }),
  ),
)
const candidates = drafts.filter((draft) => draft !== null)
if (candidates.length === 0) throw new Error('no attempt came to an end')

phase('Judge')
const votes = await parallel(
  Array.from({ length: judges }, (_, judge) => () =>
    agent(\`Which is the best, by number from 0?\\n\${candidates.map((text, n) => \`\${n}: \${text}\`).join('\\n')}\`, {
      label: \`judge \${judge + 1}\`,
      schema: {
        type: 'object',
        properties: {
          best: { type: 'integer', minimum: 0, maximum: candidates.length - 1 },
          why: { type: 'string' },
        },
        required: ['best', 'why'],
      },
    }),
  ),
)
// A judge that failed has not voted.
const counted = votes.filter((vote) => vote !== null)
const scores = candidates.map((_, index) => counted.filter(({ best }) => best === index).length)

return { winner: candidates[scores.indexOf(Math.max(...scores))], scores, votes: counted.length }
`,
  },
  {
    id: 'loop-until-dry',
    title: 'Loop until dry',
    description: 'Rounds of search until one brings nothing new.',
    phases: ['Search'],
    body: `const mostRounds = 5
const found = new Map()

phase('Search')
for (let round = 1; round <= mostRounds; round++) {
  const answer = await agent(
    \`«1:Find bugs in this project.» Known already, so leave them out:\\n\${JSON.stringify([...found.keys()])}\`,
    {
      label: \`round \${round}\`,
      schema: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'string' } } },
        required: ['items'],
      },
    },
  )
  // A round that failed says nothing about what is left.
  if (answer === null) continue
  const fresh = answer.items.filter((item) => !found.has(item))
  if (fresh.length === 0) break
  for (const item of fresh) found.set(item, round)
  log(\`round \${round}: \${fresh.length} new\`)
}

return [...found].map(([item, round]) => ({ item, round }))
`,
  },
  {
    id: 'adversarial-verify',
    title: 'Adversarial verify',
    description: 'Claims are made, then others try to refute each of them.',
    phases: ['Claim', 'Refute'],
    body: `phase('Claim')
const made = await agent('«1:What is wrong with this project?»', {
  label: 'claim',
  schema: {
    type: 'object',
    properties: { claims: { type: 'array', items: { type: 'string' } } },
    required: ['claims'],
  },
})
if (made === null) throw new Error('no claims could be made')

phase('Refute')
const verdicts = await pipeline(made.claims, (claim) =>
  agent(\`Try to refute this. Say "real" only if you can't.\\n\${claim}\`, {
    label: claim,
    schema: {
      type: 'object',
      properties: { verdict: { enum: ['real', 'refuted'] }, why: { type: 'string' } },
      required: ['verdict', 'why'],
    },
  }),
)
const withVerdict = (wanted) => made.claims.filter((_, index) => (verdicts[index]?.verdict ?? 'unverified') === wanted)

return { confirmed: withVerdict('real'), refuted: withVerdict('refuted'), unverified: withVerdict('unverified') }
`,
  },
]

const STOP = /«(\d+):([^»]*)»/g

/** A whole script of the pattern, under a name. */
export function scriptOf(pattern: Pattern, name: string): string {
  const phases = pattern.phases.map((title) => `{ title: '${title}' }`).join(', ')
  return `export const meta = {
  name: '${name}',
  description: '${pattern.description}',
  phases: [${phases}],
}

${pattern.body.replace(STOP, '$2')}`
}

/** The pattern's body in Monaco's snippet syntax. */
export function snippetOf(pattern: Pattern): string {
  const escape = (text: string): string => text.replace(/[\\$}]/g, '\\$&')
  let snippet = ''
  let end = 0
  for (const match of pattern.body.matchAll(STOP)) {
    const [whole, number, text = ''] = match
    snippet += `${escape(pattern.body.slice(end, match.index))}\${${number}:${escape(text)}}`
    end = match.index + whole.length
  }
  return snippet + escape(pattern.body.slice(end))
}
