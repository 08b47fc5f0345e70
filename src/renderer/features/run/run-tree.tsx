// The live run tree, drawn from flat rows of which only the visible ones exist. Keys and levels follow the ARIA tree pattern.

import { defaultRangeExtractor } from '@tanstack/react-virtual'
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useStore } from 'zustand'
import type { RunSession } from '../../state/runs/run-session.ts'
import { isLiveStatus } from '../../state/runs/run-view.ts'
import { flattenTree, type TreeRow } from '../../state/tree/rows.ts'
import { buildRunTree } from '../../state/tree/run-tree.ts'
import { treeKey, typeAhead } from '../../state/tree/tree-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MenuAt, type MenuPlace } from '../../ui/menu.tsx'
import { useVirtual } from '../../ui/use-virtual.ts'
import { useAgentMenu } from './agent-menu.tsx'
import { ColumnHeads, RunTreeRow, type RowClock } from './run-tree-row.tsx'
import styles from './run-tree.module.css'
import { useShownRun } from './use-shown-run.ts'

const ROW_HEIGHT = 26
const TYPING_PAUSE_MS = 600

export function RunTree({ session }: { session: RunSession }) {
  const load = useStore(session.view, (view) => view.load)
  const { state, status, at } = useShownRun(session)
  const { expansion, active, selected } = useStore(session.tree.store)
  const live = isLiveStatus(status)
  const tree = useMemo(() => buildRunTree(state, status), [state, status])
  const rows = useMemo(() => flattenTree(tree, expansion), [tree, expansion])

  useLayoutEffect(() => {
    if (load.kind === 'ready') session.tree.sync(tree, live)
  }, [session, tree, live, load.kind])
  const clock = useMemo(() => ({ live: live && at === undefined, at, held: status === 'paused' }), [live, at, status])

  if (tree.length === 0) {
    return load.kind === 'loading' ? null : (
      <EmptyState title={live ? 'No agent yet' : 'No agents'}>
        {live
          ? 'The first one appears here as soon as the script calls it.'
          : 'The script ended without calling agent().'}
      </EmptyState>
    )
  }
  return <TreeRows session={session} rows={rows} active={active} selected={selected} clock={clock} />
}

interface TreeRowsProps {
  session: RunSession
  rows: readonly TreeRow[]
  active: string | undefined
  selected: number | undefined
  clock: RowClock
}

function TreeRows({ session, rows, active, selected, clock }: TreeRowsProps) {
  const { tree } = session
  const scroller = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const activeIndex = rows.findIndex((row) => row.id === active)
  const virtualizer = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The active row stays in the document, or a screen reader would lose it.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return activeIndex === -1 || shown.includes(activeIndex) ? shown : [...shown, activeIndex].sort((a, b) => a - b)
    },
  })

  const goTo = useCallback(
    (id: string): void => {
      tree.setActive(id)
      const index = rows.findIndex((row) => row.id === id)
      if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' })
      // While an agent is shown, the keys walk through agents.
      const node = rows[index]?.node
      if (tree.store.getState().selected !== undefined && node?.kind === 'agent') tree.select(node.agent.agent)
    },
    [tree, rows, virtualizer],
  )
  const activate = useCallback(
    (row: TreeRow): void => {
      tree.setActive(row.id)
      if (row.node.kind === 'agent') tree.select(row.node.agent.agent)
      else if (row.open !== undefined) tree.expand({ type: 'toggle', id: row.id })
    },
    [tree],
  )
  const onKeyDown = useTreeKeys({ session, rows, active, goTo, activate, scroller })
  const activeRow = rows[activeIndex] ?? rows[0]
  useReveal(session, rows, virtualizer)
  const menu = useContextMenu(session, rows, activeRow, scroller)

  return (
    <div className={styles['frame']}>
      <ColumnHeads />
      <div
        ref={scroller}
        className={styles['tree']}
        role="tree"
        aria-label="Run tree"
        tabIndex={0}
        aria-activedescendant={activeRow && rowDomId(prefix, activeRow.id)}
        onKeyDown={onKeyDown}
        onContextMenu={menu.onContextMenu}
      >
        <div className={styles['sizer']} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index]
            return (
              row && (
                <RunTreeRow
                  key={item.key}
                  domId={rowDomId(prefix, row.id)}
                  row={row}
                  top={item.start}
                  clock={clock}
                  active={row === activeRow}
                  selected={row.node.kind === 'agent' && row.node.agent.agent === selected}
                  onActivate={activate}
                />
              )
            )
          })}
        </div>
      </div>
      {menu.shown}
    </div>
  )
}

