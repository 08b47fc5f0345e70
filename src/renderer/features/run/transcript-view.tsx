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
      return <ToolCall item={item} />
    case 'rejected':
      return <Rejected item={item} />
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

function ToolCall({ item }: { item: Extract<TranscriptItem, { kind: 'tool' }> }) {
  const line = (
    <>
      {item.status === 'running' ? <StatusIcon status="running" size={12} /> : <Wrench size={12} aria-hidden />}
      <span className={styles['toolName']}>{item.tool}</span>
      <span className={styles['toolTitle']}>{item.title}</span>
      {item.status === 'failed' && <span className={styles['error']}>failed</span>}
    </>
  )
  if (item.input === undefined && item.output === undefined) return <div className={styles['tool']}>{line}</div>
  return (
    <details>
      <summary className={styles['tool']}>{line}</summary>
      {item.input !== undefined && <Block title="Given" text={item.input} />}
      {item.output !== undefined && <Block title="Came back" text={item.output} />}
    </details>
  )
}

function Rejected({ item: { errors, answer } }: { item: Extract<TranscriptItem, { kind: 'rejected' }> }) {
  return (
    <details>
      <summary className={styles['rejected']}>
        Answer rejected: {errors.length === 1 ? errors[0] : `${errors.length} violations of the schema`}
      </summary>
      {errors.length > 1 && (
        <ul className={styles['violations']}>
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
      <Block title="The answer" text={answer} />
    </details>
  )
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <>
      <p className={styles['blockTitle']}>{title}</p>
      <pre className={styles['raw']} tabIndex={0} role="group" aria-label={title}>
        {text}
      </pre>
    </>
  )
}
