// The line at the bottom: is the host there, what is going on, what has it cost; and the theme.

import { Monitor, Moon, Sun } from 'lucide-react'
import { useStore } from 'zustand'
import { plural } from '../../../shared/index.ts'
import type { ConnectionStatus } from '../../state/client/connection.ts'
import { formatCount } from '../../state/format.ts'
import { sumLive } from '../../state/runs/run-list.ts'
import { useApp } from '../../ui/app-context.tsx'
import { cx } from '../../ui/cx.ts'
import styles from './status-bar.module.css'

const CONNECTION_WORDS: Record<ConnectionStatus, string> = {
  connecting: 'Connecting to the host…',
  connected: 'Host ready',
  reconnecting: 'Host lost, reconnecting…',
  closed: 'Disconnected',
}

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }
const THEME_WORDS = { system: 'System', light: 'Light', dark: 'Dark' }

export function StatusBar() {
  const app = useApp()
  const { connection, host } = useStore(app.window)
  const rows = useStore(app.runs.store, (runs) => runs.rows)
  const choice = useStore(app.theme.store, (theme) => theme.choice)
  const waiting = useStore(app.approvals.store, ({ pending }) => pending.length)
  const harnesses = host?.harnesses ?? []
  const live = sumLive(rows)
  const ThemeIcon = THEME_ICONS[choice]
  return (
    <footer className={styles['bar']} role="contentinfo" aria-label="Status bar">
      <span
        className={styles['item']}
        title={host === null ? '' : `Version ${host.version}, process ${host.pid}\n${host.dataDir}`}
      >
        <span
          className={cx(styles['dot'], connection === 'connected' ? styles['ready'] : styles['lost'])}
          aria-hidden
        />
        {CONNECTION_WORDS[connection]}
      </span>
      <span className={styles['item']}>{plural(host?.liveRuns ?? live.runs, 'live run')}</span>
      <span className={styles['item']}>{plural(host?.runningAgents ?? 0, 'running agent')}</span>
      <span
        className={styles['item']}
        title={`${live.outputTokens.toLocaleString('en-US')} output tokens of live runs`}
      >
        {formatCount(live.outputTokens)} tokens
      </span>
      {harnesses.length > 0 && (
        <button
          type="button"
          className={styles['button']}
          title={harnesses.map(({ name }) => name ?? 'a harness').join('\n')}
          onClick={() => app.openSettings()}
        >
          {harnesses.length === 1 ? '1 harness' : `${harnesses.length} harnesses`}
        </button>
      )}
      {waiting > 0 && (
        <button
          type="button"
          className={styles['button']}
          title="Harnesses wait for your leave"
          onClick={() => app.approvals.show()}
        >
          {waiting} to approve
        </button>
      )}
      <span className={cx(styles['item'], styles['end'])} title={app.workspace}>
        {folderName(app.workspace)}
      </span>
      <button
        type="button"
        className={styles['button']}
        aria-label={`Theme: ${THEME_WORDS[choice]}`}
        title="Switch between the system's theme, light and dark"
        onClick={() => app.theme.cycle()}
      >
        <ThemeIcon size={12} aria-hidden />
        {THEME_WORDS[choice]}
      </button>
    </footer>
  )
}

function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}
