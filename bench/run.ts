// `npm run bench`: measures, prints a table or (`--json`) one document, and with `--write` puts it into docs/benchmarks.md.

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GROUPS, isGroup, type GroupName } from './groups.ts'
import { buildProduct, ROOT } from './lib/build.ts'
import { installPeers } from './lib/peers.ts'
import { toTable, writeDocument } from './lib/report.ts'
import type { Benchmark, Row } from './lib/row.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !isGroup(name))
if (unknown.length > 0) fail(`there is no ${unknown.join(', ')}; known: ${Object.keys(GROUPS).join(', ')}`)
const wanted = positionals.length > 0 ? positionals.filter(isGroup) : (Object.keys(GROUPS) as GroupName[])

await buildProduct()
if (wanted.some((name) => GROUPS[name].peers)) installPeers()
const rows: Row[] = []
for (const name of wanted) {
  process.stderr.write(`measuring ${name} …\n`)
  // One after the other, or they would measure each other.
  // oxlint-disable-next-line no-await-in-loop
  rows.push(...(await measure(name)))
}
process.stdout.write(values.json ? `${JSON.stringify({ rows })}\n` : toTable(rows))
if (values.write) writeDocument(rows, namesOfAll())

function namesOfAll(): string[] {
  const all: Benchmark[] = Object.values(GROUPS).flatMap((group) => Object.values<Benchmark>(group.rows))
  return all.map(({ name }) => name)
}

function measure(name: GroupName): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const child = fork(join(ROOT, 'bench', 'run-group.ts'), [name], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let rowsOfGroup: Row[] | undefined
    // What run-group.ts sends.
    child.on('message', (message) => (rowsOfGroup = message as Row[]))
    child.on('error', reject)
    child.on('exit', (code) => {
      if (rowsOfGroup === undefined) reject(new Error(`measuring ${name} failed with code ${code}`))
      else resolve(rowsOfGroup)
    })
  })
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
