// What the honest agent can do in its folder: list, read and search files, and ask git. Nothing is ever changed.

import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const READING = new Set(['diff', 'log', 'show', 'status', 'ls-files', 'grep', 'rev-parse', 'blame', 'shortlog'])
// Options that write a file or start a program.
const UNSAFE = /^(--output|-O|--open-files-in-pager|--ext-diff|--textconv|--upload-pack|--exec)/
const SKIPPED = new Set(['.git', 'node_modules', 'out', 'dist'])

export class Tools {
  /** `onUse(tool, title)` is told of each use. */
  constructor(cwd, onUse) {
    this.cwd = cwd
    this.onUse = onUse
  }

  /** Output of a reading git command; throws with git's own words. `args` without `git`. */
  async git(args) {
    const [command, ...rest] = args
    if (!READING.has(command)) throw new Error(`git ${command} is not a reading command`)
    const unsafe = rest.find((argument) => UNSAFE.test(argument))
    if (unsafe) throw new Error(`the option ${unsafe} is not for reading`)
    this.onUse('git', args.join(' '))
    const safe = command === 'diff' || command === 'show' || command === 'log' ? ['--no-ext-diff', '--no-textconv'] : []
    const { stdout } = await run('git', ['--no-pager', '-c', 'core.quotePath=false', command, ...safe, ...rest], {
      cwd: this.cwd,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  }

  /** Text of a file in the folder, from HEAD when it is not there; undefined when there is none or it is binary. */
  async read(path) {
    if (!this.#isInside(path)) return undefined
    this.onUse('read', path)
    let text
    try {
      text = await readFile(join(this.cwd, path), 'utf8')
    } catch {
      text = await this.git(['show', `HEAD:${path}`]).catch(() => undefined)
    }
    return text?.includes('\0') ? undefined : text
  }

  /** Lines of a file, first is number 1 at index 0; empty when there is no such file. */
  async lines(path) {
    return toLines(await this.read(path))
  }

  /** The same of what a git command prints; empty when it fails. */
  async linesOf(args) {
    return toLines(await this.git(args).catch(() => undefined))
  }

  /** Files that fit any of the patterns (`*`, `**`, `?`; a folder stands for all in it), sorted; all without patterns. */
  async list(patterns = []) {
    const all = await this.git(['ls-files', '--cached', '--others', '--exclude-standard'])
      .then((text) => text.split('\n').filter(Boolean))
      .catch(() => this.#walk(''))
    const fits = patterns.map(toRegExp)
    return all.filter((path) => fits.length === 0 || fits.some((fit) => fit.test(path))).sort()
  }

  /** `{file, line, text}` of each line that matches. */
  async grep(pattern, files) {
    this.onUse('grep', String(pattern))
    const hits = []
    for (const file of files) {
      for (const [index, text] of (await this.lines(file)).entries()) {
        if (pattern.test(text)) hits.push({ file, line: index + 1, text })
      }
    }
    return hits
  }

  #isInside(path) {
    const way = relative(this.cwd, join(this.cwd, path))
    return !isAbsolute(path) && way !== '..' && !way.startsWith(`..${sep}`)
  }

  async #walk(folder) {
    const found = []
    for (const entry of await readdir(join(this.cwd, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) found.push(...(await this.#walk(path)))
      else if (entry.isFile()) found.push(path)
    }
    return found
  }
}

function toLines(text) {
  return text === undefined ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function toRegExp(glob) {
  const body = glob.replace(/^\.\//, '').replace(/\/$/, '')
  const source = body.replace(/\*\*\/|\*\*|[*?]|[.+^${}()|[\]\\]/g, (token) => {
    if (token === '**/') return '(?:.*/)?'
    if (token === '**') return '.*'
    if (token === '*') return '[^/]*'
    return token === '?' ? '[^/]' : `\\${token}`
  })
  return new RegExp(`^${source}(?:/.*)?$`)
}

/** Lines that a diff adds: `{file, line, text}` with numbers of the new file. */
export function addedLines(diff) {
  const added = []
  let file
  let line = 0
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)
    if (text.startsWith('+++ '))
      file = text === '+++ /dev/null' ? undefined : text.slice(4).replace(/^b\//, '').trimEnd()
    else if (hunk) line = Number(hunk[1])
    else if (file !== undefined && text.startsWith('+')) added.push({ file, line: line++, text: text.slice(1) })
    else if (text.startsWith(' ')) line++
  }
  return added
}
