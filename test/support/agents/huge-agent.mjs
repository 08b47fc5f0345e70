// Answers with as many MB of text as its first argument says; every character is two bytes long in UTF-8.
import { receiveRun, send } from './protocol.mjs'

await receiveRun()
send({ type: 'result', output: 'ü'.repeat((Number(process.argv[2]) * 1_000_000) / 2) })
