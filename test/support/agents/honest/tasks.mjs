// Does what a prompt was understood to ask for, and gives facts (see answer.mjs). Nothing in a fact is made up: each comes
// from a file or from git, and a task that can't be done says so.

import { anglesIn, examine, suspect } from './rules.mjs'
import { addedLines } from './tools.mjs'
import { words } from './understand.mjs'

const MANY = 50

export async function perform(task, prompt, tools) {
  switch (task.kind) {
    case 'directives':
      return performDirectives(task.tasks, tools)
    case 'review':
      return review(task.args, prompt, tools)
    case 'verify':
      return verify(task, prompt, tools)
    case 'hunt':
      return hunt(task, prompt, tools)
    case 'git': {
      const lines = (await tools.git(task.args)).split('\n').filter((line) => line !== '')
      return { text: lines.join('\n'), strings: lines, count: lines.length }
    }
    case 'list': {
      const files = await tools.list(task.files)
      return { text: files.join('\n'), strings: files, count: files.length }
    }
    case 'count':
      return count(task, tools)
    case 'research':
      return research(task.question, tools)
    case 'compose':
      return { text: task.claims.map(({ claim, source }) => `- ${claim} [${source}]`).join('\n') }
    case 'items':
      return { text: task.items.join('\n'), strings: task.items }
    default:
      return describe(task.files, tools)
  }
}

// What a diff adds, line by line, against the rules: suspicions, as a quick reviewer has them.
async function review(args, prompt, tools) {
  return toFindings((await linesAddedBy(args, tools)).flatMap((line) => suspect(line, anglesIn(prompt))))
}

// Without context, so that only what the change itself brings is looked at.
async function linesAddedBy(args, tools) {
  const at = args.indexOf('--')
  const options = at === -1 ? args : args.slice(0, at)
  return addedLines(await tools.git([...options, '--unified=0', ...(at === -1 ? [] : args.slice(at))]))
}

async function hunt({ files, known }, prompt, tools) {
  const found = []
  for (const file of await tools.list(files)) {
    for (const [index, text] of (await tools.lines(file)).entries()) {
      if (!known.includes(`${file}:${index + 1}`))
        found.push(...suspect({ file, line: index + 1, text }, anglesIn(prompt)))
    }
  }
  return toFindings(found)
}

function toFindings(found) {
  const items = found.map((one) => ({
    ...one,
    text: `${one.file}:${one.line} ${one.problem}`,
    trigger: `Any use that reaches ${one.file}:${one.line}`,
  }))
  return { items, count: items.length, text: items.map((one) => one.text).join('\n') || 'No findings.' }
}

// Looks for itself: is the line there, does it say that, and is it a defect in its context?
async function verify({ file, line, quote, isCited, show, diff }, prompt, tools) {
  const lines = show ? await tools.linesOf(show) : await tools.lines(file)
  const verdict = (real, reason, missing = false) => ({
    real,
    reason,
    missing,
    severity: undefined,
    text: `${real ? 'Real' : 'Not real'}: ${reason}`,
  })
  if (lines.length === 0) return verdict(false, `There is no text file ${file} here.`, true)
  const text = lines[line - 1]
  if (text === undefined)
    return verdict(false, `${file} has ${lines.length} lines, none with the number ${line}.`, true)
  if (quote !== undefined && text.trim() !== quote.trim()) {
    return verdict(false, `Line ${line} of ${file} does not say what was quoted: it is "${text.trim()}".`, true)
  }
  if (isCited) return verdict(true, `Line ${line} of ${file} says so.`)
  if (diff && !(await linesAddedBy(diff, tools)).some((added) => added.file === file && added.line === line))
    return verdict(false, `The change does not touch line ${line} of ${file}.`)
  if (!/\.[cm]?[jt]sx?$|\.(py|java|go|rs|rb|php|cs|c|cpp|sh)$/.test(file))
    return verdict(false, `${file} is no code: what it says there does nothing.`)
  const { real, reason, severity } = examine(lines, line - 1, prompt)
  return { ...verdict(real, reason), severity }
}

