// JSON as a tree and as text, of which only the visible rows are drawn, with a search in both. Nothing but text in either.

import { ChevronDown, ChevronRight, ChevronUp, ListTree, TextAlignStart } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useStore } from 'zustand'
import type { JsonMode, JsonRow } from '../state/json/json-source.ts'
import type { JsonDocument } from '../state/json/open-json.ts'
import { useApp } from './app-context.tsx'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { JsonLine } from './json-line.tsx'
import styles from './json-viewer.module.css'
import { useJsonDocument, useJsonPages, type JsonPages } from './use-json-document.ts'
import { useVirtual } from './use-virtual.ts'

const ROW_HEIGHT = 20
const INDENT = 14

interface JsonViewerProps {
  json: string
  /** Names it, e.g. `Result`. */
  label: string
  /** Puts the head together: the search and the switch between tree and text go into it. */
  renderHead(tools: ReactNode): ReactNode
}

export function JsonViewer({ json, label, renderHead }: JsonViewerProps) {
  const { layout } = useApp()
  const mode = useStore(layout.store, (state) => state.json)
  const { document, failure } = useJsonDocument(json)
  const pages = useJsonPages(document, mode)
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtual({
    count: pages.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  })
  const goTo = (index: number): void => {
    setActive(index)
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }
  const search = useSearch(document, mode, pages, goTo)
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => pages.want(first, last))
  const list: ListProps = {
    pages,
    items,
    size: virtualizer.getTotalSize(),
    scroller,
    label,
    found: search.found,
    active,
  }

  return (
    <div className={styles['viewer']}>
      {renderHead(<Tools label={label} mode={mode} search={search} />)}
      {failure !== null && <p className={styles['failure']}>It can’t be read: {failure}</p>}
      {mode === 'tree' ? <TreeList {...list} document={document} goTo={goTo} /> : <TextList {...list} />}
    </div>
  )
}

interface Search {
  query: string
  count: number
  /** From 0. */
  at: number
  /** The row or line that was found; -1 for none. */
  found: number
  ask(query: string): void
  step(by: number): void
}

function useSearch(
  document: JsonDocument | null,
  mode: JsonMode,
  pages: JsonPages,
  goTo: (index: number) => void,
): Search {
  const [query, setQuery] = useState('')
  const [result, setResult] = useState({ mode, count: 0, at: 0, found: -1 })
  const show = async (count: number, at: number): Promise<void> => {
    if (document === null || count === 0) return setResult({ mode, count, at: 0, found: -1 })
    const found = await document.reveal(at)
    await pages.refresh()
    setResult({ mode, count, at, found })
    goTo(found)
  }
  const current = result.mode === mode ? result : { mode, count: 0, at: 0, found: -1 }
  return {
    query,
    ...current,
    ask(next) {
      setQuery(next)
      void document?.find(next, mode).then((count) => show(count, 0))
    },
    step(by) {
      // After a switch between tree and text the same words are looked for in the other one.
      if (result.mode !== mode) void document?.find(query, mode).then((count) => show(count, 0))
      else if (current.count > 0) void show(current.count, (current.at + by + current.count) % current.count)
    },
  }
}

function Tools({ label, mode, search }: { label: string; mode: JsonMode; search: Search }) {
  const { layout } = useApp()
  const name = `Search ${label.toLowerCase()}`
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && search.query !== '') search.ask('')
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['tools']}>
      {search.query !== '' && (
        <span className={styles['count']} aria-live="polite">
          {search.count === 0 ? 'none' : `${search.at + 1} of ${search.count.toLocaleString('en-US')}`}
        </span>
      )}
      <input
        type="search"
        className={styles['search']}
        aria-label={name}
        placeholder="Search"
        spellCheck={false}
        value={search.query}
        onChange={(event) => search.ask(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {search.count > 1 && (
        <>
          <IconButton label="Previous match" onClick={() => search.step(-1)}>
            <ChevronUp size={14} aria-hidden />
          </IconButton>
          <IconButton label="Next match" onClick={() => search.step(1)}>
            <ChevronDown size={14} aria-hidden />
          </IconButton>
        </>
      )}
      <IconButton
        label={mode === 'tree' ? `Show ${label.toLowerCase()} as text` : `Show ${label.toLowerCase()} as a tree`}
        onClick={() => layout.showJsonAs(mode === 'tree' ? 'text' : 'tree')}
      >
        {mode === 'tree' ? <TextAlignStart size={14} aria-hidden /> : <ListTree size={14} aria-hidden />}
      </IconButton>
    </div>
  )
}

