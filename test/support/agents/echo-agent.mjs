// Answers with what it was given: the run message, its arguments and the variables that Weft sets.
import { receiveRun, send } from './protocol.mjs'

const { run } = await receiveRun()
const output = {
  run,
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env: {
    WEFT_RUN_ID: process.env.WEFT_RUN_ID,
    WEFT_CALL: process.env.WEFT_CALL,
    WEFT_ATTEMPT: process.env.WEFT_ATTEMPT,
    EXTRA: process.env.EXTRA,
  },
}
send({ type: 'result', output: run.schema === undefined ? JSON.stringify(output) : output })
