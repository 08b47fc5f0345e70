// What the working agent's roles share.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export const readLines = (file) => readFileSync(file, 'utf8').split('\n')

/** What a git command prints, by lines. Throws with git's own words. */
export function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\n')
    .filter((line) => line !== '')
}

/** The files with a word, as git finds them: tracked or not, ignored ones left out. */
export function filesWith(word) {
  try {
    return git('-c', 'core.quotePath=false', 'grep', '--untracked', '-lw', '-e', word)
  } catch {
    return []
  }
}

/** The JSON value that stands on lines of its own in a prompt. */
export function jsonIn(prompt, open = '{', close = '}') {
  const lines = prompt.split('\n')
  const from = lines.indexOf(open)
  return JSON.parse(lines.slice(from, lines.indexOf(close, from) + 1).join('\n'))
}
