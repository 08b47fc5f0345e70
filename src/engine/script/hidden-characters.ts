// Characters that make a script read otherwise than it runs: direction overrides, zero-width and control characters.
// Ordinary typography (dashes, arrows, box drawing, emoji and their joiners) is none of it.

import type { Finding } from './source-text.ts'

const NAMES: Readonly<Record<number, string>> = {
  0x00ad: 'soft hyphen',
  0x061c: 'Arabic letter mark',
  0x180e: 'Mongolian vowel separator',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2060: 'word joiner',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0xfeff: 'byte order mark',
}

// Tag characters spell out hidden text; in flags they follow U+1F3F4. Variation selectors above 16 serve no script text.
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what is looked for
  /\u{1F3F4}[\u{E0020}-\u{E007F}]+|[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]+/gu

const MAX_FINDINGS = 50

export function findHiddenCharacters(text: string): Finding[] {
  const findings: Finding[] = []
  for (const match of text.matchAll(HIDDEN)) {
    if (match[0].startsWith('\u{1F3F4}')) continue
    if (findings.length === MAX_FINDINGS) break
    const names = [...new Set(match[0])].slice(0, 3).map(describeCharacter)
    findings.push({
      severity: 'warning',
      code: 'lint/hidden-character',
      message: `a character that can't be seen: ${names.join(', ')}`,
      hint: 'write it as an escape if it is meant, or delete it',
      start: match.index,
      end: match.index + match[0].length,
      fix: { title: 'Delete it', start: match.index, end: match.index + match[0].length, text: '' },
    })
  }
  return findings
}

/** `U+200B (zero-width space)`. */
export function describeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const name = NAMES[point]
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return name === undefined ? code : `${code} (${name})`
}

/** True for characters that a message can't show as they are. */
export function isInvisible(character: string): boolean {
  return /^[\p{C}\p{Z}]$/u.test(character)
}
