// How text goes into the search index, and how a person's words become an FTS5 expression. Scripts without spaces between
// words (Chinese, Japanese, Thai, …) are indexed character by character, and a run of them is looked up as a phrase.

/** Of each text, this much is indexed (in UTF-16 units of its JSON). */
export const INDEXED_UNITS = 100_000

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu

/** Puts spaces around each character of a script that writes none. */
export function spaceOut(text: string): string {
  return text.replace(UNSPACED, ' $& ')
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([^u]))/g

/** The words of a JSON text, escapes undone; works on a text that is cut off. Not for parsing. */
export function jsonToWords(json: string): string {
  const quoted = json.startsWith('"')
  return json
    .slice(quoted ? 1 : 0, quoted && json.endsWith('"') ? -1 : undefined)
    .slice(0, INDEXED_UNITS)
    .replace(ESCAPE, (_match, hex: string | undefined, letter: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return letter === '"' || letter === '\\' || letter === '/' ? letter : ' '
    })
}

/** The words and "quoted phrases" that a person typed. */
export function splitQuery(text: string): { words: string; phrase: boolean }[] {
  // A NUL would end the expression in the middle.
  return [...text.replaceAll('\0', ' ').matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map((match) => ({ words: (match[1] ?? match[2] ?? '').trim(), phrase: match[1] !== undefined }))
    .filter(({ words }) => /[\p{L}\p{N}]/u.test(words))
}

/** Words shorter than this are not looked for as the beginning of longer ones: nearly every text has such a word. */
const PREFIX_UNITS = 3

/**
 * An FTS5 expression that wants all words and phrases of a query; undefined when there is nothing to look for.
 * A word for whose own expression `isOpen` answers true also stands for the longer ones that begin with it.
 */
export function toMatchExpression(text: string, isOpen: (expression: string) => boolean): string | undefined {
  const terms = splitQuery(text).map(({ words, phrase }) => {
    const exact = `"${spaceOut(words).trim()}"`
    return !phrase && words.length >= PREFIX_UNITS && isOpen(exact) ? `${exact} *` : exact
  })
  return terms.length > 0 ? terms.join(' AND ') : undefined
}
