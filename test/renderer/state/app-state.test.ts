import { describe, expect, it } from 'vitest'
import { createAppState } from '../../../src/renderer/state/app-state.ts'
import { createThemeStore } from '../../../src/renderer/state/settings/theme.ts'
import { createMemory } from '../../../src/renderer/state/storage.ts'
import { HostError } from '../../../src/shared/index.ts'
import { MapStorage } from '../../support/renderer/map-storage.ts'
import { LIVE_RUN, pathOf, SampleHost, WORKSPACE } from '../../support/renderer/sample-host.ts'

const FILE = pathOf('review-changes')

function appOn(host = new SampleHost(1_000_000), storage = new MapStorage(), open: string | null = null) {
  const memory = createMemory(storage)
  const theme = createThemeStore(memory, { matches: false, addEventListener: () => {} }, () => {})
  const app = createAppState({ connection: host, workspace: WORKSPACE, memory, theme, open })
  return { app, host, storage, tabs: () => app.tabs.getState(), notices: () => app.notices.store.getState().notices }
}

describe('the window', () => {
  it('opens the file that its host names, and only when no tabs are remembered', async () => {
    const storage = new MapStorage()
    const first = appOn(new SampleHost(0), storage, FILE)
    await first.app.start()
    expect(first.tabs().active).toBe(`file:${FILE}`)
    await first.app.openFile(pathOf('bug-hunt'))
    first.app.close(`file:${FILE}`)
    const again = appOn(new SampleHost(0), storage, FILE)
    await again.app.start()
    expect(again.tabs().tabs.map(({ title }) => title)).toEqual(['bug-hunt.js'])
  })

  it('closes a tab whose file can not be read, and says why', async () => {
    const { app, host, tabs, notices } = appOn()
    host.handlers['workflows.read'] = () =>
      Promise.reject(new HostError({ code: 'NOT_FOUND', message: 'no such file' }))
    await app.openFile(FILE)
    expect(tabs().tabs).toEqual([])
    expect(notices().map(({ text }) => text)).toEqual(["review-changes.js can't be opened: no such file"])
  })

  it('asks before it closes a file with unsaved text, and not otherwise', async () => {
    const { app, tabs } = appOn()
    await app.openFile(FILE)
    app.documents.attach(FILE, { getText: () => 'changed', setText: () => {}, edit: () => {}, dispose: () => {} })
    app.documents.textChanged(FILE)
    app.requestClose(`file:${FILE}`)
    expect(app.window.getState().dialog).toEqual({ kind: 'close', tabId: `file:${FILE}` })
    expect(tabs().tabs).toHaveLength(1)
    app.close(`file:${FILE}`)
    await app.openFile(FILE)
    app.requestClose(`file:${FILE}`)
    expect(tabs().tabs).toEqual([])
  })

  it('dry-runs with the args last given for the file, into one tab a file', async () => {
    const { app, host, tabs } = appOn()
    await app.openFile(FILE)
    app.dryRuns.rememberArgs(FILE, '{"depth":2}')
    await app.dryRun(FILE)
    await app.dryRun(FILE)
    expect(tabs().tabs.map(({ title }) => title)).toEqual(['review-changes.js', 'Dry run: review-changes'])
    expect(host.callsOf('run.dryRun')).toEqual(
      Array.from({ length: 2 }, () => ({
        workspace: WORKSPACE,
        source: { kind: 'path', path: FILE },
        args: { depth: 2 },
      })),
    )
  })

  it('says which problem keeps a script from running', async () => {
    const { app, host, notices } = appOn()
    host.handlers['run.dryRun'] = () =>
      Promise.reject(
        new HostError({
          code: 'SCRIPT_REFUSED',
          message: 'The script has 1 error.',
          diagnostics: [
            {
              severity: 'error',
              code: 'parse/syntax',
              message: 'Unexpected token',
              line: 3,
              column: 7,
              endLine: 3,
              endColumn: 8,
            },
          ],
        }),
      )
    await app.openFile(FILE)
    await app.dryRun(FILE)
    expect(notices().map(({ text }) => text)).toEqual([
      'No dry run of review-changes.js: The script has 1 error. (3:7 Unexpected token)',
    ])
    expect(app.window.getState().dryRunning.size).toBe(0)
  })

  it('opens the run that it started', async () => {
    const { app, host, tabs } = appOn()
    await app.openFile(FILE)
    await app.startRun(FILE, { backend: 'codex', budgetTokens: 9 })
    expect(tabs().active).toBe(`run:${LIVE_RUN}`)
    expect(host.callsOf('run.start')).toEqual([
      { workspace: WORKSPACE, source: { kind: 'path', path: FILE }, backend: 'codex', budgetTokens: 9 },
    ])
  })

  it('reads lists and open files again when the workspace changes', async () => {
    const { app, host } = appOn()
    await app.start()
    await app.openFile(FILE)
    host.disk.set(FILE, 'return 1\n')
    const changed = new Promise<void>((resolve) => {
      app.documents.store.subscribe(() => app.documents.textOf(FILE) === 'return 1\n' && resolve())
    })
    host.push('workflows.changed', { workspace: WORKSPACE })
    await changed
    expect(host.callsOf('workflows.list')).toHaveLength(2)
    expect(app.documents.get(FILE)?.dirty).toBe(false)
  })

  it('stops watching a run with its tab', async () => {
    const { app, host } = appOn()
    app.openRun({ runId: LIVE_RUN, workflow: 'review-changes', title: null })
    const tab = app.activeTab()
    if (tab === undefined) throw new Error('the run has a tab')
    app.sessions.of(tab)
    app.close(tab.id)
    expect(host.callsOf('run.unwatch')).toEqual([{ runId: LIVE_RUN }])
  })
})
