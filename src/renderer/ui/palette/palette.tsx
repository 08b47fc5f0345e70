// Command palette and quick open: type, choose with the arrows, Enter.

import { Dialog } from '@base-ui/react/dialog'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { cx } from '../cx.ts'
import dialog from '../dialog.module.css'
import { filterEntries, type PaletteEntry } from './filter-entries.ts'
import styles from './palette.module.css'

interface PaletteProps {
  title: string
  placeholder: string
  entries: readonly PaletteEntry[]
  onChoose(id: string): void
  onClose(): void
}

export function Palette({ title, placeholder, entries, onChoose, onClose }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [index, setIndex] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const prefix = useId()
  const found = filterEntries(entries, query)
  const chosen = found[Math.min(index, found.length - 1)]

  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1
    if (event.key === 'ArrowDown') setIndex(index >= last ? 0 : index + 1)
    else if (event.key === 'ArrowUp') setIndex(index <= 0 ? last : index - 1)
    else if (event.key === 'Enter' && chosen !== undefined) onChoose(chosen.id)
    else return
    event.preventDefault()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={cx(dialog['popup'], styles['popup'])} initialFocus={input} aria-label={title}>
          <input
            ref={input}
            className={styles['input']}
            role="combobox"
            aria-expanded
            aria-controls={`${prefix}list`}
            aria-activedescendant={chosen && `${prefix}${chosen.id}`}
            aria-label={placeholder}
            placeholder={placeholder}
            spellCheck={false}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setIndex(0)
            }}
            onKeyDown={onKeyDown}
          />
          <ul id={`${prefix}list`} role="listbox" aria-label={title} className={styles['list']}>
            {found.map((entry) => (
              <PaletteItem
                key={entry.id}
                domId={`${prefix}${entry.id}`}
                entry={entry}
                chosen={entry === chosen}
                onChoose={() => onChoose(entry.id)}
              />
            ))}
          </ul>
          {found.length === 0 && <p className={styles['none']}>Nothing matches “{query}”.</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface PaletteItemProps {
  entry: PaletteEntry
  domId: string
  chosen: boolean
  onChoose(): void
}

function PaletteItem({ entry, domId, chosen, onChoose }: PaletteItemProps) {
  return (
    <li
      id={domId}
      ref={(element) => {
        if (chosen) element?.scrollIntoView({ block: 'nearest' })
      }}
      role="option"
      aria-selected={chosen}
      className={styles['item']}
      onClick={onChoose}
    >
      <span className={styles['title']}>{entry.title}</span>
      {entry.detail !== undefined && <span className={styles['detail']}>{entry.detail}</span>}
    </li>
  )
}
