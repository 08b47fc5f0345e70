// Makes an answer from a schema with json-schema-faker. Runs in the answer worker: a schema may ask for more than fits in
// memory, or hold a pattern that never ends.

import { generateSync, type GenerateOptions, type JsonSchema } from 'json-schema-faker'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { createRandom, type Random } from '../random.ts'
import { EXTRA_FORMATS } from './formats.ts'
import { normaliseSchema } from './normalise-schema.ts'
import { matchesPattern, toPatternText } from './pattern-text.ts'
import { fitLength, toFieldText } from './words.ts'

// The first candidates are embellished; then nothing is added to what the schema says; the last hold what is required only.
const PLAIN_FROM = 4
const REQUIRED_ONLY_FROM = 8

/**
 * The `candidate`-th answer for `schema` (from 0): the same for the same arguments. Most schemas accept the first; the caller
 * asks for the next where its validator refuses one. Throws where nothing can be generated.
 */
export function makeAnswer(schema: JsonObject | boolean, seed: number, candidate: number): JsonValue {
  const random = createRandom(seed + candidate)
  const telling = candidate < PLAIN_FROM
  const normalised = normaliseSchema(schema, { random, telling })
  const options: GenerateOptions = {
    seed: Math.floor(random() * 2 ** 31),
    maxDefaultItems: 3,
    optionalsProbability: candidate < REQUIRED_ONLY_FROM ? 0.8 : 0,
    useExamplesValue: telling,
    resolveJsonPath: false,
    formats: EXTRA_FORMATS,
    outputTransform: (value, node, path) => polish(value, node, path, random, telling),
  }
  const answer = generateSync(normalised, options)
  // Only JSON leaves: no undefined, no holes, no -0.
  return JSON.parse(JSON.stringify(answer ?? null)) as JsonValue
}

function polish(value: unknown, node: JsonSchema, path: string, random: Random, telling: boolean): unknown {
  if (!isJsonObject(node)) return value
  if (typeof value === 'string') return polishText(value, node, path, random, telling)
  if (typeof value === 'number') return polishNumber(value, node, telling)
  return value
}

const FIXED = ['enum', 'const', 'format', 'template', 'examples', 'contentEncoding', 'contentMediaType']

function polishText(value: string, node: JsonObject, path: string, random: Random, telling: boolean): string {
  const minLength = Number(node['minLength'] ?? 0)
  const maxLength = Number(node['maxLength'] ?? Infinity)
  const pattern = node['pattern']
  if (typeof pattern === 'string') {
    if (matchesPattern(value, pattern, minLength, maxLength)) return value
    return toPatternText(pattern, minLength, maxLength, random) ?? value
  }
  if (!telling || FIXED.some((name) => node[name] !== undefined)) return value
  return fitLength(toFieldText(toFieldName(path), random), minLength, maxLength)
}

// The last name on the way to the value: items of `/files/0` are called `files`.
function toFieldName(path: string): string {
  return (
    path
      .split('/')
      .filter((part) => part !== '' && !/^\d+$/.test(part))
      .at(-1) ?? ''
  )
}

function polishNumber(value: number, node: JsonObject, telling: boolean): number {
  if (node['enum'] !== undefined || node['const'] !== undefined) return value
  const step = node['multipleOf']
  if (typeof step === 'number' && step > 0) {
    // 29 * 0.01 is not 0.29: written with the step's own digits it is what was meant.
    return Number((Math.round(value / step) * step).toFixed(countDecimals(step)))
  }
  if (!telling || Number.isInteger(value)) return value
  const rounded = Math.round(value * 100) / 100
  return isWithin(rounded, node) ? rounded : value
}

function countDecimals(step: number): number {
  const [digits = '', exponent = '0'] = String(step).split('e')
  return Math.min(20, Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent)))
}

function isWithin(value: number, node: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node
  return (
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
  )
}
