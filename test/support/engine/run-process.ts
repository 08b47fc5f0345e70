// One run in a process of its own, whose environment a test chooses:
// `node run-process.ts <sandbox worker> <checker worker> <most agents at once> <script text>`. Prints result and calls as JSON.

import { asRunId } from '../../../src/shared/index.ts'
import { createEngine, systemClock, type HostHandle } from '../../../src/engine/index.ts'
import { MemoryStore } from './memory-store.ts'
import { quietLogger } from './quiet-logger.ts'
import { createBackend } from './scripted-backend.ts'

const [, , sandbox = '', checker = '', concurrency = '', text = ''] = process.argv
const id = asRunId('RUN00000000000000000000000')
const engine = createEngine({ workers: { sandbox, checker }, logger: quietLogger, ids: { runId: () => id } })
const store = new MemoryStore()
const backend = createBackend(({ prompt }) => `${prompt.length} ${prompt}`)
const script = await engine.prepare({ text, fileName: 'test.js', path: null })
const handle = engine.start({
  runId: id,
  workspace: '/workspace',
  simulated: false,
  dry: false,
  maxConcurrentAgents: Number(concurrency),
  script,
  // Never looked into, so anything will do.
  host: {} as HostHandle,
  startedBy: { kind: 'test' },
  backend: backend.id,
  ports: {
    backends: { resolve: () => backend, ids: () => [backend.id] },
    events: store.events,
    journal: store.journal,
    permissions: { ask: () => Promise.resolve({ answer: 'reject', by: 'policy' }) },
    workflows: { resolve: () => Promise.reject(new Error('none')) },
    clock: systemClock,
  },
})
const { outcome, result, error } = await handle.settled
const calls = store.record(id).rows.map(({ path, key }) => `${path} ${key}`)
process.stdout.write(JSON.stringify({ outcome, result, error, calls: calls.sort() }))
await engine.dispose()