async function count({ what, text, files }, tools) {
  const all = await tools.list(files)
  if (what === 'files') return numbered(all.length, `${all.length} files`)
  if (what === 'matches' && text !== undefined) {
    const hits = await tools.grep(new RegExp(escape(text)), all)
    const total = hits.reduce((sum, hit) => sum + hit.text.split(text).length - 1, 0)
    return { ...numbered(total, `"${text}" occurs ${total} times, in ${hits.length} lines`), items: hits.map(toItem) }
  }
  let total = 0
  for (const file of all) total += (await tools.lines(file)).length
  return numbered(total, `${total} lines in ${all.length} files`)
}

function numbered(number, text) {
  return { count: number, text }
}

const COMMON =
  /^(about|after|again|before|between|could|does|from|have|should|their|there|these|this|those|what|when|where|which|while|with|would|your)$/i

// Lines of the folder's own files that hold the question's rarer words; each becomes a claim that can be checked.
async function research(question, tools) {
  const wanted = [...new Set(question.match(/[\p{L}\d_-]{4,}/gu) ?? [])].filter((word) => !COMMON.test(word))
  if (wanted.length === 0) return { text: 'The question names nothing that could be searched for.', items: [] }
  const pattern = new RegExp(wanted.map(escape).join('|'), 'i')
  const hits = await tools.grep(pattern, await tools.list())
  const score = (hit) => wanted.filter((word) => hit.text.toLowerCase().includes(word.toLowerCase())).length
  const best = hits.sort((a, b) => score(b) - score(a)).slice(0, 5)
  return { text: best.map((hit) => toItem(hit).text).join('\n') || 'Nothing was found.', items: best.map(toItem) }
}

function toItem({ file, line, text }) {
  const quote = text.trim()
  return {
    file,
    line,
    quote,
    source: `${file}:${line}`,
    claim: `${file} says: ${quote}`,
    problem: `${file} says: ${quote}`,
    text: `${file}:${line}: ${quote}`,
  }
}

async function describe(files, tools) {
  const known = files.length === 0 ? [] : await tools.list(files)
  if (known.length === 0) {
    return {
      text: 'I am an agent of the test suite that reads files and git. I found nothing in this prompt that I can decide by that.',
    }
  }
  const facts = []
  for (const file of known.slice(0, MANY)) facts.push(`${file}: ${(await tools.lines(file)).length} lines`)
  return { text: facts.join('\n'), strings: facts, count: known.length }
}

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

// One directive a line; the facts of the last one answer, its text after the texts of those before it.
async function performDirectives(tasks, tools) {
  const texts = []
  let facts = { text: '' }
  for (const task of tasks) {
    const [, verb, rest = ''] = /^(\S+)\s*(.*)$/s.exec(task)
    facts = await performDirective(verb, rest, tools)
    texts.push(facts.text)
  }
  return { ...facts, text: texts.join('\n') }
}

async function performDirective(verb, rest, tools) {
  const args = words(rest)
  switch (verb) {
    case 'say':
      return { text: rest }
    case 'json':
      return { text: rest, json: JSON.parse(rest) }
    case 'list': {
      const files = await tools.list(args)
      return { text: files.join('\n'), strings: files, count: files.length }
    }
    case 'lines':
      return count({ what: 'lines', files: args }, tools)
    case 'count':
      return count({ what: 'matches', text: args[0], files: args.slice(1) }, tools)
    case 'grep': {
      const hits = (await tools.grep(new RegExp(args[0]), await tools.list(args.slice(1)))).map(toItem)
      return { text: hits.map((hit) => hit.text).join('\n'), items: hits, count: hits.length }
    }
    case 'read': {
      const [, file, from = '1', to] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(args[0])
      const lines = (await tools.lines(file)).slice(from - 1, to ?? (args[0].includes(':') ? from : undefined))
      return { text: lines.join('\n'), strings: lines, count: lines.length }
    }
    case 'git': {
      const lines = (await tools.git(args)).split('\n').filter((line) => line !== '')
      return { text: lines.join('\n'), strings: lines, count: lines.length }
    }
    case 'fail':
      throw new Error(rest)
    default:
      throw new Error(`unknown directive "${verb}"`)
  }
}
