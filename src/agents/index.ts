// The agents layer's own door: what hosts may use of it.
export * from './errors.ts'
export { agentFraming } from './framing.ts'
export { createCommandBackend, type CommandBackendOptions } from './command/command-backend.ts'
export type { CommandTiming } from './command/run-call.ts'
export { createReaper, type Reaper, type ReaperOptions } from './process/reaper-client.ts'
