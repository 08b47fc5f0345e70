// Turns a parser's complaint into what the author did: which string ended too early, which bracket was never closed,
// which line is TypeScript.

import { parseScript, type SyntaxFailure } from './parse.ts'
import { describeCharacter, isInvisible } from './hidden-characters.ts'
import { readOutline, type Outline } from './outline.ts'
import type { Finding, SourceText } from './source-text.ts'
import { stripTypes } from './strip-types.ts'

export function explainSyntaxError(source: SourceText, failure: SyntaxFailure, isTypeScript: boolean): Finding {
  if (failure.tooDeep) return tooDeep(source, failure.offset)
  const outline = readOutline(source, failure.offset)
  return (
    unfinishedText(source, failure, outline) ??
    earlyEnd(source, outline) ??
    mergeConflict(source, failure) ??
    (isTypeScript ? undefined : typeScriptInJavaScript(source, failure)) ??
    unclosedBracket(source, failure, outline) ??
    templateExpression(source, failure, outline) ??
    plainError(source, failure, outline)
  )
}

export function tooDeep(source: SourceText, offset: number): Finding {
  const start = Math.min(offset, source.text.length)
  return {
    severity: 'error',
    code: 'parse/too-deep',
    message: 'the script is nested too deep to be read',
    hint: 'build deep values in steps',
    start,
    end: Math.min(start + 1, source.text.length),
  }
}

function syntaxError(message: string, start: number, end: number, hint?: string): Finding {
  return { severity: 'error', code: 'parse/syntax', message, start, end, hint }
}

function earlyEnd(source: SourceText, outline: Outline): Finding | undefined {
  const early = outline.earlyEnd
  if (early === undefined) return undefined
  const what = early.kind === 'template' ? 'template literal' : 'string'
  const at = source.describe(early.opened)
  const name = early.quote === '`' ? 'backtick' : `quote ${early.quote}`
  const other = early.kind === 'template' ? '' : ', or put the text between backticks'
  return syntaxError(
    `this ${name} ends the ${what} that opened at ${at}, and more text follows`,
    early.closed,
    early.closed + 1,
    `if the ${name} belongs to the text, write it as \`\\${early.quote}\`${other}`,
  )
}

/** Strings, templates, comments and regular expressions without an end: shown where they begin. */
function unfinishedText(source: SourceText, failure: SyntaxFailure, outline: Outline): Finding | undefined {
  const { message, offset } = failure
  if (/Unterminated template/.test(message)) {
    if (outline.earlyEnd) return undefined
    const opening = outline.open.filter(({ text }) => text === '`').at(-1)
    const start = opening?.start ?? Math.max(0, offset - 1)
    return syntaxError(
      `the template literal that opened at ${source.describe(start)} is never closed`,
      start,
      start + 1,
      'close it with a backtick; a backtick inside it is written as `\\``',
    )
  }
  if (/Unterminated string/.test(message)) {
    if (outline.earlyEnd) return undefined
    return syntaxError(
      `the string that opened at ${source.describe(offset)} is not closed on its line`,
      offset,
      lineEnd(source, offset),
      'close it, or put text of several lines between backticks',
    )
  }
  if (/Unterminated comment/.test(message)) {
    return syntaxError('the comment is never closed', offset, offset + 2, 'close it with `*/`')
  }
  if (/Unterminated regular expression/.test(message)) {
    const start = source.text[offset] === '/' ? offset : Math.max(0, offset - 1)
    return syntaxError('the regular expression is never closed', start, lineEnd(source, start), 'close it with `/`')
  }
  return undefined
}

function mergeConflict(source: SourceText, { offset }: SyntaxFailure): Finding | undefined {
  const { line } = source.position(offset)
  const marker = /^(?:<{7}|={7}|>{7})/.exec(source.lineText(line))
  if (!marker) return undefined
  const start = source.lineStart(line)
  return syntaxError('a merge conflict was left in the file', start, start + 7, 'keep one side and delete the markers')
}

/** When the text parses as TypeScript, that is what it is. */
function typeScriptInJavaScript(source: SourceText, failure: SyntaxFailure): Finding | undefined {
  const stripped = stripTypes(source.text)
  if (!stripped.ok) return undefined
  const refused = stripped.refused[0]
  if (refused !== undefined) return refused
  if (stripped.text === source.text || !parseScript(stripped.text).ok) return undefined
  const { start, end } = wordAt(source, failure.offset)
  return syntaxError(
    'this is TypeScript, but the file is read as JavaScript',
    start,
    end,
    `rename the file to ${source.fileName.replace(/(?:\.[cm]?jsx?)?$/, '.ts')}, or drop the types`,
  )
}

