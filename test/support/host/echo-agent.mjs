// An agent program that speaks the jsonl protocol: answers `<prompt>!`, slowly when the prompt says WAIT:<ms>, never when it
// says HANG, with an error when it says FAIL.

import { createInterface } from 'node:readline'

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.type === 'cancel') process.exit(0)
  if (message.type !== 'run') return
  const { prompt } = message
  write({ type: 'progress', text: `thinking about ${prompt}` })
  if (prompt.includes('HANG')) return
  const wait = Number(/WAIT:(\d+)/.exec(prompt)?.[1] ?? 0)
  setTimeout(() => {
    if (prompt.includes('FAIL')) write({ type: 'error', message: 'told to fail', reason: 'refused' })
    else write({ type: 'result', output: `${prompt}!`, usage: { outputTokens: prompt.length, inputTokens: 7 } })
  }, wait)
})
process.stdin.on('end', () => process.exit(0))
