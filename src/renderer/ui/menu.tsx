// Menus: one that a button opens, and one that opens where the pointer or the active row is.

import { Menu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './menu.module.css'
import { shortcutText } from './shortcut-text.ts'

export interface MenuEntry {
  label: string
  icon?: ReactNode
  /** As tinykeys takes it. */
  shortcut?: string | undefined
  /** Why it can't be done now; such an entry stays in the list. */
  refusal?: string | null
  danger?: boolean
  onSelect(): void
}

export type MenuEntries = readonly (MenuEntry | 'separator')[]

interface MenuButtonProps {
  /** The button. */
  trigger: ReactElement
  entries: MenuEntries
}

export function MenuButton({ trigger, entries }: MenuButtonProps) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger render={trigger} />
      <Popup entries={entries} />
    </Menu.Root>
  )
}

export interface MenuPlace {
  x: number
  y: number
}

interface ContextMenuProps {
  place: MenuPlace
  entries: MenuEntries
  onClose(): void
}

export function MenuAt({ place, entries, onClose }: ContextMenuProps) {
  const anchor = {
    getBoundingClientRect: () => DOMRect.fromRect({ x: place.x, y: place.y, width: 0, height: 0 }),
  }
  return (
    <Menu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Popup entries={entries} anchor={anchor} />
    </Menu.Root>
  )
}

interface PopupProps {
  entries: MenuEntries
  anchor?: { getBoundingClientRect(): DOMRect }
}

function Popup({ entries, anchor }: PopupProps) {
  return (
    <Menu.Portal>
      <Menu.Positioner
        className={styles['positioner']}
        side="bottom"
        align={anchor ? 'start' : 'end'}
        sideOffset={4}
        {...(anchor && { anchor })}
      >
        <Menu.Popup className={styles['popup']}>
          {entries.map((entry, index) =>
            entry === 'separator' ? (
              // The order of a menu's entries does not change while it is open.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <Menu.Separator key={index} className={styles['separator']} />
            ) : (
              <Entry key={entry.label} entry={entry} />
            ),
          )}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const refused = entry.refusal != null
  return (
    <Menu.Item
      className={cx(styles['item'], entry.danger && styles['danger'])}
      disabled={refused}
      title={entry.refusal ?? undefined}
      onClick={entry.onSelect}
    >
      <span className={styles['icon']} aria-hidden>
        {entry.icon}
      </span>
      <span className={styles['words']}>
        {entry.label}
        {refused && <span className={styles['reason']}>{entry.refusal}</span>}
      </span>
      {entry.shortcut !== undefined && <kbd className={styles['keys']}>{shortcutText(entry.shortcut)}</kbd>}
    </Menu.Item>
  )
}
