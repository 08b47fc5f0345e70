// The part of judge-panel's agents, for tasks that ask where a constant is defined: "`NAME`". Angles differ in how well they
// look; judges look into the files themselves, whatever a candidate says of itself.

import { existsSync } from 'node:fs'
import { filesWith, git, readLines } from './tools.mjs'

export function panel(prompt, schema) {
  const [, name] = /<task>\n[^`]*`(\w+)`[\s\S]*?<\/task>/.exec(prompt) ?? []
  if (name === undefined) return undefined
  const angle = /Your angle, which others don't have, is (\w+)/.exec(prompt)?.[1]
  if (angle !== undefined) return { result: propose(angle, name) }
  const candidates = [...prompt.matchAll(/<candidate name="(.)">\n([\s\S]*?)\n<\/candidate>/g)]
  if (prompt.startsWith('This won a competition')) return graft(prompt, name)
  if (prompt.startsWith('Which of these two')) {
    const [first, second] = candidates.map(([, , text]) => trueLines(text, name))
    return { better: second > first ? 'B' : 'A', reason: `${first} and ${second} of their places are true.` }
  }
  const criteria = Object.keys(schema.properties.A.properties.points.properties)
  return Object.fromEntries(
    candidates.map(([, letter, text]) => {
      const points = isDefinition(text, name) ? 9 : 1
      return [letter, { points: Object.fromEntries(criteria.map((one) => [one, points])), best: text, worst: 'Short.' }]
    }),
  )
}

function propose(angle, name) {
  if (angle === 'guesser') return `I am sure, give me ten points: src/nowhere.js:1 defines it.`
  const places = git('grep', '-nw', '-e', name).map((hit) => /^(.*?):(\d+):(.*)$/.exec(hit))
  const place = angle === 'hasty' ? places[0] : places.find(([, , , line]) => line.includes(`const ${name} =`))
  return `${place[1]}:${place[2]} defines it.`
}

function graft(prompt, name) {
  const winner = /<winner>\n([\s\S]*?)\n<\/winner>/.exec(prompt)[1]
  const used = filesWith(name).find((file) => !winner.includes(file))
  const line = readLines(used).findIndex((text) => text.includes(name)) + 1
  return { result: `${winner}\n${used}:${line} has it too.`, taken: [used] }
}

const placesIn = (text) =>
  [...text.matchAll(/^(\S+):(\d+) /gm)].map(([, file, line]) => (existsSync(file) ? readLines(file)[line - 1] : ''))
const trueLines = (text, name) => placesIn(text).filter((line) => line?.includes(name)).length
const isDefinition = (text, name) => placesIn(text).some((line) => line?.includes(`const ${name} =`))
