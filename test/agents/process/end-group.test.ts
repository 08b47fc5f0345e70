import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { endGroup, isGroupAlive } from '../../../src/agents/process/end-group.ts'
import { findGroupProcesses, toEnvironment, toProcessGroup } from '../../../src/agents/process/process-table.ts'
import { living } from '../requests.ts'

const disposals: (() => void)[] = []
afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose()
})

function start(script: string, env: Record<string, string> = {}) {
  const child = spawn('sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: { ...process.env, ...env },
  })
  const { pid } = child
  if (pid === undefined) throw new Error('sh could not be started')
  disposals.push(() => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It is gone, as it should be.
    }
  })
  return { child, pid, group: toProcessGroup(pid) }
}

describe('ending a group', () => {
  it('that has ended is done at once', async () => {
    const { child, group } = start('true')
    await once(child, 'exit')
    expect(await endGroup(group, { killAfterMs: 60_000 })).toEqual([])
    expect(await isGroupAlive(group)).toBe(false)
  })

  it('ends members whose leader has exited', async () => {
    const { child, group, pid } = start('sleep 600 & echo up')
    await once(child.stdout, 'data')
    await once(child, 'exit')
    const members = await findGroupProcesses(group)
    expect(members.map((entry) => entry.pgid)).toEqual([pid])
    expect(await endGroup(group, { killAfterMs: 60_000 })).toEqual([])
    expect(living(members.map((entry) => entry.pid))).toEqual([])
  })

  it('knows a leader that had ended before it was looked at', () => {
    const { pid } = start('exit 0')
    // Waited for without letting the event loop turn: the leader stays a zombie.
    const until = performance.now() + 10_000
    while (living([pid]).length > 0 && performance.now() < until);
    expect(toProcessGroup(pid).startTicks).toBeGreaterThan(0)
  })

  it('kills what ignores SIGTERM, when its time is over', async () => {
    const { child, group, pid } = start("trap '' TERM; echo up; while :; do sleep 600; done")
    await once(child.stdout, 'data')
    expect(await endGroup(group, { killAfterMs: 100 })).toEqual([])
    expect(living([pid])).toEqual([])
  })

  it('does not touch a later process with the same pid', async () => {
    const { group, pid } = start('sleep 600')
    const recycled = { ...group, startTicks: (group.startTicks ?? 0) - 1 }
    expect(await isGroupAlive(recycled)).toBe(false)
    expect(await endGroup(recycled, { killAfterMs: 0 })).toEqual([])
    expect(living([pid])).toEqual([pid])
  })

  it('does not touch processes of another call, or of the next attempt of this one', async () => {
    const cookie = { runId: 'A', call: '/agent:0', attempt: 1 }
    const mine = start('sleep 600', toEnvironment(cookie))
    const other = start('sleep 600', toEnvironment({ ...cookie, call: '/agent:00' }))
    const next = start('sleep 600', toEnvironment({ ...cookie, attempt: 2 }))
    await endGroup({ ...mine.group, cookie }, { killAfterMs: 1_000 })
    expect(living([mine.pid, other.pid, next.pid])).toEqual([other.pid, next.pid])
  })
})
