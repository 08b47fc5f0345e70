// Checks that what the documents name is there: paths, links, npm scripts, weft commands, bundled workflows.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runScript } from './lib/problem.mjs'
import { inRoot, projectNode, root } from './lib/project.mjs'

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs']
const TOP = readdirSync(root).filter((name) => !['node_modules', 'out', '.git'].includes(name))
/** Stand-ins in rules such as "`test/x/y.test.ts` belongs to `src/x/y.ts`", and anything with a gap in it. */
const PLACEHOLDER = /(^|\/)[xy](\/|\.|$)|[<>…{}$]|NNNN/

/**
 * @param {string} path file or folder
 * @returns {string[]}
 */
function documentsIn(path) {
  if (!existsSync(inRoot(path))) return []
  if (path.endsWith('.md')) return [path]
  return readdirSync(inRoot(path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(path, name))
}

/** @param {string} document */
function checkDocument(document) {
  const text = readFileSync(inRoot(document), 'utf8')
  const code = [...text.matchAll(/```(?:sh|bash|console)\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  const inline = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] ?? '')
  const commands = [...code.flatMap((block) => block.split('\n')), ...inline]
  // A guide's examples are about files of the reader.
  const isGuide = document.startsWith(join('docs', 'guide'))
  const paths = isGuide ? [] : inline.filter((token) => isPath(token) && !pathExists(token))
  return [
    ...links.filter((link) => !existsSync(inRoot(dirname(document), link))).map((link) => `link to ${link}`),
    ...paths.map((token) => `path ${token}`),
    ...commands.flatMap((line) => checkCommand(line, isGuide)),
  ].map((problem) => `${document}: ${problem} leads nowhere`)
}

/**
 * A path of this repository: begins with one of its top names and has at least one more part.
 *
 * @param {string} token
 */
function isPath(token) {
  return (
    /^[\w.@*/-]+$/.test(token) &&
    token.includes('/') &&
    TOP.includes(token.split('/')[0] ?? '') &&
    !PLACEHOLDER.test(token)
  )
}

/** @param {string} path may hold `*` for a part of a name */
function pathExists(path) {
  if (!path.includes('*')) return existsSync(inRoot(path))
  const pattern = new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll('**', '.+')
      .replaceAll(/(?<!\.)\*/g, '[^/]+')}$`,
  )
  const folder = path.slice(0, path.indexOf('*')).replace(/[^/]*$/, '')
  return (
    existsSync(inRoot(folder)) &&
    readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' }).some((name) => pattern.test(join(folder, name)))
  )
}

/**
 * @param {string} line
 * @param {boolean} isGuide
 * @returns {string[]}
 */
function checkCommand(line, isGuide) {
  if (line.includes('…')) return []
  const words = line
    .replace(/\s#.*$/, '')
    .trim()
    .split(/\s+/)
  const [program, first = '', second = ''] = words
  if (program === 'npm' && first === 'run') return second in scripts() ? [] : [`npm script ${second}`]
  if (program === 'npm' && ['start', 'test'].includes(first)) return first in scripts() ? [] : [`npm script ${first}`]
  if (program === 'npx' && first !== 'weft') {
    return existsSync(inRoot('node_modules', '.bin', first)) ? [] : [`command ${first} (npx)`]
  }
  if (program === 'npx') return checkWeft(words.slice(2), isGuide)
  if (program === 'weft') return checkWeft(words.slice(1), isGuide)
  return []
}

/**
 * @param {string[]} words after `weft`
 * @param {boolean} isGuide
 */
function checkWeft([command, argument], isGuide) {
  if (command === undefined || !/^[a-z]/.test(command)) return []
  const problems = weftCommands().has(command) ? [] : [`command weft ${command}`]
  const namesWorkflow =
    !isGuide && ['run', 'dry-run', 'validate'].includes(command) && /^[a-z][\w-]*$/.test(argument ?? '')
  if (namesWorkflow && !existsSync(inRoot('workflows', `${argument}.js`))) problems.push(`workflow ${argument}`)
  return problems
}

/** @type {Record<string, string> | undefined} */
let knownScripts
function scripts() {
  knownScripts ??= /** @type {{ scripts: Record<string, string> }} */ (
    JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  ).scripts
  return knownScripts
}

/** @type {Set<string> | undefined} */
let knownCommands
/** What the built command line lists in its help. */
function weftCommands() {
  if (knownCommands === undefined) {
    const help = execFileSync(projectNode(), [inRoot('bin', 'weft.mjs'), '--help'], { encoding: 'utf8' })
    const list = help.slice(help.indexOf('Commands:'))
    knownCommands = new Set([...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map((match) => match[1] ?? ''))
  }
  return knownCommands
}

await runScript(async () => {
  const problems = DOCUMENTS.flatMap((name) => documentsIn(name)).flatMap(checkDocument)
  for (const problem of problems) console.log(problem)
  console.log(
    problems.length === 0 ? 'Everything that the documents name is there.' : `${problems.length} wrong names.`,
  )
  return problems.length === 0 ? 0 : 1
})
