// Strings that look like what a field's name promises, so that a dry run's result can be read.

import { pick, pickInteger, type Random } from '../random.ts'

const WORDS = [
  'cache', 'queue', 'parser', 'session', 'retry', 'header', 'index', 'buffer', 'worker', 'token', 'schema', 'router',
  'filter', 'cursor', 'signal', 'report', 'branch', 'module', 'config', 'record', 'client', 'server', 'thread', 'packet',
] as const // prettier-ignore
const VERBS = [
  'drops',
  'repeats',
  'hides',
  'keeps',
  'skips',
  'checks',
  'copies',
  'blocks',
  'orders',
  'renames',
] as const

/** Plausible text for a field called `name`; unconstrained by any schema. */
export function toFieldText(name: string, random: Random): string {
  const word = pick(random, WORDS)
  const number = pickInteger(random, 1, 99)
  const has = (pattern: RegExp): boolean => pattern.test(name)
  if (has(/^(file|path|filename|filepath|files|paths)$|(File|Path|_file|_path)s?$/))
    return `src/${word}/${word}-${number}.ts`
  if (has(/(url|uri|link|href)s?$/i)) return `https://example.com/${word}/${number}`
  if (has(/^(id|key|slug|ref)s?$|(Id|_id|Key|_key)s?$/)) return `${word}-${number}`
  if (has(/(name|title|label|topic|tag|category|kind|type)s?$/i)) return `${word} ${pick(random, WORDS)} ${number}`
  if (has(/(date|day)$/i)) return `2024-0${pickInteger(random, 1, 9)}-${pickInteger(random, 10, 28)}`
  if (has(/(code|quote|snippet|diff|patch)s?$/i)) return `${word}.${pick(random, VERBS)}(${number})`
  return `Simulated ${name === '' ? 'text' : name}: the ${word} ${pick(random, VERBS)} the ${pick(random, WORDS)} (${number}).`
}

/** `text` made to fit a length, in code points as JSON Schema counts them. */
export function fitLength(text: string, minLength: number, maxLength: number): string {
  const points = Array.from(text)
  if (points.length > maxLength) return points.slice(0, maxLength).join('')
  if (points.length >= minLength) return text
  const filler = ' and so on'
  return (
    text + filler.repeat(Math.ceil((minLength - points.length) / filler.length)).slice(0, minLength - points.length)
  )
}
