// The first line of a connection to the local socket: the token, and who wants in by which door.

import { Type, type Static } from 'typebox'
import { compileCheck } from '../lib/violations.ts'

const ApiLine = Type.Object(
  {
    token: Type.String(),
    door: Type.Literal('api'),
    client: Type.Object(
      {
        // Whoever has the token is the user; a harness comes by the tool server's door, a page by the browser's.
        kind: Type.Union([Type.Literal('cli'), Type.Literal('window'), Type.Literal('test')]),
        name: Type.Optional(Type.String({ maxLength: 100 })),
        workspace: Type.String({ minLength: 1 }),
        open: Type.Optional(Type.String({ minLength: 1 })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type ApiLine = Static<typeof ApiLine>

const ToolLine = Type.Object(
  {
    token: Type.String(),
    door: Type.Literal('mcp'),
    client: Type.Object(
      {
        workspace: Type.String({ minLength: 1 }),
        session: Type.Optional(Type.String({ minLength: 16, maxLength: 100 })),
        depth: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

/** A client of that version asks an older host to give way. */
const RetireLine = Type.Object(
  { token: Type.String(), door: Type.Literal('retire'), version: Type.String({ maxLength: 50 }) },
  { additionalProperties: false },
)

export type FirstLine = ApiLine | Static<typeof ToolLine> | Static<typeof RetireLine>

const checkApi = compileCheck(ApiLine, 'the first line')
const checkTools = compileCheck(ToolLine, 'the first line')
const checkRetire = compileCheck(RetireLine, 'the first line')

/** The line as data, or what is wrong with it. */
export function readFirstLine(text: string): FirstLine | string {
  try {
    const value: unknown = JSON.parse(text)
    const door = typeof value === 'object' && value !== null && 'door' in value ? value.door : undefined
    const check = door === 'mcp' ? checkTools : door === 'retire' ? checkRetire : checkApi
    const violations = check(value)
    // The check has just made sure of the shape.
    return violations.length === 0 ? (value as FirstLine) : violations.join('; ')
  } catch {
    return 'the first line is not JSON'
  }
}
