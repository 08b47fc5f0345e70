// The worker's JavaScript realm, locked down: SES with our own teaching errors, UTC dates and size guards put in between its
// repair and its freeze. Imported for its effect, before anything else runs in the worker.

import 'ses'
import { KNOWN_NAMES } from '../script/known-names.ts'
import { installDate, makeMath } from './determinism.ts'
import { installLocale } from './locale.ts'
import { installSizeGuards } from './size-guards.ts'
import { installStacks } from './stacks.ts'

export interface Realm {
  harden: <T>(value: T) => T
  /** What every compartment gets in place of SES's own. */
  globals: { Date: unknown; Math: unknown }
}

/** Callable once in a realm. */
export function lockDown(): Realm {
  const FeralError = Error
  repairIntrinsics({
    errorTaming: 'unsafe',
    consoleTaming: 'unsafe',
    overrideTaming: 'severe',
    evalTaming: 'safe-eval',
    regExpTaming: 'safe',
    localeTaming: 'safe',
    domainTaming: 'safe',
    errorTrapping: 'none',
    unhandledRejectionTrapping: 'none',
    reporting: 'none',
  })
  const globals = { Date: installDate(), Math: makeMath() }
  installLocale()
  installSizeGuards()
  installStacks(FeralError)
  hardenIntrinsics()
  const { harden } = globalThis
  harden(globals)
  removeHostGlobals()
  return { harden, globals }
}

/** What a compartment keeps of the names that SES gives it. */
const KEPT_NAMES: ReadonlySet<string> = new Set([...KNOWN_NAMES, 'Date', 'Math'])

/** A compartment with JavaScript's own names (no buffers, no way to make another compartment) and `globals`. */
export function makeCompartment(realm: Realm, globals: object): Compartment {
  const compartment = new Compartment({ __options__: true })
  const { globalThis: inner } = compartment
  for (const name of Object.getOwnPropertyNames(inner)) {
    if (!KEPT_NAMES.has(name)) Reflect.deleteProperty(inner, name)
  }
  // Constant, so that SES hands them to the script as fast constants.
  for (const [name, value] of [...Object.entries(realm.globals), ...Object.entries(globals)]) {
    Object.defineProperty(inner, name, { value, writable: false, enumerable: true, configurable: false })
  }
  return compartment
}

/** Nothing in the worker needs these any more, and what is not there can't be reached by a hole in the wall either. */
function removeHostGlobals(): void {
  const keep = new Set([...KNOWN_NAMES, 'Compartment', 'lockdown', 'harden', 'WeakRef', 'FinalizationRegistry'])
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!keep.has(name)) Reflect.deleteProperty(globalThis, name)
  }
}