interface ListProps {
  pages: JsonPages
  items: readonly { key: React.Key; index: number; start: number }[]
  size: number
  scroller: RefObject<HTMLDivElement | null>
  label: string
  found: number
  active: number
}

function TextList({ pages, items, size, scroller, label, found }: ListProps) {
  return (
    // Scrolled by keys, so it has to take the focus.
    <div ref={scroller} className={styles['scroller']} tabIndex={0} role="group" aria-label={`${label} as JSON`}>
      <div className={styles['sizer']} style={{ height: size }}>
        {items.map(({ key, index, start }) => (
          <div
            key={key}
            className={cx(styles['line'], index === found && styles['found'])}
            style={{ transform: `translateY(${start}px)` }}
          >
            <JsonLine text={pages.line(index) ?? ''} />
          </div>
        ))}
      </div>
    </div>
  )
}

interface TreeListProps extends ListProps {
  document: JsonDocument | null
  goTo(index: number): void
}

function TreeList({ pages, items, size, scroller, label, found, active, document, goTo }: TreeListProps) {
  const prefix = useId()
  const setOpen = (index: number, open: boolean): void => {
    void document?.setOpen(index, open).then(pages.refresh)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = pages.row(active)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1)
    const last = pages.count - 1
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: last,
    }
    const move = moves[event.key]
    if (move !== undefined) goTo(Math.max(0, Math.min(last, move)))
    else if (event.key === 'ArrowRight') {
      if (row?.open === true) goTo(Math.min(last, active + 1))
      else if (row?.open === false) setOpen(active, true)
    } else if (event.key === 'ArrowLeft') {
      if (row?.open === true) setOpen(active, false)
      else void document?.parentOf(active).then((parent) => parent >= 0 && goTo(parent))
    } else if ((event.key === 'Enter' || event.key === ' ') && row?.open !== undefined) setOpen(active, !row.open)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      className={cx(styles['scroller'], styles['tree'])}
      role="tree"
      aria-label={`${label} tree`}
      tabIndex={0}
      aria-activedescendant={pages.row(active) && `${prefix}${active}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles['sizer']} role="presentation" style={{ height: size }}>
        {items.map(({ key, index, start }) => {
          const row = pages.row(index)
          return (
            row && (
              <div
                key={key}
                id={`${prefix}${index}`}
                role="treeitem"
                aria-level={row.level}
                aria-posinset={row.position}
                aria-setsize={row.siblings}
                aria-expanded={row.open}
                aria-selected={index === active}
                className={cx(styles['row'], index === active && styles['active'], index === found && styles['found'])}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  goTo(index)
                  // A click that ends a selection of text is none.
                  if (row.open !== undefined && getSelection()?.isCollapsed !== false) setOpen(index, !row.open)
                }}
              >
                <RowText row={row} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

function RowText({ row: { level, name, open, kind, text } }: { row: JsonRow }) {
  return (
    <>
      <span className={styles['chevron']} style={{ marginLeft: (level - 1) * INDENT }} data-open={open} aria-hidden>
        {open !== undefined && <ChevronRight size={12} />}
      </span>
      {name !== null && (
        <span className={typeof name === 'number' ? styles['index'] : styles['name']}>
          {typeof name === 'number' ? name : JSON.stringify(name)}
        </span>
      )}
      {name !== null && <span className={styles['punctuation']}>{': '}</span>}
      <span className={styles[kind]}>{text}</span>
    </>
  )
}
