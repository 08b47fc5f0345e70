// The workflows one can open: the project's, the user's and the bundled ones; shadowed and broken ones are shown as such.

import { FileCode, FileX, Plus } from 'lucide-react'
import { useRef } from 'react'
import { useStore } from 'zustand'
import type { WorkflowEntry } from '../../../shared/index.ts'
import { fileNameOf } from '../../state/app-state.ts'
import { groupWorkflows, sourceBadge } from '../../state/workflows/workflow-list.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useItemMenu } from '../../ui/item-menu.tsx'
import { onListKeyDown } from '../../ui/list-keys.ts'
import nav from '../../ui/nav-list.module.css'
import { NavHead } from '../../ui/nav-head.tsx'
import { workflowEntries } from './workflow-menu.ts'

export function WorkflowNav() {
  const { workflows, openDialog } = useApp()
  const { entries, load } = useStore(workflows.store)
  return (
    <nav className={nav['nav']} aria-label="Workflows">
      <NavHead title="Workflows" count={entries.length}>
        <IconButton label="New workflow" onClick={() => openDialog({ kind: 'new-workflow' })}>
          <Plus size={15} aria-hidden />
        </IconButton>
      </NavHead>
      <div className={nav['scroller']} onKeyDown={onListKeyDown}>
        {load.kind === 'failed' && (
          <EmptyState small title="The workflows can't be listed">
            {load.message}
          </EmptyState>
        )}
        {load.kind === 'ready' && entries.length === 0 && (
          <EmptyState
            small
            title="No workflows yet"
            actions={<Button onClick={() => openDialog({ kind: 'new-workflow' })}>New workflow…</Button>}
          >
            Begin with a pattern, or put a script into the folder workflows/ of this project: it appears here at once.
          </EmptyState>
        )}
        {groupWorkflows(entries).map((section, index) => (
          <div key={section.title}>
            <h3 className={nav['section']}>{section.title}</h3>
            <ul>
              {section.entries.map((entry, place) => (
                <WorkflowItem key={entry.path} entry={entry} first={index + place === 0} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}

function WorkflowItem({ entry, first }: { entry: WorkflowEntry; first: boolean }) {
  const app = useApp()
  const current = useStore(app.tabs, ({ active }) => active === `file:${entry.path}`)
  const tabStop = first || current
  const button = useRef<HTMLButtonElement>(null)
  const menu = useItemMenu(button, () => workflowEntries(app, entry))
  const { name, path, error, shadowedBy, source } = entry
  const Icon = error === null ? FileCode : FileX
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={nav['item']}
        aria-current={current ? 'page' : undefined}
        aria-haspopup="menu"
        tabIndex={tabStop ? 0 : -1}
        title={titleOf(entry)}
        onClick={() => void app.openFile(path)}
        onContextMenu={menu.onContextMenu}
      >
        <Icon size={14} aria-hidden className={error === null ? nav['icon'] : nav['broken']} />
        <span className={cx(nav['name'], shadowedBy !== null && nav['dimmed'], shadowedBy !== null && nav['struck'])}>
          {name}
        </span>
        {error !== null && <Badge tone="failed">Broken</Badge>}
        {shadowedBy !== null && <Badge title={`${shadowedBy} takes the name`}>Shadowed</Badge>}
        {(source === 'weft' || source === 'claude') && <Badge>{sourceBadge(source)}</Badge>}
      </button>
      {error !== null && <p className={nav['error']}>{error}</p>}
      {menu.shown}
    </li>
  )
}

function titleOf({ path, description, shadowedBy }: WorkflowEntry): string {
  const lines = [path]
  if (description !== null) lines.push(description)
  if (shadowedBy !== null) lines.push(`Shadowed by ${fileNameOf(shadowedBy)} (${shadowedBy})`)
  return lines.join('\n')
}
