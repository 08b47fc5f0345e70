// What an agent did while it worked, as it comes.

import { Wrench } from 'lucide-react'
import type { Transcript, TranscriptItem } from '../../state/runs/transcript.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import styles from './agent-panel.module.css'

export function TranscriptView({ transcript, running }: { transcript: Transcript; running: boolean }) {
  return (
    <div className={styles['section']}>
      <h3>{running ? 'Working on it' : 'How it went'}</h3>
      {transcript.dropped > 0 && (
        <p className={styles['dim']}>{transcript.dropped.toLocaleString('en-US')} earlier entries are not shown.</p>
      )}
      <ol className={styles['transcript']}>
        {transcript.items.map((item, index) => (
          // Items are only ever added at the end or changed in their place.
          <li key={transcript.dropped + index}>
            <Item item={item} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Item({ item }: { item: TranscriptItem }) {
  switch (item.kind) {
    case 'text':
      return (
        <p className={styles['said']}>
          {item.cut && '… '}
          {item.text}
        </p>
      )
    case 'tool':
      return (
        <div className={styles['tool']}>
          {item.status === 'running' ? <StatusIcon status="running" size={12} /> : <Wrench size={12} aria-hidden />}
          <span className={styles['toolName']}>{item.tool}</span>
          <span title={item.output}>{item.title}</span>
          {item.status === 'failed' && <span className={styles['error']}>failed</span>}
        </div>
      )
    case 'rejected':
      return <p className={styles['error']}>Answer rejected: {item.errors.join('; ')}</p>
    case 'attempt':
      return (
        <p className={styles['error']}>
          Attempt {item.attempt} failed ({item.failure}): {item.error}
        </p>
      )
    case 'raw':
      return <pre className={styles['raw']}>{item.text}</pre>
  }
}
