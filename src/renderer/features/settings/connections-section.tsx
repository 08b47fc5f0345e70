// Who is connected to the tool server, and what each known harness needs in its configuration to be.

import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { ConnectedHarness, ConnectionFile, HarnessConnection } from '../../../shared/index.ts'
import { formatAgo } from '../../state/format.ts'
import { connectedAs, type ShownFile } from '../../state/connections/harness-connections.ts'
import { useApp, useTimeText } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import table from './found-agents.module.css'
import settings from './settings.module.css'
import styles from './connections-section.module.css'

const NOBODY: readonly ConnectedHarness[] = []
const STATE_WORDS: Record<ConnectionFile['state'], string> = {
  absent: 'not set up',
  connected: 'set up',
  changed: 'set up, but not as it would be now',
  unreadable: 'can’t be read',
}

export function ConnectionsSection() {
  const { connections, window } = useApp()
  const { harnesses, error } = useStore(connections.store)
  const connected = useStore(window, ({ host }) => host?.harnesses ?? NOBODY)
  useEffect(() => void connections.refresh(), [connections])
  // Those that are on this machine come first.
  const sorted = [...(harnesses ?? [])].sort((a, b) => Number(b.found) - Number(a.found))
  return (
    <section className={settings['section']} aria-label="Connections">
      <h3>Connections</h3>
      {connected.length === 0 ? (
        <p className={table['dim']}>No harness is connected. Set one up below, then start it.</p>
      ) : (
        <Connected harnesses={connected} />
      )}
      {error !== null && <p className={table['error']}>{error}</p>}
      {sorted.length > 0 && (
        <ul className={settings['backends']} aria-label="Harnesses">
          {sorted.map((harness) => (
            <KnownHarness key={harness.id} harness={harness} connected={connectedAs(harness, connected).length > 0} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Connected({ harnesses }: { harnesses: readonly ConnectedHarness[] }) {
  return (
    <table className={table['table']} aria-label="Connected harnesses">
      <thead>
        <tr>
          <th scope="col">Connected</th>
          <th scope="col">Version</th>
          <th scope="col">Since</th>
          <th scope="col">Calls</th>
          <th scope="col">Works in</th>
        </tr>
      </thead>
      <tbody>
        {harnesses.map(({ id, name, version, since, calls, workspace }) => (
          <tr key={id}>
            <th scope="row" className={styles['name']}>
              {name ?? 'has not said its name'}
            </th>
            <td className={styles['name']}>{version ?? '–'}</td>
            <td>
              <Since at={since} />
            </td>
            <td>{calls.toLocaleString('en-US')}</td>
            <td className={styles['name']}>{workspace}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Since({ at }: { at: number }) {
  return useTimeText(true, (now) => formatAgo(at, now))
}

function KnownHarness({ harness, connected }: { harness: HarnessConnection; connected: boolean }) {
  const { connections } = useApp()
  const shown = useStore(connections.store, (state) => (state.shown?.harness === harness.id ? state.shown : null))
  const awaited = useStore(connections.store, (state) => state.awaited.has(harness.id))
  const { title, program, found, files } = harness
  return (
    <li className={styles['harness']} aria-label={title}>
      <div className={styles['line']}>
        <span className={settings['backendName']}>{title}</span>
        {program === null ? (
          <span className={styles['absent']}>{found ? 'its settings are here' : 'not found on this machine'}</span>
        ) : (
          <span className={settings['backendDetail']} title={program}>
            {program}
          </span>
        )}
        <span role="status">
          {connected ? <Badge tone="running">Connected</Badge> : awaited && <Badge>Waiting for it…</Badge>}
        </span>
      </div>
      {files.map((file) => (
        <FileLine key={file.scope} harness={harness} file={file} shown={shown?.scope === file.scope ? shown : null} />
      ))}
    </li>
  )
}

interface FileLineProps {
  harness: HarnessConnection
  file: ConnectionFile
  shown: ShownFile | null
}

function FileLine({ harness: { id, title }, file: { scope, path, state, problem }, shown }: FileLineProps) {
  const { connections } = useApp()
  const whose = scope === 'user' ? 'for you' : 'for this folder'
  const open = (remove: boolean): void => {
    if (shown !== null && shown.remove === remove) connections.hide()
    else void connections.show(id, scope, remove)
  }
  return (
    <div className={styles['file']}>
      <div className={styles['line']}>
        <span className={styles['whose']}>{scope === 'user' ? 'For you' : 'For this folder'}</span>
        <code className={styles['path']} title={path}>
          {path}
        </code>
        <span className={table['dim']}>{STATE_WORDS[state]}</span>
        {(state === 'connected' || state === 'changed') && (
          <Button aria-label={`Remove from ${title} ${whose}`} onClick={() => open(true)}>
            Remove…
          </Button>
        )}
        {state !== 'unreadable' && (
          <Button
            aria-expanded={shown !== null && !shown.remove}
            aria-label={`${state === 'connected' ? 'Show' : 'Connect'} ${title} ${whose}`}
            onClick={() => open(false)}
          >
            {state === 'connected' ? 'Show' : 'Connect…'}
          </Button>
        )}
      </div>
      {problem !== null && <p className={table['error']}>{problem}</p>}
      {shown !== null && <Preview title={title} shown={shown} />}
    </div>
  )
}

function Preview({ title, shown }: { title: string; shown: ShownFile }) {
  const { connections } = useApp()
  const { preview, error, remove, harness } = shown
  if (error !== null) return <p className={table['error']}>{error}</p>
  if (preview === null) return <p className={table['dim']}>Looking…</p>
  const copied = (): string => {
    connections.await(harness)
    return preview.entry
  }
  return (
    <div className={styles['preview']} role="group" aria-label={`Configuration of ${title}`}>
      {!remove && (
        <div className={styles['entry']}>
          <pre tabIndex={0}>{preview.entry}</pre>
          <CopyButton label={`Copy the entry for ${title}`} read={copied} />
        </div>
      )}
      {preview.unchanged ? (
        <p className={table['dim']}>The file says so already.</p>
      ) : !preview.exists ? (
        <p className={table['dim']}>{preview.path} would be made with it.</p>
      ) : (
        <>
          <p className={table['dim']}>{`Changes in ${preview.path}, from line ${preview.line}:`}</p>
          <pre className={styles['changes']} tabIndex={0} aria-label="Changes">
            {preview.removed.map((text, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity
              <span key={`-${index}`} className={styles['removed']}>{`- ${text}\n`}</span>
            ))}
            {preview.added.map((text, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above
              <span key={`+${index}`} className={styles['added']}>{`+ ${text}\n`}</span>
            ))}
          </pre>
        </>
      )}
      {preview.notes.map((note) => (
        <p key={note} className={table['dim']}>
          {note}
        </p>
      ))}
      <div className={settings['formFoot']}>
        <Button onClick={() => connections.hide()}>Close</Button>
        {!preview.unchanged && (
          <Button look={remove ? 'danger' : 'primary'} onClick={() => void connections.write()}>
            {remove ? 'Remove from the file' : 'Write to the file'}
          </Button>
        )}
      </div>
    </div>
  )
}
