// Ties the commands to the keyboard and to the application menu.

import { useEffect } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import type { AppState } from '../state/app-state.ts'
import { COMMANDS, type Command } from './commands.ts'
import { followMenu } from './follow-menu.ts'

const MODIFIER = /\$mod|Control|Alt|F\d/

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], .monaco-editor') !== null
  )
}

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
        // A dialog is to be answered first.
        const enabled = app.window.getState().dialog === null && command.isEnabled(app)
        // A sign that is typed into a field is meant for it.
        if (!MODIFIER.test(command.shortcut ?? '') && isTyping(event.target)) return
        // The editor has meanings of its own for function keys; Ctrl+S and its like must not reach the browser either way.
        if (!enabled && !command.shortcut?.startsWith('$mod')) return
        event.preventDefault()
        event.stopPropagation()
        if (enabled) command.run(app)
      }
    }
    const handler = createKeybindingsHandler(bindings, { ignore: () => false })
    window.addEventListener('keydown', handler, { capture: true })
    const endMenu = window.weft?.onCommand?.((command) => runCommand(app, command))
    const endFollowing = followMenu(app)
    return () => {
      window.removeEventListener('keydown', handler, { capture: true })
      endMenu?.()
      endFollowing()
    }
  }, [app])
}
