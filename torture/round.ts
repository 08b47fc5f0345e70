// One round: scripts made from a seed are run undisturbed, then disturbed again and again, resumed, and judged.

import { setTimeout as wait } from 'node:timers/promises'
import { mountDisk, whyNoSmallDisk } from '../test/support/durability/mount-disk.ts'
import { disturb, pickDisturbance, type Disturbance } from './disturb.ts'
import { House, type Ended } from './house.ts'
import { judge } from './judge.ts'
import { makeScripts } from './make-script.ts'
import { Chance } from './random.ts'

export interface RoundReport {
  seed: number
  agents: number
  disturbances: Disturbance[]
  runs: number
  replayed: number
  faults: string[]
  /** Where everything still lies, when there were faults. */
  kept: string | undefined
}

// As backends.md promises for agents whose host is killed.
const MOST_MS_TO_END = 8000
const DISK_MIB = 200

export async function playRound(seed: number): Promise<RoundReport> {
  const chance = new Chance(seed)
  const scripts = makeScripts(chance)
  const concurrency = chance.int(2, 8)
  const report: RoundReport = {
    seed,
    agents: scripts.agents,
    disturbances: [],
    runs: 0,
    replayed: 0,
    faults: [],
    kept: undefined,
  }
  const quiet = new House(scripts, concurrency)
  const house = new House(scripts, concurrency)
  const disk =
    chance.percent(15) && whyNoSmallDisk() === undefined
      ? mountDisk(house.dataDir, DISK_MIB, [house.settings])
      : undefined
  try {
    const expected = JSON.stringify(resultOf(await quiet.start(RUN(quiet)).ended))
    const checkout = house.checkout()
    for (let times = chance.int(1, 4); times > 0; times--) {
      const name = pickDisturbance(chance, { disk: disk !== undefined })
      report.disturbances.push(name)
      // One after the other: each goes on from what the last one left.
      // oxlint-disable-next-line no-await-in-loop
      if (await playDisturbed(name, house, chance, scripts.agents, disk)) break
      // oxlint-disable-next-line no-await-in-loop
      await nothingRuns(house)
    }
    await finish(house)
    await nothingRuns(house)
    Object.assign(report, await judge(house, expected))
    await nothingRuns(house)
    if (house.checkout() !== checkout) report.faults.push('the main checkout was changed')
  } catch (error) {
    report.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  quiet.remove()
  if (report.faults.length > 0) report.kept = house.root
  else {
    disk?.unmount()
    house.remove()
  }
  return report
}

const RUN = ({ script }: House): string[] => ['run', script, '--json', '--allow-failures']
const RESUME = (runId: string): string[] => ['resume', runId, '--yes', '--json', '--allow-failures']

/** True when the run completed all the same. */
async function playDisturbed(
  name: Disturbance,
  house: House,
  chance: Chance,
  agents: number,
  disk: ReturnType<typeof mountDisk> | undefined,
): Promise<boolean> {
  const host = chance.percent(40) ? house.start(['host', '--idle', '1']) : undefined
  if (host !== undefined) await hostIsUp(house)
  const last = await lastRun(house)
  const { child: client, ended } = house.start(last === undefined ? RUN(house) : RESUME(last.runId))
  // Mostly in the midst of it, sometimes before it has begun.
  const begun = house.executions().length + (chance.percent(15) ? 0 : chance.int(1, Math.ceil(agents / 2)))
  const scene = { over: false }
  void ended.finally(() => (scene.over = true)).catch(() => undefined)
  // oxlint-disable-next-line no-await-in-loop
  while (!scene.over && house.executions().length < begun) await wait(10)
  await wait(chance.int(0, 300))
  await disturb(name, { house, chance, client, host: host?.child, disk })
  const { code } = await ended
  await host?.ended
  return code === 0
}

async function finish(house: House): Promise<void> {
  const last = await lastRun(house)
  if (last?.status !== 'completed') resultOf(await goOn(house, last?.runId))
}

/** Resumes the run, or runs anew when there is nothing to take over, which is said in words. */
async function goOn(house: House, runId: string | undefined): Promise<Ended> {
  if (runId === undefined) return await house.start(RUN(house)).ended
  const ended = await house.start(RESUME(runId)).ended
  return isNothingToReplay(ended) ? await house.start(RUN(house)).ended : ended
}

function isNothingToReplay({ code, stderr }: Ended): boolean {
  return code === 2 && stderr.includes('there is nothing to replay. Run it anew')
}

async function lastRun(house: House): Promise<{ runId: string; status: string } | undefined> {
  // Our own command's own format.
  const rows = JSON.parse(await house.ask(['runs', '--json', '--limit', '1'])) as { runId: string; status: string }[]
  return rows[0]
}

async function hostIsUp(house: House): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const status = JSON.parse(await house.ask(['doctor', '--json'])) as { host?: { pid?: number } | null }
    if (status.host?.pid !== undefined) return
    // oxlint-disable-next-line no-await-in-loop
    await wait(50)
  }
}

function resultOf({ code, signal, stdout, stderr }: Ended): unknown {
  if (code !== 0) throw new Error(`the run ended with ${signal ?? code}: ${stdout.slice(-2000)}${stderr.slice(-2000)}`)
  // Our own command's own format.
  return (JSON.parse(stdout) as { result: unknown }).result
}

async function nothingRuns(house: House): Promise<void> {
  const until = Date.now() + MOST_MS_TO_END
  while (house.processes().length > 0) {
    if (Date.now() > until)
      throw new Error(
        `processes are left: ${house
          .processes()
          .map(({ pid, command }) => `${pid} ${command}`)
          .join('; ')}`,
      )
    // oxlint-disable-next-line no-await-in-loop
    await wait(50)
  }
}
