// `workflow(nameOrRef, args?)`: another workflow inline, one level deep. It shares caps, budget and cancel with its caller;
// whatever goes wrong in it is an ordinary error here, except what concerns the whole run.

import type { RunError, WorkflowErrorCode } from '../../shared/index.ts'
import { describeValue } from '../sandbox/describe-value.ts'
import type { Guest } from '../sandbox/guest.ts'
import type { HostMessages, MaybeJson } from '../sandbox/protocol.ts'
import { Scope } from '../sandbox/scope.ts'
import { factsOf, makeScriptError } from '../sandbox/script-error.ts'
import { captureFrames, placeError, toRunError, type Frame } from '../sandbox/stacks.ts'
import { copyArgument, misuse, refuseMore } from './agent-options.ts'

/** These concern the run, not the nested script: no `catch` or combinator may take them for a failed step. */
const RUN_WIDE: ReadonlySet<WorkflowErrorCode> = new Set(['AGENT_CAP', 'AGENT_START', 'CANCELLED'])

export function makeWorkflow(
  guest: Guest,
): (reference: unknown, args?: unknown, ...more: unknown[]) => Promise<unknown> {
  const workflow = async (reference: unknown, args?: unknown, ...more: unknown[]): Promise<unknown> => {
    const frames = captureFrames(workflow)
    return guest.enter(frames, async (scope) => {
      if (scope.group !== 0) {
        throw placeError(
          makeScriptError('NESTED_WORKFLOW', 'workflow: a nested workflow can not call another one: one level only'),
          frames,
        )
      }
      const wanted = readReference(reference)
      refuseMore('workflow', 'a name or { scriptPath } and args', more)
      const given: MaybeJson = args === undefined ? {} : { value: copyArgument(args, 'workflow: args') }
      const path = scope.next('workflow')
      // Begun here: what is delivered to the caller while the script is looked up can not have had a part in the call.
      const { diverged } = scope
      const [top] = frames
      const { nested } = await guest.link.request(scope, frames, (call) => ({
        type: 'workflow',
        call,
        path,
        group: scope.group,
        phase: scope.phase,
        reference: wanted,
        ...(top !== undefined && { site: { line: top.line, column: top.column } }),
      }))
      return nested === undefined ? null : runNested(guest, scope, nested, given, { path, diverged }, frames)
    })
  }
  return workflow
}

async function runNested(
  guest: Guest,
  parent: Scope,
  { script }: HostMessages['nested'],
  args: MaybeJson,
  { path, diverged }: Pick<Scope, 'path' | 'diverged'>,
  frames: readonly Frame[],
): Promise<unknown> {
  const scope = new Scope(path, script.group, parent, diverged)
  try {
    const value = await guest.runScript(script, args, scope)
    guest.link.post({ type: 'workflow-done', group: script.group })
    return value
  } catch (thrown) {
    const error = toRunError(thrown)
    guest.link.post({ type: 'workflow-done', group: script.group, error: { file: script.fileName, ...error } })
    throw toCallerError(thrown, error, script.name, script.fileName, frames)
  } finally {
    if (scope.diverged) parent.diverged = true
  }
}

function toCallerError(
  thrown: unknown,
  error: RunError,
  name: string,
  fileName: string,
  frames: readonly Frame[],
): unknown {
  const code = factsOf(thrown)?.code
  if (code !== undefined && RUN_WIDE.has(code)) return thrown
  const place = error.line === undefined ? fileName : `${error.file ?? fileName}:${error.line}:${error.column ?? 1}`
  const kind = error.name && error.name !== 'WorkflowError' ? `${error.name}: ` : ''
  const wrapped = makeScriptError(
    code ?? 'NESTED_WORKFLOW',
    `workflow "${name}" failed at ${place}: ${kind}${error.message}`,
    false,
  )
  Object.defineProperty(wrapped, 'cause', { value: thrown, writable: true, enumerable: false, configurable: true })
  return placeError(wrapped, frames)
}

function readReference(reference: unknown): string | { scriptPath: string } {
  if (typeof reference === 'string' && reference !== '') return reference
  if (typeof reference === 'object' && reference !== null) {
    const path: unknown = Reflect.get(reference, 'scriptPath')
    const other = Object.keys(reference).find((key) => key !== 'scriptPath')
    if (typeof path === 'string' && path !== '' && other !== undefined) {
      const hint = other === 'args' ? '; args are the second argument' : ''
      throw misuse(`workflow: a reference has scriptPath alone, got also ${JSON.stringify(other.slice(0, 60))}${hint}`)
    }
    if (typeof path === 'string' && path !== '') return { scriptPath: path }
  }
  throw misuse(`workflow: takes a name or { scriptPath }, got ${describeValue(reference)}`)
}
