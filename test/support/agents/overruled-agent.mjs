// The honest agent, but for calls that a test overrules by their labels: to see what a workflow makes of agents that crash or
// lie among honest ones. WEFT_TEST_OVERRULE is JSON: `{ "<label>": { "answer": … } | { "crash": "last words" } }`.

import { serve } from './honest/serve.mjs'
import { receiveRun, send } from './protocol.mjs'

const received = await receiveRun()
const ruling = JSON.parse(process.env['WEFT_TEST_OVERRULE'] ?? '{}')[received.run.label]

if (ruling === undefined) await serve(received)
else if (ruling.crash !== undefined) {
  process.stderr.write(`${ruling.crash}\n`)
  process.exit(7)
} else send({ type: 'result', output: ruling.answer, usage: { outputTokens: 1 } })
