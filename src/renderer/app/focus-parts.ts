// F6, as in other editors: from one part of the window to the next that can take the focus.

const PARTS = 'nav, [role="tablist"], .monaco-editor, [role="tree"], section[aria-label], footer'
const FOCUSABLE = 'button:not(:disabled):not([tabindex="-1"]), [tabindex="0"], textarea, input, select'

export function focusNextPart(): void {
  const parts = [...document.querySelectorAll<HTMLElement>(PARTS)].filter((part) => part.offsetParent !== null)
  const at = parts.reduce((last, part, index) => (part.contains(document.activeElement) ? index : last), -1)
  for (let step = 1; step <= parts.length; step++) {
    const part = parts[(at + step) % parts.length]
    const target = part?.matches(FOCUSABLE) ? part : part?.querySelector<HTMLElement>(FOCUSABLE)
    if (target) {
      target.focus()
      return
    }
  }
}
