import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toProcessGroup } from '../../../src/agents/process/process-table.ts'
import { createReaper, type Reaper } from '../../../src/agents/process/reaper-client.ts'
import { agentFile, living } from '../requests.ts'

const REAPER = fileURLToPath(new URL('../../../src/agents/process/reaper.ts', import.meta.url))

const disposals: (() => unknown)[] = []
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose()
})

async function startHost(mode: string) {
  const host = spawn(process.execPath, [agentFile('reaper-host.mjs'), mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  disposals.push(() => host.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string]
  const pids = JSON.parse(line) as number[]
  disposals.push(() => {
    for (const pid of living(pids)) process.kill(pid, 'SIGKILL')
  })
  return { host, pids }
}

// Reapers whose parent is `ppid`, or all when it is left out.
function reaperPids(ppid?: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(REAPER) && (ppid === undefined || parent === ppid)
      } catch {
        return false
      }
    })
}

function startSleeper(env: Record<string, string> = {}) {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true, env: { ...process.env, ...env } })
  const { pid } = child
  if (pid === undefined) throw new Error('sleep could not be started')
  disposals.push(() => child.kill('SIGKILL'))
  return { pid, child }
}

function startReaper(options: Partial<Parameters<typeof createReaper>[0]> = {}): Reaper {
  const reaper = createReaper({ file: REAPER, ...options })
  disposals.push(() => reaper.dispose())
  return reaper
}

describe('when the host is killed', () => {
  it('every process of its calls is gone within 5 s, and the reaper too', async () => {
    const { host, pids } = await startHost('call')
    const [reaper] = reaperPids(host.pid)
    if (reaper === undefined) throw new Error('the host has no reaper')
    expect(living(pids)).toEqual(pids)
    host.kill('SIGKILL')
    await vi.waitUntil(() => living([...pids, reaper]).length === 0, { timeout: 5_000 })
  })

  it('a process that had not been announced yet is found by its cookie', async () => {
    const { host, pids } = await startHost('unannounced')
    host.kill('SIGKILL')
    await vi.waitUntil(() => living(pids).length === 0, { timeout: 5_000 })
  })

  it('and when it ends by itself with calls open, the same happens', async () => {
    const { host, pids } = await startHost('quit')
    if (host.exitCode === null) await once(host, 'exit')
    await vi.waitUntil(() => living(pids).length === 0, { timeout: 5_000 })
  })
})

describe('the reaper', () => {
  it('leaves alone what was released', async () => {
    const reaper = startReaper()
    const { pid } = startSleeper()
    const guard = reaper.guard({ runId: `R${pid}`, call: '/agent:0', attempt: 1 })
    guard.started(toProcessGroup(pid))
    guard.release()
    await reaper.dispose()
    expect(living([pid])).toEqual([pid])
  })

  it('leaves alone a process that has the pid of a group that is gone', async () => {
    const reaper = startReaper()
    const { pid } = startSleeper()
    const { startTicks } = toProcessGroup(pid)
    if (startTicks === undefined) throw new Error('the process table can not be read')
    // As if the guarded process had started a tick earlier, died, and left its pid to this one.
    reaper.guard({ runId: `R${pid}`, call: '/agent:0', attempt: 1 }).started({ pgid: pid, startTicks: startTicks - 1 })
    await reaper.dispose()
    expect(living([pid])).toEqual([pid])
  })

  it('is replaced when it is killed itself, and the new one knows what is guarded', async () => {
    const reaper = startReaper()
    const { pid } = startSleeper()
    reaper.guard({ runId: `R${pid}`, call: '/agent:0', attempt: 1 }).started(toProcessGroup(pid))
    const [first] = reaperPids(process.pid)
    if (first === undefined) throw new Error('there is no reaper')
    process.kill(first, 'SIGKILL')
    await vi.waitUntil(() => reaperPids(process.pid).some((other) => other !== first), { timeout: 5_000 })
    await reaper.dispose()
    expect(living([pid])).toEqual([])
  })

  it('that can not be had is said once, and calls go on', async () => {
    const messages: string[] = []
    const reaper = startReaper({ execPath: '/no/such/node', onError: (message) => messages.push(message) })
    reaper.guard({ runId: 'R', call: '/agent:0', attempt: 1 })
    await vi.waitUntil(() => messages.length > 0)
    reaper.guard({ runId: 'R', call: '/agent:1', attempt: 1 }).release()
    expect(messages).toEqual([expect.stringContaining('Agents are not guarded against a crash of this program')])
  })
})
