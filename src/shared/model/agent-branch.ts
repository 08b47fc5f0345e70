// Branches that keep what agents changed in worktrees of their own.

/** One branch `weft/<run>/<agent>` of a repository. */
export interface AgentBranch {
  /** Without `refs/heads/`. */
  name: string
  /** As the name has it: the run may be of another data folder, or deleted. */
  runId: string
  agent: number
  /** First line of its last commit: the agent's label, unless it committed by itself. */
  subject: string
  commit: string
  /** The commit that the agent began with; null when nothing tells. */
  base: string | null
  /** Time of its last commit in milliseconds since the epoch. */
  committedAt: number
  /** True when the checked-out commit holds all of it. */
  merged: boolean
  /** Where it is checked out. */
  folder: string | null
}

/** A worktree that is still there although its agent has ended. */
export interface LeftWorktree {
  path: string
  runId: string
  agent: number
  reason: string
}

export interface AgentBranches {
  /** The checkout that they would be merged into. */
  top: string
  /** The branch that is checked out there; null when none is. */
  current: string | null
  /** Latest first, at most 1,000. */
  branches: AgentBranch[]
  total: number
  /** Of all repositories. */
  left: LeftWorktree[]
}

export interface ChangedFile {
  path: string
  status: 'added' | 'deleted' | 'modified' | 'type-changed'
  /** Lines; null for files that are not text. */
  added: number | null
  removed: number | null
}

export interface BranchDiff {
  branch: string
  base: string
  commit: string
  files: ChangedFile[]
  /** As git prints it. */
  patch: string
  /** True when only the patch's beginning is here. */
  cut: boolean
}

export interface BranchMerge {
  branch: string
  /** `conflicts`: nothing was changed. */
  outcome: 'merged' | 'up-to-date' | 'conflicts'
  /** The branch that it was merged into. */
  into: string
  /** The checked-out commit, afterwards. */
  head: string
  /** Paths of the files that both sides changed. */
  conflicts: string[]
}

export interface BranchDrop {
  branch: string
  /** What it pointed to: a new branch there brings it back. */
  commit: string
  merged: boolean
}

export interface BranchOpening {
  branch: string
  folder: string
  /** True when it was checked out there already. */
  known: boolean
}
