// Answers one run of an agent, by doing what its prompt asks for.

import { send } from '../protocol.mjs'
import { toAnswer } from './answer.mjs'
import { perform } from './tasks.mjs'
import { Tools } from './tools.mjs'
import { understand } from './understand.mjs'

/** `run` and `messages` as `receiveRun` gives them. Ends the process once Weft has what it wants. */
export async function serve({ run, messages }) {
  const tools = new Tools(process.cwd(), (tool, title) => {
    send({ type: 'progress', tool, title: title.slice(0, 200), status: 'completed' })
  })
  try {
    const task = understand(run.prompt)
    send({ type: 'progress', text: `understood as: ${task.kind}\n` })
    const facts = await perform(task, run.prompt, tools)
    const output = facts.json ?? toAnswer(facts, run.schema)
    const usage = { outputTokens: tokens(JSON.stringify(output)), inputTokens: tokens(run.prompt) }
    send({ type: 'result', output, usage })
  } catch (error) {
    send({ type: 'error', message: error.message, reason: 'other' })
  }
  for await (const message of messages) {
    // It knows no better answer than the one it gave.
    if (message.type === 'invalid') {
      send({ type: 'error', message: `I have no other answer: ${message.errors.join('; ')}`, reason: 'other' })
    }
    if (message.type === 'cancel') break
  }
  process.exit(0)
}

function tokens(text) {
  return Math.ceil(text.length / 4)
}
