// A JSON text opened for a view, and the rows of it that are at hand.

import { useCallback, useEffect, useRef, useState } from 'react'
import { openJson, type JsonDocument } from '../state/json/open-json.ts'
import type { JsonMode, JsonRow } from '../state/json/json-source.ts'

interface Opened {
  json: string
  document: JsonDocument | null
  failure: string | null
}

/** Null until it is read. */
export function useJsonDocument(json: string): { document: JsonDocument | null; failure: string | null } {
  const [opened, setOpened] = useState<Opened | null>(null)
  useEffect(() => {
    let current = true
    let mine: JsonDocument | undefined
    openJson(json).then(
      (document) => {
        mine = document
        if (current) setOpened({ json, document, failure: null })
        else document.close()
      },
      (error: unknown) => current && setOpened({ json, document: null, failure: String(error) }),
    )
    return () => {
      current = false
      mine?.close()
    }
  }, [json])
  return opened?.json === json ? opened : { document: null, failure: null }
}

const PAGE = 100

export interface JsonPages {
  count: number
  row(index: number): JsonRow | undefined
  line(index: number): string | undefined
  /** Has the rows from `first` to `last` read. */
  want(first: number, last: number): void
  /** Reads everything again: something was opened or closed. */
  refresh(): Promise<void>
}

type Page = readonly JsonRow[] | readonly string[]

/** Rows are asked for by pages when they come into view. */
export function useJsonPages(document: JsonDocument | null, mode: JsonMode): JsonPages {
  const [shown, setShown] = useState<{ key: unknown; count: number; pages: ReadonlyMap<number, Page> }>(NOTHING)
  const wanted = useRef({ first: 0, last: PAGE, asked: new Set<number>(), key: {} })

  const read = useCallback(
    async (number: number, key: object): Promise<void> => {
      if (document === null || wanted.current.asked.has(number)) return
      wanted.current.asked.add(number)
      const page = await (mode === 'tree' ? document.rows(number * PAGE, PAGE) : document.lines(number * PAGE, PAGE))
      if (wanted.current.key !== key) return
      setShown((before) =>
        before.key === key ? { ...before, pages: new Map(before.pages).set(number, page) } : before,
      )
    },
    [document, mode],
  )

  const refresh = useCallback(async (): Promise<void> => {
    if (document === null) return
    const key = {}
    wanted.current = { ...wanted.current, asked: new Set(), key }
    const first = Math.floor(wanted.current.first / PAGE)
    const last = Math.floor(wanted.current.last / PAGE)
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    for (const number of numbers) wanted.current.asked.add(number)
    // All at once, or rows would be gone for a moment.
    const [count, ...pages] = await Promise.all([
      document.count(mode),
      ...numbers.map((number) =>
        mode === 'tree' ? document.rows(number * PAGE, PAGE) : document.lines(number * PAGE, PAGE),
      ),
    ])
    if (wanted.current.key !== key) return
    setShown({ key, count, pages: new Map(pages.map((page, index) => [first + index, page])) })
  }, [document, mode])

  useEffect(() => {
    wanted.current = { first: 0, last: PAGE, asked: new Set(), key: {} }
    void refresh()
  }, [refresh])

  const at = (index: number): JsonRow | string | undefined => shown.pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  return {
    count: shown.count,
    row(index) {
      const row = at(index)
      return typeof row === 'string' ? undefined : row
    },
    line(index) {
      const line = at(index)
      return typeof line === 'string' ? line : undefined
    },
    want(first, last) {
      wanted.current.first = first
      wanted.current.last = last
      const { key } = wanted.current
      for (let number = Math.floor(first / PAGE); number <= Math.floor(last / PAGE); number++) void read(number, key)
    },
    refresh,
  }
}

const NOTHING = { key: null, count: 0, pages: new Map<number, Page>() }
