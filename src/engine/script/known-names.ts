// The names a script may use without declaring them: the hooks, and what the sandbox leaves of JavaScript's own.

/** Given to every script by the engine. */
export const HOOK_NAMES = [
  'agent',
  'parallel',
  'pipeline',
  'phase',
  'log',
  'workflow',
  'budget',
  'args',
  'console',
] as const

export type HookName = (typeof HOOK_NAMES)[number]

export const AGENT_OPTIONS = [
  'label',
  'phase',
  'schema',
  'provider',
  'model',
  'effort',
  'isolation',
  'agentType',
  'allowedTools',
] as const

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** JavaScript's own. Buffers are left out: the memory cap does not hold for them. `Iterator` is missing from older runtimes. */
const BUILT_INS = (
  'globalThis undefined NaN Infinity isFinite isNaN parseFloat parseInt eval ' +
  'decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape ' +
  'Array BigInt Boolean Date Function JSON Math Number Object Promise Proxy Reflect RegExp String Symbol ' +
  'Map Set WeakMap WeakSet Iterator ' +
  'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError'
).split(' ')

export const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...HOOK_NAMES,
  ...BUILT_INS.filter((name) => name in globalThis),
])

const BUFFER = 'scripts have no binary buffers: use arrays and strings'
const TIMER = 'scripts have no timers: time belongs to the agents they start'
const CLOCK = 'scripts have no clock, because a resume could not replay it: pass a timestamp in `args`'
const RANDOM = 'scripts have no randomness, because a resume could not replay it: vary prompts by index'
const MODULES = 'scripts load no modules: an agent does what needs one'
const OUTSIDE = 'scripts reach neither files, network nor processes: have an agent do it'
const PAGE = 'scripts run outside of any page'

type Kind = 'clock' | 'randomness' | 'timer' | 'absent'

/** Why names that many will try are not there. */
const ABSENT: ReadonlyMap<string, { kind: Kind; why: string }> = new Map([
  ...group('timer', TIMER, 'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate'),
  ...group('timer', TIMER, 'requestAnimationFrame requestIdleCallback'),
  ...group('timer', 'use `Promise.resolve().then(…)`', 'queueMicrotask'),
  ...group('clock', CLOCK, 'performance Intl Temporal'),
  ...group('randomness', RANDOM, 'crypto'),
  ...group('absent', BUFFER, 'ArrayBuffer SharedArrayBuffer DataView Atomics WebAssembly Buffer Blob File'),
  ...group('absent', BUFFER, 'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array'),
  ...group('absent', BUFFER, 'Float16Array Float32Array Float64Array BigInt64Array BigUint64Array'),
  ...group('absent', BUFFER, 'TextEncoder TextDecoder'),
  ...group('absent', MODULES, 'require module exports __dirname __filename'),
  ...group('absent', OUTSIDE, 'process fetch XMLHttpRequest WebSocket fs path os Deno Bun'),
  ...group('absent', PAGE, 'window document navigator localStorage alert prompt'),
  ...group('absent', 'use `globalThis`', 'global self'),
  ...group('absent', 'take the text apart yourself', 'URL URLSearchParams'),
  ...group('absent', 'copy JSON data with `JSON.parse(JSON.stringify(value))`', 'structuredClone'),
])

export function whyAbsent(name: string): { kind: Kind; why: string } | undefined {
  return ABSENT.get(name)
}

function group(kind: Kind, why: string, names: string): [string, { kind: Kind; why: string }][] {
  return names.split(' ').map((name) => [name, { kind, why }])
}
