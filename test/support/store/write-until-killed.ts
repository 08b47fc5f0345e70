// A process that writes runs as fast as it can and says on its standard output what it has been promised, until it is killed.
// Lines: `stored <run> <seq>` (told by onStored), `closed <run> <agent>` (closeCall resolved).

import { writeSync } from 'node:fs'
import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  asRunId,
  asScriptHash,
  type RunEvent,
} from '../../../src/shared/index.ts'
import { openStore } from '../../../src/store/index.ts'
import { agentQueued, runStarted } from '../shared/events.ts'

const [file, name] = process.argv.slice(2)
if (file === undefined || name === undefined) throw new Error('usage: write-until-killed <database> <name>')
/** At once and whole: a pipe that is full takes it as soon as its reader has come around. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

const store = await openStore({
  file,
  writerWorker: new URL('../../../src/store/writer-worker.ts', import.meta.url),
  onError: (error) => say(`error ${error.message}`),
})
store.onStored((runId, events) => {
  for (const { seq } of events) say(`stored ${runId} ${seq}`)
})
await Promise.all([1, 2, 3].map((n) => writeRun(`${name}-${n}`)))

async function writeRun(id: string): Promise<void> {
  const runId = asRunId(id)
  let seq = 0
  // The payloads are those of the types; TypeScript can't carry that through the union.
  const append = (type: string, payload: object): void =>
    store.events.append(runId, { seq: ++seq, at: seq, type, ...payload } as RunEvent)
  const script = { scriptHash: asScriptHash('h'), scriptText: 'return 1', fileName: 'a.js' }
  await store.createRun({ runId, workflow: 'sample', ...script })
  append('run-started', runStarted({ runId, lineage: runId }))
  for (let n = 1; ; n++) {
    const agent = asAgentNumber(n)
    const call = { agent, path: asCallPath(`/agent:${n - 1}`), key: asCallKey('k') }
    append('agent-queued', agentQueued(n))
    store.journal.openCall(runId, { ...call, prompt: `Task ${n}`, options: {}, startedSeq: seq })
    append('agent-started', { agent, attempt: 1 })
    append('agent-progress', { agent, progress: { kind: 'text', text: 'x'.repeat(500) } })
    await store.journal.closeCall(runId, {
      ...call,
      outcome: 'completed',
      // Now and then one that goes to the blobs.
      result: n % 10 === 0 ? `${runId} ${n} `.repeat(20_000) : `${runId} ${n}`,
      usage: { outputTokens: n },
      durationMs: 1,
      startedSeq: seq,
      origin: runId,
    })
    say(`closed ${runId} ${n}`)
    append('agent-ended', { agent, outcome: 'completed', durationMs: 1, attempts: 1, usage: { outputTokens: n } })
  }
}
