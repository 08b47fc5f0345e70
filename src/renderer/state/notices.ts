// Short messages to the user: what was done goes by itself, what failed stays until it is dismissed.

import { createStore } from 'zustand/vanilla'

export interface Notice {
  id: number
  kind: 'info' | 'error'
  text: string
}

const SHOWN_MS = 4000
const MOST = 4

export function createNotices(later: (ms: number, then: () => void) => void = (ms, then) => void setTimeout(then, ms)) {
  const store = createStore<{ notices: readonly Notice[] }>(() => ({ notices: [] }))
  let lastId = 0
  const dismiss = (id: number): void =>
    store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }))
  const show = (kind: Notice['kind'], text: string): void => {
    const id = ++lastId
    store.setState(({ notices }) => ({
      // The same failure again is one message, not two.
      notices: [...notices.filter((notice) => notice.text !== text), { id, kind, text }].slice(-MOST),
    }))
    if (kind === 'info') later(SHOWN_MS, () => dismiss(id))
  }
  return {
    store,
    dismiss,
    info: (text: string) => show('info', text),
    error: (text: string) => show('error', text),
  }
}

export type Notices = ReturnType<typeof createNotices>
