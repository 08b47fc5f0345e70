// Plays the steps in WEFT_TEST_STEPS, a JSON array, after it got its run message. A step is one of
//   {"send": message}        one message          {"raw": text}       bytes as they are, no line end added
//   {"repeat": text, "times": n}                  text, n times
//   {"stderr": text}                              {"sleep": ms}
//   {"await": "invalid" | "cancel" | "end"}       waits for that message, or for the end of stdin
//   {"exit": code}  {"kill": signal}              ends itself
// After the last step it waits for the end of stdin.
import { setTimeout as sleep } from 'node:timers/promises'
import { receiveRun, send } from './protocol.mjs'

const { messages } = await receiveRun()
const write = (stream, text) => new Promise((resolve) => stream.write(text, resolve))

for (const step of JSON.parse(process.env.WEFT_TEST_STEPS)) {
  if ('send' in step) send(step.send)
  else if ('raw' in step) await write(process.stdout, step.raw)
  else if ('bytes' in step) await write(process.stdout, Buffer.from(step.bytes, 'hex'))
  else if ('repeat' in step) for (let n = 0; n < step.times; n++) await write(process.stdout, step.repeat)
  else if ('stderr' in step) await write(process.stderr, step.stderr)
  else if ('sleep' in step) await sleep(step.sleep)
  else if ('await' in step) await waitFor(step.await)
  else if ('exit' in step) process.exit(step.exit)
  else if ('kill' in step) process.kill(process.pid, step.kill)
  else throw new Error(`unknown step ${JSON.stringify(step)}`)
}
await waitFor('end')

async function waitFor(type) {
  for (;;) {
    const { value, done } = await messages.next()
    if (done || value.type === type) return
  }
}
