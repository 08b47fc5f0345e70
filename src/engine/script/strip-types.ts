// TypeScript to JavaScript by blanking: types become spaces, so that no line and no column moves.
// What can't be blanked (enums, namespaces, parameter properties, decorators) is refused by name.

import { parse } from '@babel/parser'
import { toFailure, type SyntaxFailure } from './parse.ts'
import type { Finding } from './source-text.ts'
import { TypeEraser } from './type-eraser.ts'

export type StripOutcome = { ok: true; text: string; refused: Finding[] } | { ok: false; failure: SyntaxFailure }

/** `text` has the length and the line ends of the source. With `refused` findings it is not to be run. */
export function stripTypes(source: string): StripOutcome {
  try {
    const file = parse(source, {
      sourceType: 'module',
      plugins: ['typescript', 'decorators', 'decoratorAutoAccessors'],
      allowReturnOutsideFunction: true,
      createParenthesizedExpressions: true,
      tokens: true,
      // Complaints that need more than grammar are acorn's to make, about what is left.
      errorRecovery: true,
    })
    const eraser = new TypeEraser(source, file.tokens ?? [])
    eraser.visit(file.program)
    return { ok: true, text: eraser.text(), refused: eraser.refused }
  } catch (error) {
    return { ok: false, failure: toFailure(error) }
  }
}
