// Says that it works, waits until the file named by WEFT_TEST_GATE exists, and answers with its prompt in capitals.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { receiveRun, send } from './protocol.mjs'

const { run } = await receiveRun()
send({ type: 'progress', text: `waiting with ${run.label}` })
while (!existsSync(process.env.WEFT_TEST_GATE)) await sleep(20)
send({ type: 'result', output: run.prompt.toUpperCase(), usage: { outputTokens: 7 } })
