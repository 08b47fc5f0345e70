// Entry file of the reaper process. It reads from its host which agent processes exist; when that pipe closes, be it because
// the host was killed, it ends what is still there, and itself. It must not depend on anything but Node.

import { endGroup } from './end-group.ts'
import { readLines } from './read-lines.ts'
import type { ReaperMessage } from './reaper-client.ts'

/** With what SIGKILL itself may take, everything is over within 5 s of the host's death. */
const KILL_AFTER_MS = 2_000

type Guarded = Extract<ReaperMessage, { op: 'guard' }>

// A terminal that closes or a service manager that stops everything at once must not end the reaper before its work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function main(): Promise<void> {
  const guarded = new Map<number, Guarded>()
  for await (const line of readLines(process.stdin)) {
    if ('overflow' in line) break
    const message = parseMessage(line.text)
    if (message?.op === 'guard') guarded.set(message.id, message)
    else if (message?.op === 'release') guarded.delete(message.id)
  }
  await Promise.all([...guarded.values()].map(endGuarded))
}

// A kill of the host may cut its last line off in the middle: what is no JSON is no message.
function parseMessage(text: string): ReaperMessage | undefined {
  try {
    // The host is the only writer of this pipe.
    return JSON.parse(text) as ReaperMessage
  } catch {
    return undefined
  }
}

async function endGuarded({ cookie, group }: Guarded): Promise<void> {
  // Without a group the host was killed just before or after the process was spawned; the cookie finds it.
  await endGroup(
    group ? { pgid: group.pgid, startTicks: group.startTicks, cookie } : { pgid: undefined, startTicks: 0, cookie },
    { killAfterMs: KILL_AFTER_MS },
  )
}

void main().finally(() => {
  process.exit(0)
})
