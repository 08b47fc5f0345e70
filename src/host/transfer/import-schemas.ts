// The lines of a run file as schemas, and the check of one line: every violation in words.

import { Type } from 'typebox'
import type { JsonValue, RunEventType } from '../../shared/index.ts'
import { compileCheck } from '../lib/violations.ts'
import { Agent, eventSchema, Hash, Id, isEventType, Outcome, Usage } from './event-schemas.ts'

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const closed = { additionalProperties: false }

const SCHEMAS = {
  header: Type.Object({ format: Type.Literal('weft-run'), version: Type.Integer({ minimum: 1 }), runId: Id }, closed),
  script: Type.Object({ kind: Type.Literal('script'), fileName: Text, hash: Hash, text: Text }, closed),
  call: Type.Object(
    {
      kind: Type.Literal('call'),
      agent: Agent,
      path: Text,
      key: Text,
      prompt: Text,
      options: Type.Record(Type.String(), Type.Unknown()),
      startedSeq: Type.Integer({ minimum: 1 }),
    },
    closed,
  ),
  journal: Type.Object(
    {
      kind: Type.Literal('journal'),
      agent: Agent,
      path: Text,
      key: Text,
      outcome: Outcome,
      result: Type.Unknown(),
      usage: Type.Union([Usage, Type.Null()]),
      durationMs: Type.Number({ minimum: 0 }),
      startedSeq: Type.Integer({ minimum: 1 }),
      origin: Id,
      rejections: Type.Optional(Count),
      branch: Type.Optional(Text),
    },
    closed,
  ),
  result: Type.Object({ kind: Type.Literal('result'), value: Type.Unknown() }, closed),
  end: Type.Object({ kind: Type.Literal('end'), events: Count, calls: Count, journal: Count }, closed),
}

export type LineKind = keyof typeof SCHEMAS | 'event'

const checks = new Map<string, (value: unknown) => string[]>()

function checkOf(name: string, schema: () => object): (value: unknown) => string[] {
  let check = checks.get(name)
  if (check === undefined) checks.set(name, (check = compileCheck(schema(), 'the line')))
  return check
}

/** Of a line of that kind, other than an event. */
export function checkLine(kind: Exclude<LineKind, 'event'>, value: unknown): string[] {
  return checkOf(kind, () => SCHEMAS[kind])(value)
}

/** `event` is what stands in an event's line. */
export function checkEventShape(event: unknown): string[] {
  const type: unknown = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined
  if (!isEventType(type)) return [`event.type is no type of event: ${JSON.stringify(type) ?? 'missing'}`]
  return checkOf(`event ${type}`, () => eventSchema(type satisfies RunEventType))(event).map((text) => `event: ${text}`)
}

export function kindOf(value: JsonValue): LineKind | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (Object.hasOwn(value, 'format')) return 'header'
  const kind = value['kind']
  if (kind === 'event') return kind
  return Object.keys(SCHEMAS).find((known): known is keyof typeof SCHEMAS => known === kind)
}
