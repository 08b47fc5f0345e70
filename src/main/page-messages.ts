// What a page may tell the app besides calling the host: each message with the schema it is judged by.

import { Ajv } from 'ajv'
import { Type, type Static } from 'typebox'
import { APP_ACTIONS, WINDOW_COMMANDS, type AppAction, type WindowCommand } from '../shared/index.ts'
import { isOwnPage, type CallSender } from './call-gate.ts'

const oneOf = <Word extends string>(words: readonly Word[]) => Type.Unsafe<Word>({ type: 'string', enum: [...words] })

export const pageMessages = {
  /** It listens for what was picked outside of it. */
  'weft:listening': Type.Null(),
  /** The commands that make sense now. */
  'weft:commands': Type.Array(oneOf<WindowCommand>(WINDOW_COMMANDS.map(({ id }) => id)), { uniqueItems: true }),
  'weft:pick-file': Type.Object(
    {
      purpose: oneOf(['open', 'save']),
      kind: oneOf(['workflow', 'run', 'report', 'json']),
      // A name, never a path: what lies around it is the user's choice alone.
      suggestedName: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, pattern: '^[^/\\\\\\u0000-\\u001f]+$' }),
      ),
    },
    { additionalProperties: false },
  ),
  'weft:act': oneOf<AppAction>(APP_ACTIONS),
} as const

export type PageMessages = { [Name in keyof typeof pageMessages]: Static<(typeof pageMessages)[Name]> }

// Our own schemas: to judge them too would only hold up the start.
const ajv = new Ajv({ strict: false, meta: false, validateSchema: false })
const checks = new Map(Object.entries(pageMessages).map(([name, schema]) => [name, ajv.compile(schema)]))

/** What arrived on `name`, if it is what that message may be. Throws what to tell the page. */
export function readMessage<Name extends keyof PageMessages>(
  name: Name,
  sender: CallSender,
  input: unknown,
): PageMessages[Name] {
  if (!isOwnPage(sender)) throw new Error(`${name}: only the window's own page may say this`)
  const check = checks.get(name)
  if (check?.(input) !== true)
    throw new Error(`${name}: this message is not understood: ${ajv.errorsText(check?.errors)}`)
  // The schema that was just checked also gives the type.
  return input as PageMessages[Name]
}
