// Ties the commands to the keyboard and to the application menu.

import { useEffect } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import type { AppState } from '../state/app-state.ts'
import { COMMANDS, type Command } from './commands.ts'

export function runCommand(app: AppState, id: Command['id']): void {
  const command = COMMANDS.find((known) => known.id === id)
  if (command?.isEnabled(app)) command.run(app)
}

export function useCommands(app: AppState): void {
  useEffect(() => {
    const bindings: Record<string, (event: KeyboardEvent) => void> = {}
    for (const command of COMMANDS) {
      if (command.shortcut === undefined) continue
      bindings[command.shortcut] = (event) => {
        // The editor has meanings of its own for some of these keys.
        event.preventDefault()
        event.stopPropagation()
        // A dialog is to be answered first.
        if (app.window.getState().dialog === null && command.isEnabled(app)) command.run(app)
      }
    }
    const handler = createKeybindingsHandler(bindings, { ignore: () => false })
    window.addEventListener('keydown', handler, { capture: true })
    const endMenu = window.weft?.onCommand?.((command) => runCommand(app, command))
    return () => {
      window.removeEventListener('keydown', handler, { capture: true })
      endMenu?.()
    }
  }, [app])
}
