// Which back end runs a call, and whether it can do what is asked: refused in words before an agent starts, never ignored.

import { nearestName, type BackendCapabilities } from '../../shared/index.ts'
import type { AgentBackend, AgentRequest, BackendSource } from '../ports.ts'
import type { ScriptFacingError } from '../sandbox/protocol.ts'

export type BackendWishes = Pick<AgentRequest, 'model' | 'effort' | 'agentType' | 'allowedTools' | 'isolation'>

/** What a back end can't do, by the option that asks for it. */
const INABILITIES: Record<keyof BackendWishes, { capability: keyof BackendCapabilities; words: string }> = {
  model: { capability: 'models', words: 'can not choose a model' },
  effort: { capability: 'effort', words: 'has no setting for effort' },
  agentType: { capability: 'agentType', words: 'has no named agent types' },
  allowedTools: { capability: 'allowedTools', words: 'can not restrict tools' },
  isolation: { capability: 'worktree', words: 'can not give an agent a worktree of its own' },
}

export class RunBackends {
  readonly #source: BackendSource
  readonly #own: string
  readonly #available = new Map<string, Promise<string | undefined>>()

  constructor(source: BackendSource, own: string) {
    this.#source = source
    this.#own = own
  }

  resolve(provider: string | undefined): AgentBackend | ScriptFacingError {
    const backend = this.#source.resolve(provider)
    if (backend !== undefined) return backend
    const ids = this.#source.ids()
    if (provider === undefined) {
      const message = `the run's back end ${this.#own} is not there; known back ends: ${ids.join(', ') || 'none'}`
      return { code: 'AGENT_START', message, fatal: true }
    }
    const near = nearestName(provider, ids)
    const hint = near === undefined ? `known back ends: ${ids.join(', ') || 'none'}` : `did you mean ${near}?`
    const message = `agent: provider ${JSON.stringify(provider)} is no back end; ${hint}`
    return { code: 'INVALID_ARGUMENT', message, fatal: true }
  }

  /** Why the back end can't honour these options; undefined when it can. */
  refuse(backend: AgentBackend, wishes: BackendWishes): ScriptFacingError | undefined {
    for (const [option, { capability, words }] of Object.entries(INABILITIES)) {
      if (Reflect.get(wishes, option) === undefined || backend.capabilities[capability] !== false) continue
      const message = `agent: back end ${backend.id} ${words} (option ${option})`
      return { code: 'UNSUPPORTED_OPTION', message, fatal: true }
    }
    const reason = backend.refuse?.(wishes)
    return reason === undefined ? undefined : { code: 'UNSUPPORTED_OPTION', message: `agent: ${reason}`, fatal: true }
  }

  /** Asked once a run and back end. */
  async checkAvailable(backend: AgentBackend): Promise<ScriptFacingError | undefined> {
    if (backend.unavailable === undefined) return undefined
    let answer = this.#available.get(backend.id)
    if (answer === undefined) {
      answer = backend.unavailable().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      this.#available.set(backend.id, answer)
    }
    const reason = await answer
    if (reason === undefined) return undefined
    return { code: 'AGENT_START', message: `back end ${backend.id} can not run agents: ${reason}`, fatal: true }
  }
}

export function isRefusal(value: object): value is ScriptFacingError {
  return 'code' in value && 'fatal' in value
}
