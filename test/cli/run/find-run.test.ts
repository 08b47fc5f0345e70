import { describe, expect, it } from 'vitest'
import { asRunId, type HostClient, type RunRow } from '../../../src/shared/index.ts'
import { findRun } from '../../../src/cli/run/find-run.ts'

function rows(...ids: string[]): RunRow[] {
  return ids.map((id) => ({
    runId: asRunId(id),
    workflow: 'sample',
    title: null,
    status: 'completed',
    degraded: false,
    simulated: true,
    workspace: '/w',
    scriptPath: null,
    backend: 'simulated',
    startedBy: { kind: 'cli' },
    resumedFrom: null,
    startedAt: 0,
    endedAt: 1,
    agents: 0,
    calls: { completed: 0, failed: 0, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
    outputTokens: 0,
    costUsd: null,
    error: null,
  }))
}

function hostWith(runs: RunRow[]): HostClient {
  return {
    async call(_name, params) {
      const { offset = 0, limit = 200 } = params as { offset?: number; limit?: number }
      // The fake answers run.list, the only call that finding a run makes.
      return { runs: runs.slice(offset, offset + limit), total: runs.length } as never
    },
    on: () => () => {},
  }
}

const FIRST = '01JAAAAAAAAAAAAAAAAAAAAAX1'
const SECOND = '01JAAAAAAAAAAAAAAAAAAAAAX2'
const host = hostWith(rows(FIRST, SECOND))

describe('findRun', () => {
  it.each([FIRST, FIRST.toLowerCase(), 'X1', 'x1', ` ${FIRST} `])('finds a run by %j', async (text) => {
    expect((await findRun(host, text)).runId).toBe(FIRST)
  })

  it('finds a run by a beginning that no other has', async () => {
    expect((await findRun(hostWith(rows('01JA', '01JB')), '01jb')).runId).toBe('01JB')
  })

  it('takes a whole id although another one begins with it', async () => {
    expect((await findRun(hostWith(rows('01JA', '01JAB')), '01JA')).runId).toBe('01JA')
  })

  it('looks beyond the first page', async () => {
    const many = rows(...Array.from({ length: 2500 }, (_, n) => `R${String(n).padStart(5, '0')}`))
    expect((await findRun(hostWith(many), 'R02499')).runId).toBe('R02499')
  })

  it('lists the choice when several fit', async () => {
    await expect(findRun(host, '01J')).rejects.toThrow(/01J could be any of 2 runs[^]*X1[^]*X2/)
  })

  it('says that there is none', async () => {
    await expect(findRun(host, 'ZZ')).rejects.toMatchObject({ code: 'NOT_FOUND', exitCode: 2 })
    await expect(findRun(hostWith([]), 'ZZ')).rejects.toThrow('there is no run ZZ: there are no runs yet')
    await expect(findRun(host, '../x')).rejects.toThrow('"../x" is no run id')
  })
})
