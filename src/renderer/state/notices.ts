// Short messages to the user: what was done goes by itself, what failed stays until it is dismissed.

import { createStore } from 'zustand/vanilla'

export interface Notice {
  id: number
  kind: 'info' | 'error' | 'offer'
  text: string
  /** Each ends it. */
  actions?: readonly NoticeAction[]
}

export interface NoticeAction {
  label: string
  run(): void
}

const SHOWN_MS = 4000
const MOST = 4

export function createNotices(later: (ms: number, then: () => void) => void = (ms, then) => void setTimeout(then, ms)) {
  const store = createStore<{ notices: readonly Notice[] }>(() => ({ notices: [] }))
  let lastId = 0
  const dismiss = (id: number): void =>
    store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }))
  const offers = new Map<string, number>()
  const show = (kind: Notice['kind'], text: string, actions?: readonly NoticeAction[]): number => {
    const id = ++lastId
    store.setState(({ notices }) => ({
      // The same failure again is one message, not two.
      notices: [
        ...notices.filter((notice) => notice.text !== text),
        { id, kind, text, ...(actions && { actions }) },
      ].slice(-MOST),
    }))
    if (kind === 'info') later(SHOWN_MS, () => dismiss(id))
    return id
  }
  return {
    store,
    dismiss,
    info: (text: string) => void show('info', text),
    error: (text: string, actions?: readonly NoticeAction[]) => void show('error', text, actions),
    /** Stays until one of its actions is taken or it is dismissed; made once for each `key`. */
    offer(key: string, text: string, actions: readonly NoticeAction[]): void {
      if (!offers.has(key)) offers.set(key, show('offer', text, actions))
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
