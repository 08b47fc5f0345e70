// The agents layer's own door: what hosts may use of it.
export * from './errors.ts'
export { createCommandBackend, type CommandBackendOptions } from './command/command-backend.ts'
export type { CommandTiming } from './command/process-call.ts'
export { createAcpBackend } from './acp/acp-backend.ts'
export { createModelApiBackend } from './model-api/model-api-backend.ts'
export { costOf } from './prices/cost-of.ts'
export { withPrices } from './prices/with-prices.ts'
export { createPresetBackend } from './command/presets/preset-backend.ts'
export { definitionFolders } from './agent-types/read-definition.ts'
export { withAgentTypes } from './agent-types/with-agent-types.ts'
export { AgentDetector } from './detect/agent-detector.ts'
export { endOrphans } from './process/end-orphans.ts'
export { createReaper, type Reaper, type ReaperOptions } from './process/reaper-client.ts'
export {
  createAnswerGenerator,
  type AnswerGenerator,
  type AnswerGeneratorOptions,
} from './simulated/generate/answer-generator.ts'
export type { RecordedAnswer } from './simulated/answer-call.ts'
export type { History, HistorySample } from './simulated/estimate.ts'
export type { Fixture, Fixtures } from './simulated/fixtures-schema.ts'
export { loadFixtures, parseFixtures, toFixturesPath } from './simulated/load-fixtures.ts'
export { createSimulatedBackend, type SimulatedBackendOptions } from './simulated/simulated-backend.ts'
export { BranchKeeper } from './worktree/agent-branches.ts'
export { findMissingBranches } from './worktree/branches.ts'
export { createGit, type Git } from './worktree/git.ts'
export { withWorktrees } from './worktree/with-worktrees.ts'
export { Worktrees } from './worktree/worktrees.ts'
