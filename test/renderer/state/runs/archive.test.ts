import { describe, expect, it } from 'vitest'
import { asRunId } from '../../../../src/shared/index.ts'
import { createArchive } from '../../../../src/renderer/state/runs/archive.ts'
import { FakeHost, runRow } from '../../../support/renderer/fake-host.ts'

const IMPORTED = asRunId('01IMPORTED')

function archiveOn(handlers: FakeHost['handlers']) {
  const host = new FakeHost({ 'run.get': () => ({ row: runRow({ runId: IMPORTED }), lastSeq: 1 }), ...handlers })
  const said: string[] = []
  const opened: string[] = []
  const archive = createArchive({
    client: host,
    notices: { info: (text) => void said.push(text), error: (text) => void said.push(`error: ${text}`) },
    openRun: ({ runId }) => void opened.push(runId),
  })
  return { archive, host, said, opened }
}

describe('importing a run', () => {
  it('sends a large file in pieces, in order, under one import, and opens the run', async () => {
    const { archive, host, said, opened } = archiveOn({
      'run.import': ({ last }) => ({ importId: 'i1', runId: last ? IMPORTED : null, renamed: false, known: false }),
    })
    const text = 'ä'.repeat(1_500_000)
    await archive.importFile(new File([text], 'run.jsonl'))
    const pieces = host.callsOf('run.import') as { importId?: string; text: string; last: boolean }[]
    expect(pieces.map(({ importId, last }) => ({ importId, last }))).toEqual([
      { importId: undefined, last: false },
      { importId: 'i1', last: true },
    ])
    expect(pieces.map((piece) => piece.text).join('') === text).toBe(true)
    expect(opened).toEqual([IMPORTED])
    expect(said).toEqual(['Imported run.jsonl.'])
  })

  it('says what is wrong with a file', async () => {
    const { archive, said, opened } = archiveOn({
      'run.import': () => Promise.reject(new Error('line 1 is no run')),
    })
    await archive.importFile(new File(['nonsense'], 'run.jsonl'))
    expect(said).toEqual(['error: run.jsonl was not imported: line 1 is no run'])
    expect(opened).toEqual([])
  })
})

describe('deleting a run', () => {
  it('tells whether it is gone', async () => {
    const { archive } = archiveOn({ 'run.delete': () => ({}) })
    expect(await archive.remove(IMPORTED)).toBe(true)
    const refused = archiveOn({ 'run.delete': () => Promise.reject(new Error('it is live')) })
    expect(await refused.archive.remove(IMPORTED)).toBe(false)
    expect(refused.said).toEqual(['error: The run was not deleted: it is live'])
  })
})
