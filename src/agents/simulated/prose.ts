// Plausible text for calls without a schema, and plausible doings for live views: clearly simulated, the same for the same call.

import { cutText, toPreview, type AgentProgress } from '../../shared/index.ts'
import { pick, pickInteger, type Random } from './random.ts'

const OPENINGS = ['Done', 'Looked into it', 'Finished', 'Went through it'] as const
const FINDINGS = [
  'The main path is sound; the error path deserves a second look.',
  'Three places matter, and the first of them decides the other two.',
  'Nothing contradicts the assumption, and two details support it.',
  'The naming suggests one thing and the code does another.',
  'Most of it is covered by tests; the boundary cases are not.',
  'A smaller change would do the same and be easier to check.',
] as const
const CLOSINGS = ['No further work is needed here.', 'The rest follows from this.', 'This was checked twice.'] as const

/** A few sentences that name what was asked. */
export function writeText(prompt: string, random: Random): string {
  const gist = toPreview(prompt.trim().split('\n')[0] ?? '', 120)
  const findings = Array.from({ length: pickInteger(random, 1, 3) }, () => pick(random, FINDINGS))
  return [`[simulated] ${pick(random, OPENINGS)}: “${gist}”`, ...new Set(findings), pick(random, CLOSINGS)].join('\n\n')
}

const TOOLS = [
  ['Read', 'src/index.ts'],
  ['Search', 'TODO'],
  ['List', 'src/'],
  ['Run', 'npm test'],
] as const
const TEXT_CHUNKS = 4

/** What an agent would be seen doing on its way to `answer`: some tool calls, then its text in pieces. */
export function imagineProgress(answer: string | undefined, random: Random): AgentProgress[] {
  const steps: AgentProgress[] = []
  for (let n = pickInteger(random, 1, 3); n > 0; n--) {
    const [tool, title] = pick(random, TOOLS)
    steps.push({ kind: 'tool', tool, title, status: 'running' }, { kind: 'tool', tool, title, status: 'completed' })
  }
  if (answer === undefined) return steps
  const size = Math.max(1, Math.ceil(answer.length / TEXT_CHUNKS))
  for (let rest = answer; rest !== '';) {
    // A chunk never ends inside a surrogate pair, and is never empty.
    const chunk = cutText(rest, size) || cutText(rest, 2)
    steps.push({ kind: 'text', text: chunk })
    rest = rest.slice(chunk.length)
  }
  return steps
}
