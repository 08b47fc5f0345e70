// The back ends that runs can take: added, changed, removed, one of them the default. What a later version knows of one is
// kept as it stands.

import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { violationsOf, withValue } from '../../state/settings/settings-fields.ts'
import { valueText } from '../../state/value-text.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import { FoundAgents } from './found-agents.tsx'
import { BackendForm } from './backend-form.tsx'
import styles from './settings.module.css'

const BUILT_IN = 'simulated'

export function BackendsSection() {
  const { settings } = useApp()
  const { settings: all, violations } = useStore(settings.store)
  const [editing, setEditing] = useState<string | null>(null)
  const configured = isJsonObject(all['backends']) ? all['backends'] : {}
  const ids = [...new Set([...Object.keys(configured), BUILT_IN])]
  const chosen = typeof all['defaultBackend'] === 'string' ? all['defaultBackend'] : ''

  const remove = (id: string): void => {
    const without = withValue(all, ['backends', id], undefined)
    void settings.write(chosen === id ? withValue(without, ['defaultBackend'], undefined) : without)
  }
  const keep = async (before: string, id: string, backend: JsonObject): Promise<void> => {
    let next = before === '' || before === id ? all : withValue(all, ['backends', before], undefined)
    next = withValue(next, ['backends', id], backend)
    if (before !== '' && chosen === before) next = withValue(next, ['defaultBackend'], id)
    if (await settings.write(next)) setEditing(null)
  }

  return (
    <section className={styles['section']} aria-label="Back ends">
      <h3>Back ends</h3>
      <ul className={styles['backends']}>
        {ids.map((id) => (
          <li key={id}>
            {editing === id ? (
              <BackendForm
                id={id}
                backend={configured[id]}
                taken={ids}
                violations={violations}
                onCancel={() => setEditing(null)}
                onKeep={(next, backend) => void keep(id, next, backend)}
              />
            ) : (
              <div className={styles['backend']}>
                <span className={styles['backendName']}>{id}</span>
                <span className={styles['backendDetail']}>{describe(configured[id])}</span>
                {id === (chosen || BUILT_IN) && <Badge>Default</Badge>}
                <IconButton label={`Edit ${id}`} onClick={() => setEditing(id)}>
                  <Pencil size={14} aria-hidden />
                </IconButton>
                {id in configured && (
                  <IconButton label={`Remove ${id}`} onClick={() => remove(id)}>
                    <Trash2 size={14} aria-hidden />
                  </IconButton>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {editing === '' ? (
        <BackendForm
          id=""
          backend={undefined}
          taken={ids}
          violations={violations}
          onCancel={() => setEditing(null)}
          onKeep={(id, backend) => void keep('', id, backend)}
        />
      ) : (
        <div>
          <Button icon={<Plus size={14} aria-hidden />} onClick={() => setEditing('')}>
            Add a back end
          </Button>
        </div>
      )}
      <FoundAgents />
      <div className={styles['row']}>
        <Field
          label="Default back end"
          hint="For runs that name none."
          error={violationsOf(violations, ['defaultBackend'])[0]}
        >
          {(fieldIds) => (
            <select
              {...fieldIds}
              className={field['select']}
              value={chosen}
              onChange={({ target }) => void settings.set(['defaultBackend'], target.value || undefined)}
            >
              <option value="">Not chosen ({BUILT_IN})</option>
              {ids.map((id) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
    </section>
  )
}

function describe(backend: JsonValue | undefined): string {
  if (!isJsonObject(backend)) return 'built in: answers are made up'
  const { kind, command, preset } = backend
  const word = valueText(kind ?? 'unknown')
  if (Array.isArray(command)) return `${word}: ${command.map(valueText).join(' ')}`
  return typeof preset === 'string' ? `${word}: ${preset}` : word
}
