// A host that is to be killed: guards agent processes by the reaper and tells their pids, one JSON line, then waits.
//   node reaper-host.mjs call                 one call of grandchildren-agent.mjs through the command back end
//   node reaper-host.mjs unannounced          a process that the reaper knows by its cookie alone
//   node reaper-host.mjs quit                 as `call`, but ends by itself
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createCommandBackend } from '../../../src/agents/command/command-backend.ts'
import { createReaper } from '../../../src/agents/process/reaper-client.ts'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const reaper = createReaper({ file: here('../../../src/agents/process/reaper.ts') })
const mode = process.argv[2]
const cookie = { runId: `REAPER${process.pid}`, call: '/agent:0', attempt: 1 }
const tell = (pids) => process.stdout.write(`${JSON.stringify(pids)}\n`)

if (mode === 'unannounced') {
  reaper.guard(cookie)
  const child = spawn('sleep', ['600'], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, WEFT_RUN_ID: cookie.runId, WEFT_CALL: cookie.call, WEFT_ATTEMPT: '1' },
  })
  child.once('spawn', () => tell([child.pid]))
  setInterval(() => {}, 1 << 30)
} else {
  const backend = createCommandBackend({
    id: 'test',
    protocol: 'jsonl',
    command: [process.execPath, here('grandchildren-agent.mjs'), 'hang'],
    inheritedEnv: process.env,
    reaper,
  })
  const request = {
    runId: cookie.runId,
    lineage: cookie.runId,
    agent: 1,
    path: cookie.call,
    key: '0'.repeat(64),
    attempt: 1,
    prompt: 'work',
    label: 'work',
    phase: null,
    cwd: process.cwd(),
  }
  const progress = (update) => {
    if (update.kind !== 'text') return
    tell(update.text.split(' ').slice(1).map(Number))
    if (mode === 'quit') process.exit(0)
  }
  await backend.runner.run(request, {}, new AbortController().signal, progress)
}
