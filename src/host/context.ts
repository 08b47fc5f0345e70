// What the handlers of calls work with: one of each for a host.

import type { AgentDetector, BranchKeeper, Git } from '../agents/index.ts'
import type { Engine, IdSource, Logger } from '../engine/index.ts'
import type { ConnectedHarness } from '../shared/index.ts'
import type { Store } from '../store/index.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { BackendRegistry } from './backends/registry.ts'
import type { Connections } from './connections/connections.ts'
import type { Drafts } from './drafts/drafts.ts'
import type { HostOptions } from './host.ts'
import type { HarnessRecords } from './runs/harness-records.ts'
import type { LiveRuns } from './runs/live-runs.ts'
import type { RunPermissions } from './runs/run-permissions.ts'
import type { Publisher } from './session/publisher.ts'
import type { SettingsFile } from './settings/settings-file.ts'
import type { WorkflowCatalog } from './workspace/catalog.ts'

export interface HostContext {
  options: HostOptions
  /** What the user should know of the host's start. */
  warnings: readonly string[]
  logger: Logger
  engine: Engine
  store: Store
  ids: IdSource
  live: LiveRuns
  permissions: RunPermissions
  approvals: Approvals
  records: HarnessRecords
  settings: SettingsFile
  backends: BackendRegistry
  /** Who could run agents here. */
  detector: AgentDetector
  /** For what worktree agents left in repositories. */
  git: Git
  branches: BranchKeeper
  catalog: WorkflowCatalog
  drafts: Drafts
  connections: Connections
  /** Tells all clients of what no event tells. */
  publish: Pick<Publisher, 'runChanged' | 'runsDeleted' | 'runPinned'>
  /** How many sessions are open. */
  clients(): number
  harnesses(): readonly ConnectedHarness[]
  /** Throws CLOSED once the host has begun to end: nothing new starts then. */
  checkRunning(): void
}
