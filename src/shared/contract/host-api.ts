// HostApi as two type maps: what a client may call, and what it is told. Window, browser, command line and tool server
// all speak this and nothing else. To add a call: its schema in call-schemas.ts, its result here, its handler in src/host/api/.

import type { Static } from 'typebox'
import type { JsonValue } from '../lib/json.ts'
import type { AgentBranches, BranchDiff, BranchDrop, BranchMerge, BranchOpening } from '../model/agent-branch.ts'
import type { ApprovalAnswer, PendingApproval } from '../model/approval.ts'
import type { DoctorReport } from '../model/doctor-report.ts'
import type { DryRunPlan } from '../model/dry-run.ts'
import type { ConnectedHarness } from '../model/connected-harness.ts'
import type { ConnectionChange, ConnectionPreview, HarnessConnection } from '../model/harness-connection.ts'
import type { RunEnvelope } from '../model/envelope.ts'
import type { FoundAgent } from '../model/found-agent.ts'
import type { AgentNumber, CallKey, CallPath, RunId } from '../model/ids.ts'
import type { Diagnostic, WorkflowMeta } from '../model/meta.ts'
import type { AgentOutcome, RunEvent } from '../model/run-event.ts'
import type { ResumePlan } from '../model/resume-plan.ts'
import type { RunComparison } from '../model/run-comparison.ts'
import type { RunRow } from '../model/run-row.ts'
import type { SearchHit } from '../model/search-hit.ts'
import type { Usage } from '../model/usage.ts'
import type { callSchemas } from './call-schemas.ts'
import type { HostErrorBody } from './host-error.ts'

/** Raised when a call or event changes its meaning; a client and a host of different versions don't talk. */
export const API_VERSION = 1

export interface WorkflowEntry {
  /** Meta's name, or the file's where meta can't be read. */
  name: string
  description: string | null
  whenToUse: string | null
  path: string
  fileName: string
  source: 'project' | 'weft' | 'claude' | 'user' | 'bundled'
  /** The path of the entry that takes this one's name. */
  shadowedBy: string | null
  /** Why it can't be run, in words with line and column. */
  error: string | null
  /** A JSON Schema for its args from `<name>.args.schema.json`, if there is one. */
  argsSchema: JsonValue | null
}

export interface WorkflowFile {
  path: string
  fileName: string
  text: string
  hash: string
  /** False for bundled workflows: they are read only. */
  writable: boolean
}

/** Text that was typed into a file but not saved. */
export interface Draft {
  path: string
  text: string
  /** Hash of the file that the edit began from. */
  baseHash: string
}

export interface BackendInfo {
  id: string
  kind: string
  isDefault: boolean
  available: boolean
  /** Why it is not available, or its version. */
  detail: string | null
  capabilities: BackendCapabilities
}

/** What a back end can do; an option it can't honour is refused before the agent starts. */
export interface BackendCapabilities {
  schema: 'native' | 'tool' | 'prompt'
  models: boolean
  effort: boolean
  agentType: boolean
  allowedTools: boolean
  worktree: boolean
  usage: 'exact' | 'estimated' | 'none'
  cost: boolean
  steer: boolean
  permissions: boolean
  resumeSession: boolean
}

/** One agent call, whole. */
export interface AgentCallRecord {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  prompt: string
  /** The options as the script gave them. */
  options: { [name: string]: JsonValue }
  outcome: AgentOutcome | null
  result: JsonValue
  usage: Usage | null
  durationMs: number | null
}

export interface HostStatus {
  pid: number
  version: string
  dataDir: string
  liveRuns: number
  runningAgents: number
  clients: number
  /** Connected to the tool server. */
  harnesses?: readonly ConnectedHarness[]
  /** What the user should know of its start, e.g. what a damaged database lost; absent or empty when all is well. */
  warnings?: readonly string[]
}

/** A file that leaves the host in pages, or a part of it. */
export interface ExportPage {
  fileName: string
  text: string
  /** For the next page; null with the last one. A cursor is good once, and for two minutes. */
  cursor: string | null
}

/** What became of an import so far. */
export interface ImportProgress {
  importId: string
  /** The run's id here; null until the last piece. */
  runId: RunId | null
  /** True when its id belongs to another run here already, so that it got a new one. */
  renamed: boolean
  /** True when the very same run was here already: nothing was written. */
  known: boolean
}

