// Building blocks of the Agent region: a list of facts, and a text with a button that copies it.

import { CopyButton } from '../../ui/copy-button.tsx'
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
