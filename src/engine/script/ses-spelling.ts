// SES refuses source text that looks like an import call, a direct eval or an HTML comment, even inside a string.
// These are other spellings of the same strings and names, which it takes. (The patterns are those of ses/src/transforms.js.)

const SUSPICIOUS = /import|eval|<!--|-->|\u2028|\u2029/

/** A cheap first look: text without any of these needs no rewriting. */
export function mayOffend(text: string): boolean {
  return SUSPICIOUS.test(text)
}

/** The raw text of a string or template literal, spelled so that SES takes it and V8 counts no line that an editor doesn't. */
export function respellLiteral(raw: string): string {
  return raw
    .replace(/\bimport(?=\s*[(/])/g, 'im\\u0070ort')
    .replace(/\beval(?=\s*\()/g, 'ev\\u0061l')
    .replace(/<!--/g, '<\\x21--')
    .replace(/-->/g, '--\\x3e')
    .replace(/\\[^]|[\u2028\u2029]/g, respellSeparator)
}

/** A line separator becomes its escape; one after a backslash continues the line and means nothing. */
function respellSeparator(text: string): string {
  if (text === '\u2028') return '\\u2028'
  if (text === '\u2029') return '\\u2029'
  return text === '\\\u2028' || text === '\\\u2029' ? '' : text
}

/** An identifier or private name that ends in `import` or `eval`; undefined when it need not change. */
export function respellName(raw: string): string | undefined {
  const respelled = raw.replace(/(^|[^\w\\])(?:import|eval)$/, (match) =>
    match.endsWith('import') ? `${match.slice(0, -6)}im\\u0070ort` : `${match.slice(0, -4)}ev\\u0061l`,
  )
  return respelled === raw ? undefined : respelled
}

/** A string as a literal in double quotes that SES takes and that stays on one line. */
export function toLiteral(text: string): string {
  // JSON's escapes are JavaScript's, lone surrogates included.
  return respellLiteral(JSON.stringify(text))
}
