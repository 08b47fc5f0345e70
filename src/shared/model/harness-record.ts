// What is recorded of a run that a harness started: four log-only facts, tied to the harness's session. They stand beside the
// run's events, which stay the only truth; nothing is computed from them.

import type { AgentNumber, RunId } from './ids.ts'
import type { AgentOutcome, RunOutcome } from './run-event.ts'

export type HarnessFact =
  | { fact: 'run-start'; runId: RunId; workflow: string; clientName: string | null; at: number }
  /** `under` is the nested workflow whose call it is, null for the run's own script. */
  | { fact: 'member-start'; member: AgentNumber; label: string; under: string | null; at: number }
  | { fact: 'member-end'; member: AgentNumber; outcome: AgentOutcome; at: number }
  /** Written once everything that the run started is gone. */
  | { fact: 'run-end'; outcome: RunOutcome; at: number }

/** Judges a record fact by fact, when it is written and when it is loaded. */
export class HarnessRecordCheck {
  #state: 'empty' | 'open' | 'ended' = 'empty'
  readonly #started = new Set<AgentNumber>()
  readonly #open = new Set<AgentNumber>()

  /** The violated rule in words, or undefined when the fact may follow. A record that stops early is legal. */
  push(fact: HarnessFact): string | undefined {
    const violation = this.#judge(fact)
    if (violation !== undefined) return violation
    if (fact.fact === 'run-start') this.#state = 'open'
    else if (fact.fact === 'run-end') this.#state = 'ended'
    else if (fact.fact === 'member-end') this.#open.delete(fact.member)
    else {
      this.#started.add(fact.member)
      this.#open.add(fact.member)
    }
    return undefined
  }

  #judge(fact: HarnessFact): string | undefined {
    if (this.#state === 'ended') return 'nothing may follow run-end'
    if (fact.fact === 'run-start') return this.#state === 'empty' ? undefined : 'the run has started already'
    if (this.#state === 'empty') return 'the first fact has to be run-start'
    switch (fact.fact) {
      case 'member-start':
        if (!Number.isInteger(fact.member) || fact.member < 1) return `member ${fact.member} is not a positive integer`
        return this.#started.has(fact.member) ? `member ${fact.member} has started already` : undefined
      case 'member-end':
        if (this.#open.has(fact.member)) return undefined
        return this.#started.has(fact.member)
          ? `member ${fact.member} has ended already`
          : `member ${fact.member} never started`
      case 'run-end':
        return this.#open.size > 0 ? `${this.#open.size} members are still open` : undefined
    }
  }
}
