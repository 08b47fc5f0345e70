// Settings: a form for all that is known, and the file itself as JSON.

import { Braces, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { BackendsSection } from './backends-section.tsx'
import { ConnectionsSection } from './connections-section.tsx'
import { SettingsInput } from './settings-input.tsx'
import { SettingsJson } from './settings-json.tsx'
import { SETTINGS_SECTIONS } from '../../state/settings/settings-fields.ts'
import styles from './settings.module.css'

export function SettingsTab() {
  const { settings } = useApp()
  const state = useStore(settings.store)
  const [asJson, setAsJson] = useState(false)
  useEffect(() => void settings.refresh(), [settings])

  if (state.load === 'loading') return null
  if (state.load !== 'ready') return <EmptyState title="The settings can't be read">{state.load.failed}</EmptyState>
  const isBroken = state.errors.length > 0
  return (
    <div className={styles['tab']}>
      <header className={styles['head']}>
        <h2 className={styles['name']}>Settings</h2>
        <span className={styles['path']} title={state.path}>
          {state.path}
        </span>
        <Button
          icon={asJson ? <SlidersHorizontal size={14} aria-hidden /> : <Braces size={14} aria-hidden />}
          onClick={() => setAsJson(!asJson)}
        >
          {asJson ? 'Show the form' : 'Edit as JSON'}
        </Button>
      </header>
      {isBroken && (
        <div className={styles['broken']} role="alert">
          <p>The settings file can’t be used, so defaults apply. Put it right as JSON:</p>
          <ul>
            {state.errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </div>
      )}
      {asJson || isBroken ? (
        <SettingsJson key={state.text} text={state.text} />
      ) : (
        <div className={styles['scroller']} tabIndex={0} role="group" aria-label="Settings form">
          <div className={styles['form']}>
            <AppearanceSection />
            <BackendsSection />
            <ConnectionsSection />
            {SETTINGS_SECTIONS.map(({ title, fields }) => (
              <section key={title} className={styles['section']} aria-label={title}>
                <h3>{title}</h3>
                {fields.map((known) => (
                  <SettingsInput key={known.path.join('.')} known={known} />
                ))}
              </section>
            ))}
            {state.warnings.length > 0 && (
              <section className={styles['section']} aria-label="Not known here">
                <h3>Not known to this version</h3>
                <ul className={styles['warnings']}>
                  {state.warnings.map((warning) => (
                    <li key={warning}>{warning}</li>
                  ))}
                </ul>
                <p className={styles['hint']}>They stay in the file as they are.</p>
              </section>
            )}
          </div>
        </div>
      )}
    </div>
  )
}
