// Starts children in every way that leaves orphans behind, tells their pids, and then does what its first argument says:
//   hang      works for ever          result    answers and exits          crash    exits with code 3, no result
// Children: one that just runs, one that holds our stdout open, one in a session of its own (setsid), and the child of a
// shell that has exited (an orphan of the group). Each would live for ten minutes.
import { spawn } from 'node:child_process'
import { receiveRun, send } from './protocol.mjs'

const { messages } = await receiveRun()
const idle = ['-e', 'setTimeout(() => {}, 600_000)']
const pids = [
  spawn(process.execPath, idle, { stdio: 'ignore' }).pid,
  spawn(process.execPath, idle, { stdio: ['ignore', 'inherit', 'ignore'] }).pid,
  spawn(process.execPath, idle, { stdio: 'ignore', detached: true }).pid,
  await orphan(),
]
send({ type: 'progress', text: `pids ${[process.pid, ...pids].join(' ')}` })

const then = process.argv[2] ?? 'hang'
if (then === 'result') {
  send({ type: 'result', output: 'done' })
  for await (const _ of messages);
  process.exit(0)
}
if (then === 'crash') process.exit(3)
setInterval(() => {}, 1 << 30)

function orphan() {
  const shell = spawn('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve) => {
    shell.stdout.once('data', (text) => resolve(Number(text)))
  })
}