export interface HostCallResults {
  'host.hello': { apiVersion: number; hostVersion: string; pid: number }
  'host.status': HostStatus
  'host.doctor': DoctorReport
  /** The workspace this client was opened for, and the file to show first, if any. */
  'workspace.initial': { workspace: string; open: string | null }
  'workflows.list': { workflows: WorkflowEntry[] }
  'workflows.read': WorkflowFile
  'workflows.save': WorkflowFile
  /** The file under its new path; CONFLICT when that is taken. */
  'workflows.rename': WorkflowFile
  /** Paths of all that was deleted, the JSON files beside the script among them. */
  'workflows.delete': { deleted: string[] }
  /** Files of this session with unsaved text. */
  'drafts.list': { paths: string[] }
  'drafts.read': { draft: Draft | null }
  'drafts.write': Record<string, never>
  'drafts.drop': Record<string, never>
  'script.diagnose': { meta: WorkflowMeta | null; diagnostics: Diagnostic[] }
  'backends.list': { backends: BackendInfo[] }
  /** Every agent and model provider that is known, installed or not; nothing is spent on finding out. */
  'backends.find': { found: FoundAgent[] }
  /** All of `branches.*`: NOT_FOUND outside of a repository, or for a branch that is not there. */
  'branches.list': AgentBranches
  /** Against the commit that the agent began with. */
  'branches.diff': BranchDiff
  /** CONFLICT when it may not be tried. */
  'branches.merge': BranchMerge
  /** CONFLICT when it is not merged, or its folder holds what is nowhere else. */
  'branches.drop': BranchDrop
  'branches.open': BranchOpening
  /**
   * `errors` say why the file can't be used (defaults apply then), `warnings` what this version does not know in it. `text` is
   * the file as it stands; empty when there is none.
   */
  'settings.get': { settings: JsonValue; path: string; errors: string[]; warnings: string[]; text: string }
  /** What this version does not know may be given as far as the file holds it already; it stays there in any case. */
  'settings.set': { settings: JsonValue }
  /** All of `connections.*`: NOT_ALLOWED for a harness. */
  'connections.list': { harnesses: HarnessConnection[] }
  /** BAD_REQUEST for a file that can't be parsed or edited safely, with line and column. */
  'connections.preview': ConnectionPreview
  /** BAD_REQUEST as the preview; CONFLICT when the file is no longer the one that was previewed. */
  'connections.connect': ConnectionChange
  'connections.disconnect': ConnectionChange
  /** Oldest first. */
  'approvals.list': { approvals: PendingApproval[] }
  /** CONFLICT when it is asked no more; NOT_ALLOWED for a harness, whose own wish it may be. */
  'approvals.answer': Record<string, never>
  /** A resume of an unknown run is NOT_FOUND; of one that is live, dry or without anything to replay CONFLICT. */
  /** `scriptPath`: where the text that a harness gave was saved, so that an edited copy can be run. */
  'run.start': { runId: RunId; scriptPath?: string }
  /** A dry run is over when this answers: its whole event stream and its plan; nothing of it is kept. */
  'run.dryRun': { envelope: RunEnvelope; events: RunEvent[]; plan: DryRunPlan }
  /** Fails as `run.start` would. */
  'run.resumePlan': ResumePlan
  /** `pinned` are those of the listed runs that are. */
  'run.list': { runs: RunRow[]; total: number; pinned: RunId[] }
  'run.get': { row: RunRow; lastSeq: number }
  /** Newest first; `row` is that of the hit's run. */
  'run.search': { hits: (SearchHit & { row: RunRow })[] }
  'run.compare': RunComparison
  /** Newest first, at most 20. */
  'run.resumable': { runs: RunRow[] }
  /** CONFLICT when one of them is live, NOT_FOUND when there is none of that id: then none is deleted. */
  'run.delete': Record<string, never>
  'run.pin': Record<string, never>
  /** CONFLICT while it is live. */
  'run.export': ExportPage
  /** BAD_REQUEST with every violation and its line; nothing is written then. */
  'run.import': ImportProgress
  'run.events': { events: RunEvent[]; lastSeq: number }
  'run.watch': { lastSeq: number }
  'run.unwatch': Record<string, never>
  /** `settled` false while it runs. `json` is the whole result as JSON text; null without one. */
  'run.result': { settled: boolean; json: string | null }
  'run.script': { text: string; fileName: string; hash: string }
  /** CONFLICT when the question is open no more; NOT_ALLOWED for a harness, whose own agents these may be. */
  'run.answerPermission': Record<string, never>
  'run.call': AgentCallRecord
  'run.cancel': Record<string, never>
  /** CONFLICT when the run has ended. Answered once it is stored; pausing a paused run changes its reason at most. */
  'run.pause': Record<string, never>
  /** CONFLICT when the run has ended or is not paused. */
  'run.continue': Record<string, never>
  /** CONFLICT when the agent has ended already, NOT_FOUND when there is none of that number. */
  'run.agent': Record<string, never>
}

export type HostCallName = keyof HostCallResults & keyof typeof callSchemas

export type HostCalls = {
  [Name in HostCallName]: { params: Static<(typeof callSchemas)[Name]>; result: HostCallResults[Name] }
}

export interface HostEvents {
  /** Events of a watched run, in order, already stored. */
  'run.events': { runId: RunId; events: RunEvent[] }
  /** A run started or its row changed. */
  'run.row': { row: RunRow }
  'run.deleted': { runIds: RunId[] }
  'run.pinned': { runId: RunId; pinned: boolean }
  'workflows.changed': { workspace: string }
  'host.status': HostStatus
  /** Told to those who can answer, and to the session that asks. */
  'approval.asked': { approval: PendingApproval }
  /** `withdrawn`: whoever asked has gone, or has given up. */
  'approval.answered': { id: string; runId: RunId; answer: ApprovalAnswer | 'withdrawn' }
}

export type HostEventName = keyof HostEvents

/** One client's connection to a host, whatever carries it. */
export interface HostClient {
  /** Rejects with HostError. */
  call<Name extends HostCallName>(name: Name, params: HostCalls[Name]['params']): Promise<HostCalls[Name]['result']>
  /** Returns the function that ends it. */
  on<Name extends HostEventName>(name: Name, listener: (payload: HostEvents[Name]) => void): () => void
}

/** What goes over a wire, one JSON document a frame. */
export type HostRequest = { id: number; call: string; params: unknown }
export type HostReply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: HostErrorBody }
export type HostPush = { event: HostEventName; payload: unknown }
