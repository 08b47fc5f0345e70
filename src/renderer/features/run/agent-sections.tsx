// Building blocks of the Agent region: a list of facts, and a text with a button that copies it.

import { useMemo } from 'react'
import type { JsonValue } from '../../../shared/index.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonViewer } from '../../ui/json-viewer.tsx'
import styles from './agent-panel.module.css'

/** Facts without a value are left out. */
export function Facts({ rows }: { rows: [string, string | undefined][] }) {
  return (
    <dl className={styles['facts']}>
      {rows.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd title={value}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface TextSectionProps {
  title: string
  text: string
  /** Only the beginning is at hand. */
  cut?: boolean
}

export function TextSection({ title, text, cut = false }: TextSectionProps) {
  return (
    <div className={styles['section']}>
      <h3>
        {title}
        {cut && <span className={styles['dim']}> (beginning)</span>}
        <CopyButton label={`Copy ${title.toLowerCase()}`} read={() => text} />
      </h3>
      <pre className={styles['text']} tabIndex={0} role="group" aria-label={title}>
        {text}
      </pre>
    </div>
  )
}

/** Small values are easier to read as text, the others as a tree with a search. */
const SMALL = 400

export function JsonSection({ title, value }: { title: string; value: JsonValue }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  if (text.length <= SMALL) return <TextSection title={title} text={text} />
  return (
    <div className={styles['section']}>
      <h3>
        {title}
        <CopyButton label={`Copy ${title.toLowerCase()}`} read={() => text} />
      </h3>
      <div className={styles['json']}>
        <JsonViewer
          json={text}
          label={`Agent ${title.toLowerCase()}`}
          renderHead={(tools) => <div className={styles['jsonHead']}>{tools}</div>}
        />
      </div>
    </div>
  )
}
