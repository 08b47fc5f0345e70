// The honest agent, whose answers wait while the file named by WEFT_HOLD exists: a run that stands still to be pictured.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const honest = fileURLToPath(new URL('../../test/support/agents/honest-agent.mjs', import.meta.url))
const agent = spawn(process.execPath, [honest], { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(agent.stdin)
for await (const line of createInterface({ input: agent.stdout })) {
  if (JSON.parse(line).type === 'result') while (existsSync(process.env['WEFT_HOLD'])) await sleep(50)
  process.stdout.write(`${line}\n`)
}
// Whoever has the answer is done with it.
process.exit()
