// Places in runs where a text was found. A hit opens its run at the agent or the log line.

import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { RunPlace } from '../../state/runs/run-session.ts'
import type { RunHit } from '../../state/runs/run-finder.ts'
import { formatAgo } from '../../state/format.ts'
import { useApp } from '../../ui/app-context.tsx'
import nav from '../../ui/nav-list.module.css'
import styles from './run-filters.module.css'

const KINDS: Record<RunHit['kind'], string> = { prompt: 'prompt', result: 'answer', log: 'log', return: 'result' }

/** Characters in front of the first word that was found: two lines are shown, and it has to be in them. */
const MOST_BEFORE = 24

interface RunHitsProps {
  hits: readonly RunHit[]
  /** True when no list stands above: then its first entry takes the tab stop. */
  first: boolean
}

export function RunHits({ hits, first }: RunHitsProps) {
  const app = useApp()
  const text = useStore(app.finder.store, (state) => state.filter.text)
  if (hits.length === 0) return null
  return (
    <div>
      <h3 className={nav['section']}>Found in runs</h3>
      <ul>
        {hits.map((hit, index) => (
          <li key={`${hit.runId} ${hit.kind} ${hit.agent} ${hit.seq}`}>
            <button
              type="button"
              className={styles['hit']}
              tabIndex={first && index === 0 ? 0 : -1}
              title={hit.snippet}
              onClick={() => app.openRun(hit.row, placeOf(hit))}
            >
              <span className={styles['where']}>
                <span className={styles['whereName']}>
                  {hit.row.title ?? hit.row.workflow}, {KINDS[hit.kind]}
                </span>
                {formatAgo(hit.row.startedAt, app.clock.now())}
              </span>
              <span className={styles['snippet']}>{markWords(hit.snippet, text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function placeOf({ agent, seq }: RunHit): RunPlace | undefined {
  if (agent !== null) return { agent }
  return seq === null ? undefined : { seq }
}

/** The words that were looked for, marked wherever they stand. */
function markWords(snippet: string, text: string): ReactNode {
  const words = text
    .split(/[\s"]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return snippet
  // Every other part is one of the words.
  const [before = '', ...rest] = snippet.split(new RegExp(`(${words.join('|')})`, 'gi'))
  return [
    rest.length > 0 && before.length > MOST_BEFORE ? `…${before.slice(-MOST_BEFORE)}` : before,
    ...rest.map((part, index) => (index % 2 === 0 ? <mark key={index}>{part}</mark> : part)),
  ]
}
