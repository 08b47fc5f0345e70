// What somebody who writes a script waits for: its markers, and its dry run.

import { openBenchHost } from '../lib/bench-host.ts'
import { interleave, ROUNDS, settle, time } from '../lib/measure.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'

export const EDITOR_ROWS = {
  dryRun: {
    name: 'dry run of 1,000 agents with schemas, plan included',
    goal: 'dryRun',
    referenceName: 'allowed',
    unit: 'ms',
    limit: 1,
  },
  diagnostics: {
    name: 'diagnostics of a 1,000-line script, the host’s part',
    goal: 'diagnostics',
    referenceName: 'allowed, less the editor’s pause of 80 ms',
    unit: 'ms',
    limit: 1,
  },
} satisfies Record<string, Benchmark>

const DRY_RUN_MS = 400
const DIAGNOSTICS_MS = 150 - 80

const DRY_RUN = `export const meta = { name: 'bench', description: 'A benchmark.' }
const SCHEMA = {
  type: 'object',
  required: ['verdict', 'findings'],
  properties: {
    verdict: { enum: ['keep', 'change', 'drop'] },
    findings: { type: 'array', maxItems: 3, items: { type: 'object', required: ['line'], properties: { line: { type: 'integer' }, text: { type: 'string' } } } },
  },
}
phase('Review')
const all = await parallel(Array.from({ length: 1000 }, (_, i) => () => agent('Review part ' + i, { schema: SCHEMA, label: 'part ' + i })))
return all.length`

/** A script as people write them, of so many lines; `edit` differs from the one before, as after a key stroke. */
function writeScript(lines: number, edit: number): string {
  const block = (n: number): string[] => [
    `// Part ${n}`,
    `phase('Part ${n}')`,
    `const found${n} = await parallel(`,
    `  files.map((file) => () =>`,
    '    agent(`Look at ${file} and name what part ' + n + ' gets wrong.`, {',
    `      label: \`part ${n}: \${file}\`,`,
    `      schema: { type: 'object', required: ['bugs'], properties: { bugs: { type: 'array', items: { type: 'string' } } } },`,
    `    }),`,
    `  ),`,
    `)`,
    `log(\`\${found${n}.filter(Boolean).length} answers\`)`,
    ``,
  ]
  const head = [
    `export const meta = { name: 'long', description: 'A long script.' }`,
    `const files = args?.files ?? ['a${edit}.ts']`,
  ]
  const body = Array.from({ length: Math.ceil((lines - head.length) / block(0).length) }, (_, n) => block(n)).flat()
  return [...head, ...body]
    .slice(0, lines - 2)
    .concat('', 'return files')
    .join('\n')
}

export async function measureEditor(rounds = ROUNDS): Promise<Row[]> {
  const { session, workspace, close } = await openBenchHost()
  let edits = 0
  const dryRun = async (): Promise<number> => {
    await settle()
    const source = { kind: 'text' as const, text: DRY_RUN, fileName: 'bench.js' }
    return time(async () => {
      const { plan, envelope } = await session.call('run.dryRun', { workspace, source, maxConcurrentAgents: 16 })
      if (plan.peakConcurrency !== 16 || envelope.degraded) throw new Error('the dry run was not what it should be')
    })
  }
  const diagnose = (): Promise<number> => {
    const text = writeScript(1000, ++edits)
    return time(() => session.call('script.diagnose', { text, fileName: 'long.js', workspace }))
  }
  try {
    const { dry, markers } = await interleave({ dry: dryRun, markers: diagnose }, rounds)
    return [
      toRow(EDITOR_ROWS.dryRun, { ours: dry, reference: DRY_RUN_MS }),
      toRow(EDITOR_ROWS.diagnostics, { ours: markers, reference: DIAGNOSTICS_MS }),
    ]
  } finally {
    await close()
  }
}
