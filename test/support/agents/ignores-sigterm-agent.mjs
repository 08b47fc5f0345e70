// Neither the cancel line nor SIGTERM impresses it, nor the child it started: both end by SIGKILL only.
import { spawn } from 'node:child_process'
import { receiveRun, send } from './protocol.mjs'

process.on('SIGTERM', () => {})
await receiveRun()
const child = spawn(
  process.execPath,
  ['-e', 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1 << 30)'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
child.stdout.once('data', () => send({ type: 'progress', text: `pids ${process.pid} ${child.pid}` }))
setInterval(() => {}, 1 << 30)
