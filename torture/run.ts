// `npm run torture [-- --minutes 20 --seed 1 --rounds 10 --side-by-side 3]`: rounds until the time is over, each from a seed of
// its own that is printed. Ends with 1 when an invariant did not hold; a round is played again with `--seed N --rounds 1`.

import { parseArgs } from 'node:util'
import { playRound } from './round.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: 'Infinity' },
    'side-by-side': { type: 'string', default: '3' },
  },
})
const until = Date.now() + Number(values.minutes) * 60_000
const first = Number(values.seed)
const rounds = Number(values.rounds)
if (![until, first, Number(values['side-by-side'])].every(Number.isFinite) || Number.isNaN(rounds)) {
  process.stderr.write('torture: --minutes, --seed, --rounds and --side-by-side take numbers\n')
  process.exit(2)
}

let next = 0
const totals = { rounds: 0, runs: 0, replayed: 0, faulty: 0 }
const disturbances = new Map<string, number>()

async function play(): Promise<void> {
  while (next < rounds && Date.now() < until) {
    const seed = first + next++
    // Each worker plays one round at a time.
    // oxlint-disable-next-line no-await-in-loop
    const report = await playRound(seed)
    totals.rounds++
    totals.runs += report.runs
    totals.replayed += report.replayed
    for (const name of report.disturbances) disturbances.set(name, (disturbances.get(name) ?? 0) + 1)
    const what = `${report.agents} agents, ${report.runs} runs, ${report.replayed} replayed: ${report.disturbances.join(', ')}`
    process.stdout.write(`${report.faults.length === 0 ? 'ok' : 'FAULT'}  seed ${seed}  ${what}\n`)
    if (report.faults.length === 0) continue
    totals.faulty++
    process.stdout.write(`${report.faults.map((fault) => `      ${fault}\n`).join('')}      kept in ${report.kept}\n`)
  }
}

await Promise.all(Array.from({ length: Number(values['side-by-side']) }, play))
process.stdout.write(`\n${JSON.stringify({ ...totals, disturbances: Object.fromEntries(disturbances) })}\n`)
process.stdout.write(`${totals.rounds - totals.faulty} of ${totals.rounds} rounds clean\n`)
process.exitCode = totals.faulty === 0 ? 0 : 1
