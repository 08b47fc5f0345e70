// Monaco's comparison: two models as long as it is shown, however often either text changes.

import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useApp } from '../../ui/app-context.tsx'
import styles from './editor.module.css'
import { EDITOR_OPTIONS, fontOptions } from '../../ui/monaco/editor-options.ts'
import { modelsOf } from './editor-models.ts'
import { applyMonacoTheme } from '../../ui/monaco/monaco-theme.ts'
import { languageOf, monaco } from '../../ui/monaco/monaco.ts'

interface DiffEditorProps {
  /** An open document's. */
  path: string
  original: string
  originalTitle: string
}

export default function DiffEditor({ path, original, originalTitle }: DiffEditorProps) {
  const app = useApp()
  const host = useRef<HTMLDivElement>(null)
  const left = useRef<monaco.editor.ITextModel>(null)
  const editor = useRef<monaco.editor.IStandaloneDiffEditor>(null)
  const theme = useStore(app.theme.store, ({ theme: current }) => current)
  const fontSize = useStore(app.preferences.store, (preferences) => preferences.fontSize)

  useEffect(() => {
    if (host.current === null) return
    const model = monaco.editor.createModel('', languageOf(path))
    const diff = monaco.editor.createDiffEditor(host.current, {
      ...EDITOR_OPTIONS,
      originalEditable: false,
      // Of two colours on one side and none on the other, nobody learns anything.
      bracketPairColorization: { enabled: false },
      renderSideBySide: true,
      renderOverviewRuler: false,
      useInlineViewWhenSpaceIsLimited: true,
      hideUnchangedRegions: { enabled: true },
      modifiedAriaLabel: path,
    })
    diff.setModel({ original: model, modified: modelsOf(app).of(path) })
    left.current = model
    editor.current = diff
    return () => {
      // The document keeps its own model.
      diff.dispose()
      model.dispose()
    }
  }, [app, path])

  useEffect(() => {
    if (left.current?.getValue() !== original) left.current?.setValue(original)
    // Its label can only be given in words of its own.
    editor.current?.getOriginalEditor().updateOptions({ ariaLabel: originalTitle })
  }, [original, originalTitle])
  useEffect(() => editor.current?.updateOptions(fontOptions(fontSize)), [fontSize])
  useEffect(() => applyMonacoTheme(theme), [theme])

  return <div ref={host} className={styles['monaco']} />
}
