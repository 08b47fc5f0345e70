// Text of scripts and agents as inert HTML: whatever it holds, it is shown and never obeyed.

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For text and for attributes in quotes. Controls that HTML has no form for are shown as their pictures (␀, ␛, …). */
export function escapeHtml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => NAMED[character] ?? character)
      // oxlint-disable-next-line no-control-regex -- control characters are exactly what is replaced
      .replace(/[\u0000-\u0008\u000b-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
      .replace(/[\u007f-\u009f]/g, '\uFFFD')
      .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
  )
}

/** Text as it is written, in a block of its own; each side is laid out in its own direction. */
export function preformatted(text: string): string {
  return `<pre dir="auto">${escapeHtml(text)}</pre>`
}

/** A value as text: a string as it is, anything else as indented JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined')
}
