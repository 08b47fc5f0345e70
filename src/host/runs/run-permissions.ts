// What agents ask leave for, and who answers: in a live run whoever watches it in a window or a browser, in a dry run a
// policy. Where nobody could answer, nothing is waited for: the answer is no, and the run's record says why.

import type { PermissionGate, PermissionQuestion, PermissionReply } from '../../engine/index.ts'
import { HostError, toPreview, type AgentNumber, type PermissionAnswer, type RunId } from '../../shared/index.ts'

/** Who could answer now. */
export interface Audience {
  /** Whether anyone of them has this run before their eyes. */
  watches(runId: RunId): boolean
  /** Whether anyone is there at all, who may be about to look at the run. */
  present(): boolean
}

/**
 * A page that is loaded again, or a window that has started a run and not watched it yet, is back or there within this
 * time. Longer would keep an agent waiting for nobody.
 */
const GRACE_MS = 10_000

type Question = PermissionQuestion & { runId: RunId; agent: AgentNumber }

interface OpenQuestion extends Question {
  settle(reply: PermissionReply): void
  grace?: NodeJS.Timeout
}

interface RunQuestions {
  open: Map<string, OpenQuestion>
  /** Titles that were allowed for the rest of the run. */
  allowed: Set<string>
}

const CANCELLED: PermissionReply = { answer: 'reject', by: 'cancelled' }

export class RunPermissions implements PermissionGate {
  readonly #audience: Audience
  readonly #graceMs: number
  readonly #runs = new Map<RunId, RunQuestions>()

  constructor(audience: Audience, graceMs: number = GRACE_MS) {
    this.#audience = audience
    this.#graceMs = graceMs
  }

  async ask(question: Question, signal: AbortSignal): Promise<PermissionReply> {
    if (signal.aborted) return CANCELLED
    const { runId, options } = question
    const run = this.#runOf(runId)
    if (run.allowed.has(question.title)) return { answer: decide('allow-run', options), by: 'policy' }
    const watched = this.#audience.watches(runId)
    if (!watched && !this.#audience.present()) return refuseUnasked(question)
    return new Promise((resolve) => {
      const onAbort = (): void => open.settle(CANCELLED)
      const open: OpenQuestion = {
        ...question,
        settle: (reply) => {
          if (!run.open.delete(question.id)) return
          clearTimeout(open.grace)
          signal.removeEventListener('abort', onAbort)
          resolve(reply)
        },
      }
      run.open.set(question.id, open)
      signal.addEventListener('abort', onAbort, { once: true })
      if (!watched) this.#wait(open)
    })
  }

  /** Gives an operator's answer to an open question. Throws CONFLICT when it is open no more, BAD_REQUEST for no option. */
  answer(runId: RunId, agent: AgentNumber, request: string, answer: PermissionAnswer): void {
    const run = this.#runs.get(runId)
    const question = run?.open.get(request)
    if (run === undefined || question?.agent !== agent)
      throw new HostError({
        code: 'CONFLICT',
        message: `Agent ${agent} of run ${runId} is not asking "${request}": it was answered already, or its agent has ended`,
      })
    if (answer !== 'reject' && !question.options.includes(answer)) {
      const message = `the answer must be one of ${question.options.join(', ')}, not "${answer}"`
      throw new HostError({ code: 'BAD_REQUEST', message: `run.answerPermission: ${message}`, violations: [message] })
    }
    question.settle({ answer, by: 'user' })
    if (answer !== 'allow-run') return
    run.allowed.add(question.title)
    for (const same of [...run.open.values()].filter(({ title }) => title === question.title))
      same.settle({ answer: decide('allow-run', same.options), by: 'policy' })
  }

  /** To be called when somebody came, left, or began or ended to watch a run. */
  audienceChanged(): void {
    for (const [runId, { open }] of this.#runs) {
      if (open.size === 0) continue
      const watched = this.#audience.watches(runId)
      for (const question of open.values()) {
        if (!watched) this.#wait(question)
        else if (question.grace !== undefined) {
          clearTimeout(question.grace)
          delete question.grace
        }
      }
    }
  }

  /** The run is over. */
  forget(runId: RunId): void {
    for (const question of this.#runs.get(runId)?.open.values() ?? []) question.settle(CANCELLED)
    this.#runs.delete(runId)
  }

  #wait(question: OpenQuestion): void {
    question.grace ??= setTimeout(() => question.settle(refuseUnasked(question)), this.#graceMs)
  }

  #runOf(runId: RunId): RunQuestions {
    const known = this.#runs.get(runId)
    if (known !== undefined) return known
    const run: RunQuestions = { open: new Map(), allowed: new Set() }
    this.#runs.set(runId, run)
    return run
  }
}

/** Answers all questions the same way: a dry run's agents do nothing that could be harmful. */
export function answerAll(wanted: 'allow-once' | 'reject'): PermissionGate {
  return {
    ask: ({ options }, signal) =>
      Promise.resolve(signal.aborted ? CANCELLED : { answer: decide(wanted, options), by: 'policy' }),
  }
}

/** The wanted answer or, where the agent does not take it, one that allows as well. */
function decide(wanted: PermissionAnswer, options: readonly PermissionAnswer[]): PermissionAnswer {
  if (wanted === 'reject' || options.includes(wanted)) return wanted
  return options.find((option) => option !== 'reject') ?? 'reject'
}

function refuseUnasked({ agent, title }: Question): PermissionReply {
  const reason = `agent ${agent} was refused "${toPreview(title, 200)}": no window and no browser watches this run, so there is nobody to ask`
  return { answer: 'reject', by: 'policy', reason }
}
