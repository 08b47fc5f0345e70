// Worktrees for agents: one for each attempt, made from the commit that is checked out, gone afterwards unless it holds
// something that is nowhere else.

import { rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LeftWorktree } from '../../shared/index.ts'
import { AgentsError, messageOf } from '../errors.ts'
import { carryChanges } from './carry-changes.ts'
import { describeGit, type Git } from './git.ts'
import { hasChanges, keepChanges, type WorktreeEnd } from './keep-changes.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { placeOf, readRecords, removeRecord, writeRecord, type WorktreePlace, type WorktreeRecord } from './record.ts'
import { openRepository, type Repository } from './repository.ts'

export interface WorktreesOptions {
  /** Where they are made: `<data folder>/worktrees`. */
  folder: string
  git: Git
}

export interface WorktreeCall {
  runId: string
  agent: number
  attempt: number
  /** The run's workspace: any folder of a checkout. */
  cwd: string
  label: string
  /** It begins with what is not committed in the workspace, too. */
  carry?: boolean
}

export interface Worktree {
  readonly path: string
  /** The workspace's folder inside of it. */
  readonly cwd: string
  /** What the user should know before the agent starts, by code. */
  readonly notes: ReadonlyMap<string, string>
  /** Keeps what was changed, then removes it. Rejects when git fails; the worktree stays then. */
  finish(): Promise<WorktreeEnd>
}

const CHANGED = 'it holds changes that are nowhere else'

export class Worktrees {
  readonly #folder: string
  readonly #git: Git
  readonly #turns = new OneAtATime()
  /** Paths of those that agents work in. */
  readonly #inUse = new Set<string>()

  constructor({ folder, git }: WorktreesOptions) {
    this.#folder = folder
    this.#git = git
  }

  /** Rejects with AgentsError `WORKTREE_REFUSED` when the workspace can't have one; nothing is left then. */
  async create(call: WorktreeCall): Promise<Worktree> {
    const repository = await openRepository(this.#git, call.cwd)
    const { top, commonDir, head: base, prefix } = repository
    const { runId, agent, attempt } = call
    const carry = call.carry === true && repository.uncommitted > 0
    const record: WorktreeRecord = { runId, agent, attempt, top, commonDir, base }
    const place = placeOf(this.#folder, record)
    this.#inUse.add(place.path)
    try {
      await this.#turns.run(commonDir, async () => {
        await this.#add(place, record)
        if (carry) await this.#carry(place, record)
      })
    } catch (error) {
      this.#inUse.delete(place.path)
      throw error
    }
    return {
      path: place.path,
      cwd: join(place.path, prefix),
      notes: describeRepository(repository, carry),
      finish: () =>
        this.#turns
          .run(commonDir, () => this.#finish(place, record, call.label))
          .finally(() => this.#inUse.delete(place.path)),
    }
  }

  /** Runs the task once whatever else changes that repository has ended. */
  inTurn<Result>(commonDir: string, task: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(commonDir, task)
  }

  /** Those that are there although no agent works in them. */
  async left(): Promise<LeftWorktree[]> {
    const found = (await readRecords(this.#folder)).filter(({ path }) => !this.#inUse.has(path))
    const all = await Promise.all(
      found.map(async ({ path, record: { runId, agent, base } }): Promise<LeftWorktree[]> => {
        if (!(await isThere(path))) return []
        const reason = await describeRest(this.#git, path, base)
        return [{ path, runId, agent, reason }]
      }),
    )
    return all.flat()
  }

  /**
   * Removes what owners that are gone left unchanged, and tells of the rest. To be called while nobody else uses the folder.
   * Never rejects for what it finds.
   */
  async reconcile(): Promise<LeftWorktree[]> {
    const found = await readRecords(this.#folder)
    const left = await Promise.all(
      found.map(({ record, ...place }) => this.#turns.run(record.commonDir, () => this.#reconcileOne(place, record))),
    )
    return left.flat()
  }

  async #add(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
    await writeRecord(place, record)
    const reason = `Weft ${process.pid}, run ${record.runId}, agent ${record.agent}`
    const args = ['worktree', 'add', '--detach', '--lock', '--reason', reason, place.path, record.base]
    const added = await this.#git(record.top, args)
    if (added.code === 0) return
    await this.#remove(place, record)
    const message = `git could not make a worktree of ${record.top}: ${describeGit(added)}`
    throw new AgentsError('WORKTREE_REFUSED', message)
  }

  /** What it begins with is a commit of its own, which is the base then. */
  async #carry(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
    try {
      record.base = await carryChanges(this.#git, record.top, place.path)
      await writeRecord(place, record)
    } catch (error) {
      await this.#remove(place, record)
      const message = `what is not committed in ${record.top} could not be taken into a worktree: ${messageOf(error)}`
      throw new AgentsError('WORKTREE_REFUSED', message, { cause: error })
    }
  }

  async #finish(place: WorktreePlace, record: WorktreeRecord, label: string): Promise<WorktreeEnd> {
    if (!(await isThere(place.path))) {
      await this.#remove(place, record)
      return {}
    }
    const end = await keepChanges(this.#git, place.path, record, label)
    if (end.kept === undefined) await this.#remove(place, record)
    else await this.#git(record.top, ['worktree', 'unlock', place.path])
    return end
  }

  async #reconcileOne(place: WorktreePlace, record: WorktreeRecord): Promise<LeftWorktree[]> {
    const { path } = place
    const { runId, agent } = record
    try {
      const changed = (await isThere(path)) && (await hasChanges(this.#git, path, record.base))
      if (changed) return [{ path, runId, agent, reason: CHANGED }]
      await this.#remove(place, record)
      return []
    } catch (error) {
      return [{ path, runId, agent, reason: error instanceof Error ? error.message : String(error) }]
    }
  }

  /** Whoever calls this knows that nothing in it is worth keeping. */
  async #remove(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
    // Twice: it is locked, and a checkout with submodules is only removed by force.
    const removed = await this.#git(record.top, ['worktree', 'remove', '--force', '--force', place.path]).catch(
      () => undefined,
    )
    if (removed?.code !== 0) {
      await rm(place.path, { recursive: true, force: true })
      await this.#git(record.top, ['worktree', 'unlock', place.path]).catch(() => undefined)
      await this.#git(record.top, ['worktree', 'prune']).catch(() => undefined)
    }
    await removeRecord(place)
    await rmdir(dirname(place.path)).catch(() => undefined)
  }
}

function describeRepository({ top, uncommitted, hasSubmodules }: Repository, carry: boolean): Map<string, string> {
  const notes = new Map<string, string>()
  if (uncommitted > 0) {
    const files = uncommitted === 1 ? '1 file that is' : `${uncommitted} files that are`
    const told = carry ? 'begin with them' : 'see the last commit only'
    notes.set('worktree/uncommitted', `${top} has ${files} not committed: agents in worktrees ${told}`)
  }
  if (hasSubmodules)
    notes.set('worktree/submodules', `${top} has submodules: their folders are empty in an agent's worktree`)
  return notes
}

async function describeRest(git: Git, path: string, base: string): Promise<string> {
  const changed = await hasChanges(git, path, base).catch(() => undefined)
  if (changed === undefined) return "git can't tell what it holds"
  return changed ? CHANGED : 'it is unchanged: it goes when Weft starts next'
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
