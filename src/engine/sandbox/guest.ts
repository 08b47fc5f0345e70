// One run inside its worker: the script, the nested workflows it calls, and what the hooks share.

import type { JsonValue } from '../../shared/index.ts'
import { copyJson, NotJsonError } from './copy-json.ts'
import { makeGlobals } from './globals.ts'
import type { HostLink } from './host-link.ts'
import {
  SCRIPT_URL_PREFIX,
  type HostMessage,
  type HostMessages,
  type MaybeJson,
  type SandboxScript,
} from './protocol.ts'
import { makeCompartment, type Realm } from './realm.ts'
import { makeRejectionWatch } from './rejections.ts'
import { currentScope, runInScope, Scope } from './scope.ts'
import { factsOf, makeScriptError } from './script-error.ts'
import { placeError, registerScript, toRunError, type Frame } from './stacks.ts'

const SHOWN_PATHS = 5

export class Guest {
  readonly link: HostLink
  readonly realm: Realm
  budgetTotal: number | null = null
  maxItems = 4096

  constructor(link: HostLink, realm: Realm) {
    this.link = link
    this.realm = realm
  }

  take(message: HostMessage): void {
    // Every other message is an answer to a call and is taken by the link.
    if (message.type === 'start') void this.#start(message)
  }

  readonly rejections = makeRejectionWatch((message) => this.link.post(message))

  async #start({ script, args, budgetTotal, maxItems }: HostMessages['start']): Promise<void> {
    this.budgetTotal = budgetTotal
    this.maxItems = maxItems
    try {
      const value = await this.runScript(script, args, new Scope('', script.group))
      this.link.post({ type: 'completed', value })
    } catch (error) {
      this.link.post({ type: 'failed', error: toRunError(error) })
    }
  }

  /** Runs a prepared script to its end and returns its result as plain data. */
  async runScript(script: SandboxScript, args: MaybeJson, scope: Scope): Promise<JsonValue> {
    registerScript(script)
    const main = this.#evaluate(script, args)
    const value = await runInScope(scope, main)
    return this.#copyResult(value, script)
  }

  #evaluate(script: SandboxScript, args: MaybeJson): () => Promise<unknown> {
    const compartment = makeCompartment(this.realm, makeGlobals(this, args))
    try {
      // The value of a prepared script's code is an async function without parameters (script/rewrite.ts).
      return compartment.evaluate(
        `${script.code}\n//# sourceURL=${SCRIPT_URL_PREFIX}${script.group}`,
      ) as () => Promise<unknown>
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw makeScriptError('SCRIPT_PARSE', `${script.fileName}: the sandbox refused the script: ${message}`, true)
    }
  }

  #copyResult(value: unknown, script: SandboxScript): JsonValue {
    if (value === undefined) return null
    const dropped: string[] = []
    try {
      return copyJson(value, 'result', (path) => dropped.push(path))
    } catch (error) {
      if (!(error instanceof NotJsonError)) throw error
      throw makeScriptError('RESULT_NOT_JSON', `the result has to be JSON data: ${error.message}`)
    } finally {
      if (dropped.length > 0) {
        const more = dropped.length > SHOWN_PATHS ? ` and ${dropped.length - SHOWN_PATHS} more` : ''
        const paths = `${dropped.slice(0, SHOWN_PATHS).join(', ')}${more}`
        const message = `left out of the result because undefined is no JSON: ${paths}`
        this.link.post({ type: 'warning', code: 'result/undefined-dropped', message, file: script.fileName })
      }
    }
  }

  /** What a hook that starts something does first: nothing is started any more once the run is being cancelled. */
  enter<T>(frames: readonly Frame[], work: (scope: Scope) => T): T {
    return this.speak(frames, (scope) => {
      this.link.assertRunning()
      return work(scope)
    })
  }

  /** What every hook does: where in the run are we. Errors get the place of the call. A `finally` block may still speak. */
  speak<T>(frames: readonly Frame[], work: (scope: Scope) => T): T {
    try {
      const scope = currentScope()
      if (scope === undefined) throw makeScriptError('INVALID_ARGUMENT', 'hooks work inside a workflow script only')
      return work(scope)
    } catch (error) {
      throw placeOwn(error, frames)
    }
  }
}

function placeOwn(error: unknown, frames: readonly Frame[]): unknown {
  return error instanceof Error && factsOf(error) !== undefined ? placeError(error, frames) : error
}
