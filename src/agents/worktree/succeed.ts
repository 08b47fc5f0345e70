// What git printed, or why it could not.

import { AgentsError } from '../errors.ts'
import { describeGit, type GitResult } from './git.ts'

/** Throws AgentsError `WORKTREE_FAILED`, naming the folder. */
export function succeed(folder: string, answer: GitResult): string {
  if (answer.code !== 0) throw new AgentsError('WORKTREE_FAILED', `${folder}: ${describeGit(answer)}`)
  return answer.stdout
}
