// Copies a text, and shows that it did.

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApp } from './app-context.tsx'
import { IconButton } from './button.tsx'

const SHOWN_MS = 1500

/** Copies what `read` gives at the time of the click. */
export function CopyButton({ label, read }: { label: string; read(): string }) {
  const { notices } = useApp()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => {
    navigator.clipboard.writeText(read()).then(
      () => setCopied(true),
      () => notices.error('The clipboard is not available.'),
    )
  }
  return (
    <IconButton label={label} onClick={copy}>
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </IconButton>
  )
}
