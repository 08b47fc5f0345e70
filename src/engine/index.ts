// The engine's own door: what other folders may use of it.
export * from './engine.ts'
export * from './errors.ts'
export * from './ports.ts'
export { createVirtualClock, systemClock } from './run/clock.ts'
export { createEngine } from './run/create-engine.ts'
