// A host in a process of its own that starts one run, lets its agents on one by one, in an order drawn from a seed, and kills
// itself as by kill -9 at the moment it was told: `node victim-host.cjs <Victim as JSON>`. Prints the run's id.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHost } from '../../../src/host/index.ts'
import type { HostCalls, RunEvent } from '../../../src/shared/index.ts'
import type { HostOptions } from '../../../src/host/index.ts'

export interface Victim {
  options: Omit<HostOptions, 'logger'>
  /** Where agents look for leave to go on. */
  root: string
  workspace: string
  /** Left out: it is killed as soon as it has started, or before by whoever started it. */
  params?: HostCalls['run.start']['params']
  /** So many calls are answered live, not one more. */
  results: number
  /** What else has to be stored: the start of the run, that many results, or the usage of a further agent that has no result. */
  at: 'result' | 'usage'
  seed: number
  /** It does not kill itself then: whoever started it does. */
  waits?: boolean
}

// The test that starts this file passes exactly this.
const victim = JSON.parse(process.argv[2] ?? '') as Victim
const quiet = (): void => undefined

class Gate {
  #results = 0
  #acked = 0
  #seed = victim.seed
  readonly #paths = new Map<number, string>()
  #waiting: number[] = []

  take(event: RunEvent): void {
    if (event.type === 'run-ended') process.exit(1)
    if (event.type === 'agent-queued') this.#paths.set(event.agent, event.path)
    if (event.type === 'agent-progress' && event.progress.kind === 'usage') this.#waiting.push(event.agent)
    if (event.type === 'agent-ended' && event.outcome === 'completed') this.#results++
  }

  step(): void {
    if (this.#results < victim.results) {
      if (this.#acked === this.#results && this.#waiting.length > 0) this.#letOn()
    } else if (victim.waits !== true && (victim.at === 'result' || this.#waiting.length > 0)) {
      process.kill(process.pid, 'SIGKILL')
    }
  }

  #letOn(): void {
    this.#seed = (Math.imul(this.#seed, 1103515245) + 12345) >>> 0
    const [agent = 0] = this.#waiting.splice((this.#seed >>> 16) % this.#waiting.length, 1)
    const path = this.#paths.get(agent) ?? ''
    this.#acked++
    writeFileSync(join(victim.root, 'acks', path.replaceAll('/', '_')), '')
  }
}

async function main(): Promise<void> {
  const host = await createHost({ ...victim.options, logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } })
  if (victim.params === undefined) process.kill(process.pid, 'SIGKILL')
  const session = host.openSession({ kind: 'test', workspace: victim.workspace })
  const { runId } = await session.call('run.start', victim.params ?? {})
  process.stdout.write(runId)
  const gate = new Gate()
  session.on('run.events', ({ events }) => {
    for (const event of events) gate.take(event)
    gate.step()
  })
  await session.call('run.watch', { runId, fromSeq: 1 })
}

void main()
