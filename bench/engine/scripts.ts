// The scripts of the engine's rows, for us and for the peer: the body is the same, word for word.

export const CONCURRENCY = 16
export const AGENTS = 1000

export const BODIES = {
  parallel: `const done = await parallel(Array.from({ length: ${AGENTS} }, (_, i) => () => agent('Do part ' + i)))
return done.length`,
  pipeline: `const stage = (s) => (previous, item) => agent('Stage ' + s + ' of item ' + item)
const done = await pipeline(Array.from({ length: 100 }, (_, i) => i), ...Array.from({ length: 10 }, (_, s) => stage(s)))
return done.length`,
  sequential: `for (let i = 0; i < ${AGENTS}; i++) await agent('Do step ' + i)
return ${AGENTS}`,
  empty: 'return null',
} as const

/** One `parallel` after the other, 100 agents each: the same work an agent, however many there are. */
export function inHundreds(agents: number): string {
  return `for (let h = 0; h < ${agents / 100}; h++) {
  await parallel(Array.from({ length: 100 }, (_, i) => () => agent('Do part ' + i + ' of ' + h)))
}
return ${agents}`
}

export function withMeta(body: string): string {
  return `export const meta = { name: 'bench', description: 'A benchmark.' }\n${body}`
}
