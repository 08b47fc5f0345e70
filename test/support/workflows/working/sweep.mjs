// The part of migration-sweep's agents, for changes that read "rename `a` to `b`". Whoever changes a file is hasty and mends
// only the first place until a reviewer objects.

import { writeFileSync } from 'node:fs'
import { filesWith, git, jsonIn, readLines } from './tools.mjs'

export function sweep(prompt) {
  if (prompt.startsWith('List the files that these two commands print')) return listFiles(prompt)
  const [, from, to] = /<change>\n.*`(\w+)`.*`(\w+)`.*\n<\/change>/.exec(prompt) ?? []
  if (from === undefined) return undefined
  if (prompt.startsWith('Find every file')) {
    return { groups: filesWith(from).map((file) => ({ files: [file], note: `It has ${from}.` })) }
  }
  const name = new RegExp(`\\b${from}\\b`, 'g')
  if (prompt.startsWith('Make this change')) return change(prompt, name, to)
  return verify(JSON.parse(/make this change in (".*"):/.exec(prompt)[1]), name)
}

function listFiles(prompt) {
  const commands = [...prompt.matchAll(/^`git (.*)`$/gm)].map(([, words]) => words.split(' '))
  try {
    return { files: [...new Set(commands.flatMap((words) => git(...words)))], error: null }
  } catch (error) {
    return { files: [], error: error.stderr.trim() }
  }
}

function change(prompt, name, to) {
  const { files } = jsonIn(prompt)
  const isHasty = !prompt.includes('A reviewer refused it')
  for (const file of files) {
    const text = readLines(file).join('\n')
    if (text.startsWith('// generated')) return { done: false, note: `${file} is generated` }
    writeFileSync(file, text.replace(isHasty ? new RegExp(name.source) : name, to))
  }
  return { done: true, note: isHasty ? 'Replaced.' : 'Replaced everywhere.' }
}

function verify(file, name) {
  const left = readLines(file).flatMap((line, index) => (line.search(name) === -1 ? [] : [index + 1]))
  return left.length === 0
    ? { ok: true, reason: 'No place is left.' }
    : { ok: false, reason: `Lines ${left.join(', ')} still have it.` }
}
