// The agent's side of the `jsonl` protocol, shared by the agent programs in this folder. Plain Node 18, no dependencies.

import { createInterface } from 'node:readline'

/** Writes one message to Weft. */
export function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** Weft's messages, in order; ends when it closes our stdin. */
export async function* receive() {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line !== '') yield JSON.parse(line)
  }
}

/** The first message, and the iterator that gives the others. */
export async function receiveRun() {
  const messages = receive()
  const { value } = await messages.next()
  return { run: value, messages }
}
