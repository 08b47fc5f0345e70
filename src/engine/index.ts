// The engine's own door: what other folders may use of it.
export * from './engine.ts'
export * from './errors.ts'
export * from './ports.ts'
export { createChecker, type Checker, type CheckerOptions } from './check/checker.ts'
export { parseAnswer, type ParsedAnswer } from './check/parse-answer.ts'
export { isRefusal } from './script/refusal.ts'
export { createVirtualClock, systemClock } from './run/clock.ts'
export { createEngine } from './run/create-engine.ts'
