// A script to be read, in the editor's colours: nothing can be typed into it.

import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useApp } from '../../ui/app-context.tsx'
import { EDITOR_OPTIONS, fontOptions } from '../../ui/monaco/editor-options.ts'
import { applyMonacoTheme } from '../../ui/monaco/monaco-theme.ts'
import { monaco } from '../../ui/monaco/monaco.ts'
import styles from './approvals.module.css'

export default function ScriptView({ text, label }: { text: string; label: string }) {
  const app = useApp()
  const host = useRef<HTMLDivElement>(null)
  const theme = useStore(app.theme.store, ({ theme: current }) => current)
  const fontSize = useStore(app.preferences.store, (preferences) => preferences.fontSize)
  useEffect(() => {
    if (host.current === null) return
    const model = monaco.editor.createModel(text, 'javascript')
    const editor = monaco.editor.create(host.current, {
      ...EDITOR_OPTIONS,
      ...fontOptions(fontSize),
      model,
      readOnly: true,
      domReadOnly: true,
      ariaLabel: label,
      // The keys belong to the dialog.
      tabFocusMode: true,
    })
    return () => {
      editor.dispose()
      model.dispose()
    }
  }, [text, label, fontSize])
  useEffect(() => applyMonacoTheme(theme), [theme])
  return <div ref={host} className={styles['script']} />
}
