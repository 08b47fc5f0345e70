export const meta = {
  name: 'research',
  description: 'Answers a question from several angles and reports only claims that an independent checker could confirm.',
  whenToUse: 'When the user asks for thorough research with sources, or for an answer that has been fact-checked.',
  phases: [
    { title: 'Plan', detail: 'Split the question' },
    { title: 'Search', detail: 'One researcher a sub-question' },
    { title: 'Verify', detail: 'An independent check of each claim' },
    { title: 'Write', detail: 'The answer, from verified claims alone' },
  ],
}

// args: { question: string, breadth?: number }
// A workflow that can't work without its args says so before it spends anything.
const question = args?.question
if (typeof question !== 'string' || question.trim() === '') {
  throw new Error('args.question is missing: pass {"question": "…"}')
}
const breadth = args.breadth ?? 4

phase('Plan')
const plan = await agent(
  `Split this question into at most ${breadth} sub-questions that can be researched independently and together answer it.

<question>
${question}
</question>`,
  {
    label: 'plan',
    schema: {
      type: 'object',
      properties: { questions: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['questions'],
      additionalProperties: false,
    },
  },
)
// The plan is a convenience: without one, the question itself is still worth researching.
const questions = plan === null ? [question] : plan.questions.slice(0, breadth)
if (plan === null) log('Planning failed: researching the question as one piece')

const claimsSchema = {
  type: 'object',
  properties: {
    claims: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          claim: { type: 'string', description: 'One checkable statement' },
          source: { type: 'string', description: 'Where it comes from: an address, or a file and line' },
          quote: { type: 'string', description: 'The words of the source that support it' },
        },
        required: ['claim', 'source', 'quote'],
        additionalProperties: false,
      },
    },
  },
  required: ['claims'],
  additionalProperties: false,
}
const checkSchema = {
  type: 'object',
  properties: {
    verdict: { enum: ['confirmed', 'contradicted', 'not found'] },
    note: { type: 'string' },
  },
  required: ['verdict', 'note'],
  additionalProperties: false,
}

// Each sub-question goes on to verification as soon as its own researcher is done.
const branches = await pipeline(
  questions,
  (part) => {
    phase('Search')
    return agent(
      `Research this question. Read primary sources where you can; open what you cite.

<question>
${part}
</question>

Give each finding as one checkable claim with its source and the words that support it. Leave out what you could not find a source for.`,
      { label: `search · ${part.slice(0, 60)}`, schema: claimsSchema },
    )
  },
  async (found, part, index) => {
    if (found === null) return { part, failed: true, claims: [] }
    phase('Verify')
    const claims = await parallel(
      found.claims.map((claim, n) => async () => {
        // The checker sees the claim and the source, never the researcher's reasoning: agreement has to be earned again.
        const check = await agent(
          `Check one claim against its source. Open the source yourself. Do not trust the quotation.

Claim: ${claim.claim}
Source: ${claim.source}
Quoted: ${claim.quote}

"confirmed" only when the source says so; "contradicted" when it says otherwise; "not found" when you can't reach it or it is silent.`,
          { label: `verify ${index + 1}.${n + 1}`, schema: checkSchema },
        )
        return { ...claim, verdict: check?.verdict ?? 'unchecked', note: check?.note ?? 'the checker failed' }
      }),
    )
    return { part, failed: false, claims: claims.filter((claim) => claim !== null) }
  },
)

const parts = branches.map((branch, index) => branch ?? { part: questions[index], failed: true, claims: [] })
const claims = parts.flatMap((branch) => branch.claims)
const confirmed = claims.filter((claim) => claim.verdict === 'confirmed')
log(`${confirmed.length} of ${claims.length} claims confirmed`)

const report = {
  question,
  answer: null,
  claims: confirmed,
  contradicted: claims.filter((claim) => claim.verdict === 'contradicted'),
  // Neither confirmed nor contradicted is a third thing, and the reader is told so.
  open: claims.filter((claim) => claim.verdict === 'not found' || claim.verdict === 'unchecked'),
  unanswered: parts.filter((branch) => branch.failed).map((branch) => branch.part),
}
// Nothing confirmed, nothing written: prose over unverified claims is what this workflow exists to avoid.
if (confirmed.length === 0) return report

phase('Write')
report.answer = await agent(
  `Answer the question from these verified claims alone. Cite sources in brackets. Say what stays open.

<question>
${question}
</question>

<claims>
${JSON.stringify(confirmed, null, 2)}
</claims>

<open>
${JSON.stringify([...report.open.map((claim) => claim.claim), ...report.unanswered], null, 2)}
</open>`,
  { label: 'answer' },
)
return report