function unclosedBracket(source: SourceText, failure: SyntaxFailure, outline: Outline): Finding | undefined {
  if (!/^Unexpected (?:token|end)/.test(failure.message)) return undefined
  const brackets = outline.open.filter(({ text }) => text !== '`')
  const innermost = brackets.at(-1)
  if (failure.offset >= source.text.trimEnd().length) {
    const opening = outline.misclosed ?? innermost
    if (opening === undefined) return undefined
    return syntaxError(
      `the \`${opening.text}\` that opened at ${source.describe(opening.start)} is never closed`,
      opening.start,
      opening.start + opening.text.length,
      'noticed at the end of the file',
    )
  }
  const offending = source.text[failure.offset] ?? ''
  if (!')]}'.includes(offending) || offending === '') return undefined
  if (innermost === undefined) {
    return syntaxError(`this \`${offending}\` closes nothing`, failure.offset, failure.offset + 1)
  }
  // A bracket of the right kind in the wrong place is the parser's to explain.
  if ('({['.indexOf(innermost.text) === ')}]'.indexOf(offending)) return undefined
  return syntaxError(
    `this \`${offending}\` does not close the \`${innermost.text}\` that opened at ${source.describe(innermost.start)}`,
    failure.offset,
    failure.offset + 1,
  )
}

function templateExpression(source: SourceText, failure: SyntaxFailure, outline: Outline): Finding | undefined {
  const innermost = outline.open.at(-1)
  if (innermost?.text !== '${') return undefined
  const template = outline.open.at(-2)
  const { start, end } = wordAt(source, failure.offset)
  const at = source.describe(template?.start ?? innermost.start)
  return syntaxError(
    `${describe(source, failure, outline)} in the \`\${…}\` at ${source.describe(innermost.start)} of the template literal that opened at ${at}`,
    start,
    end,
    'if `${` belongs to the text, write it as `\\${`',
  )
}

function plainError(source: SourceText, failure: SyntaxFailure, outline: Outline): Finding {
  const { start, end } = wordAt(source, failure.offset)
  return syntaxError(describe(source, failure, outline), start, end, hintFor(source, failure))
}

function describe(source: SourceText, failure: SyntaxFailure, outline: Outline): string {
  const { message, offset } = failure
  if (offset >= source.text.trimEnd().length && message.startsWith('Unexpected token'))
    return 'Unexpected end of the script'
  const character = characterAt(source, offset)
  if (message.startsWith('Unexpected character')) {
    return `Unexpected character ${isInvisible(character) ? describeCharacter(character) : `\`${character}\``}`
  }
  if (message !== 'Unexpected token') return message
  const token = outline.next
  const { start, end } = token?.start === offset ? token : wordAt(source, offset)
  const text = source.text.slice(start, Math.min(end, start + 40))
  return text.trim() === '' || /[\n\r]/.test(text) ? message : `Unexpected token \`${text}\``
}

function hintFor(source: SourceText, failure: SyntaxFailure): string | undefined {
  const character = characterAt(source, failure.offset)
  if (/[‘’‚‛“”„‟]/.test(character)) return 'use straight quotes: \' or "'
  if (character === '@') return 'decorators are not supported: call a function instead'
  if (character === '\u200B' || isInvisible(character)) return 'delete the character that can’t be seen'
  if (/'await' outside|keyword 'await'/.test(failure.message)) return 'mark the function around it `async`'
  if (/'import' and 'export' may only appear at the top level/.test(failure.message)) {
    return 'a script imports nothing, and exports `meta` alone'
  }
  return undefined
}

function characterAt(source: SourceText, offset: number): string {
  return String.fromCodePoint(source.text.codePointAt(offset) ?? 0x20)
}

/** The word at an offset, or the one character there; within the text even at its end. */
function wordAt(source: SourceText, offset: number): { start: number; end: number } {
  const start = Math.min(offset, source.text.length)
  const word = /^[\w$]+/.exec(source.text.slice(start, start + 100))?.[0].length ?? 1
  return { start, end: Math.min(start + Math.max(1, word), source.text.length) }
}

function lineEnd(source: SourceText, offset: number): number {
  const { line } = source.position(offset)
  return source.lineStart(line) + source.lineText(line).length
}
