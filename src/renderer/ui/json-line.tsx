// One line of pretty-printed JSON with its parts coloured. Still nothing but text.

import styles from './json-line.module.css'

const PARTS = /("(?:[^"\\]|\\.)*"(?=:))|("(?:[^"\\]|\\.)*"?)|(-?\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b)/g

export function JsonLine({ text }: { text: string }) {
  const parts: React.ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(PARTS)) {
    const [part, key, string] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    const kind = key !== undefined ? 'key' : string !== undefined ? 'string' : 'literal'
    parts.push(
      <span key={match.index} className={styles[kind]}>
        {part}
      </span>,
    )
    end = match.index + part.length
  }
  parts.push(text.slice(end))
  return <>{parts}</>
}
