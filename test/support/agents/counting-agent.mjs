// An agent that leaves a line `<prompt>` in <folder>/executions each time it is run, and answers `<prompt>!` with 5 tokens.
//   node counting-agent.mjs <folder>
// Words in the prompt change that: FAIL fails for good and QUOTA for the lack of credit, both until <folder>/mended is there;
// HOLD waits for <folder>/open; DIE dies without a word at the first attempt; BUSY is told to slow down at the first attempt;
// SHUFFLE takes a random time; WRITE writes its prompt to wrote.txt in its folder.

import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { receiveRun, send } from './protocol.mjs'

const folder = process.argv[2]
const { run } = await receiveRun()
const { prompt, attempt } = run
appendFileSync(join(folder, 'executions'), `${prompt}\n`)
const mended = existsSync(join(folder, 'mended'))
send({ type: 'progress', text: `at ${prompt}` })
if (prompt.includes('WRITE')) writeFileSync(join(run.cwd, 'wrote.txt'), prompt)
if (prompt.includes('SHUFFLE')) await sleep(Math.random() * 60)
while (prompt.includes('HOLD') && !existsSync(join(folder, 'open'))) await sleep(10)
if (prompt.includes('DIE') && attempt === 1) process.exit(7)
if (prompt.includes('FAIL') && !mended) send({ type: 'error', message: 'told to fail', reason: 'refused' })
else if (prompt.includes('QUOTA') && !mended) send({ type: 'error', message: 'no credit left', reason: 'quota' })
else if (prompt.includes('BUSY') && attempt === 1) {
  send({ type: 'error', message: '429 slow down', reason: 'network', retryable: true })
} else send({ type: 'result', output: `${prompt}!`, usage: { outputTokens: 5 } })
for await (const line of process.stdin) if (String(line).includes('"cancel"')) process.exit(0)
