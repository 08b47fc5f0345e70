// Every action with its shortcut, by where it belongs.

import { useRef } from 'react'
import { WINDOW_COMMANDS, type CommandGroup } from '../../../shared/index.ts'
import { shortcutHere } from '../../state/shortcuts.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { shortcutText } from '../../ui/shortcut-text.ts'
import styles from './shortcuts-sheet.module.css'

const GROUPS: readonly CommandGroup[] = ['File', 'Run', 'Go', 'View', 'Help']

/** Keys of single views, which no command has. */
const OTHERS: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Editor',
    keys: [
      ['Quick fix', '$mod+.'],
      ['Suggestions and snippets', '$mod+Space'],
      ['Go to the workflow under the cursor', 'F12'],
      ['Next problem', 'F8'],
      ['Editor’s own commands', 'F1'],
      ['Tab moves the focus', '$mod+m'],
    ],
  },
  {
    title: 'Lists and run tree',
    keys: [
      ['Move', '↑ ↓'],
      ['Open or close a level', '← →'],
      ['Open', 'Enter'],
      ['Close the tab that has the focus', 'Delete'],
    ],
  },
]

export function ShortcutsSheet() {
  const app = useApp()
  const close = useRef<HTMLButtonElement>(null)
  const groups = GROUPS.map((title) => ({
    title,
    keys: WINDOW_COMMANDS.filter(({ group }) => group === title).flatMap((command) => {
      const shortcut = shortcutHere(command)
      return shortcut === undefined ? [] : [[command.title.replace(/…$/, ''), shortcut] as const]
    }),
  }))
  return (
    <Modal
      title="Keyboard shortcuts"
      onClose={app.closeDialog}
      initialFocus={close}
      note="Every action is in the command palette too."
      wide
      actions={
        <Button ref={close} onClick={app.closeDialog}>
          Close
        </Button>
      }
    >
      <div className={styles['sheet']} tabIndex={0} role="group" aria-label="Shortcuts">
        {[...groups, ...OTHERS].map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className={styles['title']}>{title}</h3>
            <dl className={styles['list']}>
              {keys.map(([name, shortcut]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <kbd>{shortcutText(shortcut)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
