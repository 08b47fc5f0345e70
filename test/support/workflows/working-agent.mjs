// A small agent without a model that does real work in its folder, by the `jsonl` protocol: it edits files, runs tests and looks
// things up, as the prompts of migration-sweep, judge-panel and test-triage ask. For end-to-end tests of these: what comes of
// it is in the files, where a test can look. WEFT_TEST_OVERRULE makes calls crash or lie, as in overruled-agent.mjs.

import { receiveRun, send } from '../agents/protocol.mjs'
import { panel } from './working/panel.mjs'
import { sweep } from './working/sweep.mjs'
import { triage } from './working/triage.mjs'

const { run, messages } = await receiveRun()
const ruling = JSON.parse(process.env['WEFT_TEST_OVERRULE'] ?? '{}')[run.label]

if (ruling?.crash !== undefined) {
  process.stderr.write(`${ruling.crash}\n`)
  process.exit(7)
}
try {
  const output = ruling?.answer ?? sweep(run.prompt) ?? panel(run.prompt, run.schema) ?? triage(run.prompt)
  if (output === undefined) throw new Error(`I don't know how to do this: ${run.label}`)
  send({ type: 'result', output, usage: { outputTokens: 10 } })
} catch (error) {
  send({ type: 'error', message: error.message, reason: 'other' })
}
for await (const message of messages) {
  if (message.type === 'invalid') send({ type: 'error', message: message.errors.join('; '), reason: 'other' })
  if (message.type === 'cancel') break
}
process.exit(0)
