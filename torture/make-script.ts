// Workflows made by chance: nested parallels, pipelines and workflows, answers with and without a schema, agents that fail,
// stumble or change files. Each prompt holds what the calls before it answered, so that a wrong answer from the journal shows
// in the result.

import type { Chance } from './random.ts'

export interface MadeScripts {
  main: string
  /** Workflows that the main one calls: name → text. */
  inner: Record<string, string>
  agents: number
}

interface Maker {
  chance: Chance
  /** Calls made so far, and how many there may be. */
  agents: number
  most: number
  failures: number
  inner: Map<string, string>
}

// Failing calls stay below the five in a row that pause a run.
const MOST_FAILURES = 3

export function makeScripts(chance: Chance): MadeScripts {
  const maker: Maker = { chance, agents: 0, most: chance.int(6, 26), failures: 0, inner: new Map() }
  const steps: string[] = []
  while (maker.agents < maker.most) steps.push(makeStep(maker, steps.length))
  return {
    main: wrap('torture', [...steps, 'return last']),
    inner: Object.fromEntries(maker.inner),
    agents: maker.agents,
  }
}

function wrap(name: string, lines: readonly string[]): string {
  return [
    `export const meta = { name: '${name}', description: 'made by chance' }`,
    // Short and free of quotes: the agent is a shell script that reads its prompt with its own means.
    "const short = (value) => { let sum = 7; for (const char of JSON.stringify(value) ?? '-') sum = (sum * 31 + char.codePointAt(0)) % 1000003; return sum }",
    'let last = args === undefined ? 0 : short(args)',
    ...lines,
    '',
  ].join('\n')
}

function makeStep(maker: Maker, index: number): string {
  const { chance } = maker
  const lines: string[] = []
  if (chance.percent(30)) lines.push(`phase('Phase ${index}')`)
  if (chance.percent(20)) lines.push(`log('step ${index} begins with ' + short(last))`)
  lines.push(`last = [short(last), await ${makeValue(maker, 2)}]`)
  return lines.join('\n')
}

function makeValue(maker: Maker, depth: number): string {
  const { chance } = maker
  if (depth === 0 || maker.agents >= maker.most) return makeAgent(maker, 'last')
  switch (chance.pick(['agent', 'parallel', 'parallel', 'pipeline', 'both', 'workflow', 'caught'] as const)) {
    case 'agent':
      return makeAgent(maker, 'last')
    case 'parallel':
      return makeParallel(maker, depth)
    case 'pipeline':
      return makePipeline(maker)
    case 'both':
      return `Promise.all([${makeParallel(maker, depth)}, ${makePipeline(maker)}])`
    case 'workflow':
      return makeNested(maker)
    case 'caught':
      return `(async () => { try { return await ${makeValue(maker, depth - 1)} } catch (error) { return String(error) } })()`
  }
}

function makeParallel(maker: Maker, depth: number): string {
  const branches = Array.from({ length: maker.chance.int(1, 5) }, () => `async () => ${makeValue(maker, depth - 1)}`)
  return `parallel([${branches.join(', ')}])`
}

function makePipeline(maker: Maker): string {
  const items = Array.from({ length: maker.chance.int(1, 4) }, (_, item) => item)
  const stages = Array.from({ length: maker.chance.int(1, 3) }, () => `(value) => ${makeAgent(maker, 'value')}`)
  maker.agents += (items.length - 1) * stages.length
  return `pipeline([${items.join(', ')}], ${stages.join(', ')})`
}

function makeNested(maker: Maker): string {
  const name = `inner-${maker.inner.size}`
  // Its place is taken before what is in it is made: one level only, so that its values hold no further one.
  maker.inner.set(name, '')
  const calls = Array.from({ length: maker.chance.int(1, 3) }, () => `last = await ${makeAgent(maker, 'last')}`)
  maker.inner.set(name, wrap(name, [...calls, 'return last']))
  return `workflow('${name}', short(last))`
}

function makeAgent(maker: Maker, given: string): string {
  const { chance } = maker
  const call = maker.agents++
  const options: string[] = []
  const words = [`call=${call}`, `wait=0.${chance.int(0, 25).toString().padStart(2, '0')}`]
  if (chance.percent(30)) {
    const schema =
      "{ type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'], additionalProperties: false }"
    options.push(`schema: ${schema}`)
    words.push(chance.percent(25) ? 'answer=wrong-first' : 'answer=object')
  } else if (chance.percent(10)) {
    words.push('answer=large')
  }
  if (chance.percent(12)) words.push('fail=once')
  else if (maker.failures < MOST_FAILURES && chance.percent(8)) {
    maker.failures++
    words.push('fail=always')
  }
  if (chance.percent(15)) {
    options.push("isolation: 'worktree'")
    if (chance.percent(50)) words.push('change=1')
  }
  if (chance.percent(20)) options.push(`label: 'call ${call}'`)
  return `agent('${words.join(' ')} given=' + short(${given})${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`
}