/** Scrolls to the row that someone asks for from outside of the tree. */
function useReveal(session: RunSession, rows: readonly TreeRow[], virtualizer: ReturnType<typeof useVirtual>): void {
  const reveal = useStore(session.tree.store, (tree) => tree.reveal)
  const done = useRef(0)
  useEffect(() => {
    if (reveal === undefined || reveal.serial === done.current) return
    const index = rows.findIndex((row) => row.id === reveal.id)
    if (index === -1) return
    done.current = reveal.serial
    virtualizer.scrollToIndex(index, { align: 'center' })
  }, [reveal, rows, virtualizer])
}

/** A right click on an agent, or the menu key on the active row. */
function useContextMenu(
  session: RunSession,
  rows: readonly TreeRow[],
  activeRow: TreeRow | undefined,
  scroller: React.RefObject<HTMLDivElement | null>,
) {
  const [place, setPlace] = useState<(MenuPlace & { rowId: string }) | null>(null)
  const row = rows.find(({ id }) => id === place?.rowId)
  const entries = useAgentMenu(session, row?.node.kind === 'agent' ? row.node.agent : undefined)
  const close = (): void => {
    setPlace(null)
    scroller.current?.focus()
  }
  return {
    onContextMenu(event: React.MouseEvent): void {
      event.preventDefault()
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="treeitem"]') : null
      // The menu key is told to the tree itself, at a place of no meaning.
      const element = target ?? scroller.current?.querySelector<HTMLElement>('[data-active]')
      const rowId = target?.dataset['row'] ?? activeRow?.id
      if (!element || rowId === undefined) return
      session.tree.setActive(rowId)
      const { left, bottom } = element.getBoundingClientRect()
      setPlace(
        target && event.button === 2
          ? { x: event.clientX, y: event.clientY, rowId }
          : { x: left + 40, y: bottom, rowId },
      )
    },
    shown: place !== null && entries !== undefined && <MenuAt place={place} entries={entries} onClose={close} />,
  }
}

function rowDomId(prefix: string, id: string): string {
  return `${prefix}${encodeURIComponent(id)}`
}

interface TreeKeysOptions {
  session: RunSession
  rows: readonly TreeRow[]
  active: string | undefined
  goTo(id: string): void
  activate(row: TreeRow): void
  scroller: React.RefObject<HTMLDivElement | null>
}

function useTreeKeys({ session: { tree }, rows, active, goTo, activate, scroller }: TreeKeysOptions) {
  const typing = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1)
    const outcome = treeKey(rows, active, event.key, page)
    if (outcome !== undefined) {
      event.preventDefault()
      if (outcome.expansion) tree.expand(outcome.expansion)
      if (outcome.active !== undefined) goTo(outcome.active)
      const row = rows.find(({ id }) => id === outcome.activate)
      if (row) activate(row)
    } else if (event.key === 'Escape') {
      tree.select(undefined)
    } else if (event.key.length === 1) {
      const fresh = event.timeStamp - typing.current.at > TYPING_PAUSE_MS
      typing.current = { text: (fresh ? '' : typing.current.text) + event.key, at: event.timeStamp }
      const found = typeAhead(rows, active, typing.current.text)
      if (found !== undefined) goTo(found)
    }
  }
}
