// Tells the application menu which commands make sense now, and shows what was picked outside of the page.

import type { OpenTarget } from '../../shared/index.ts'
import type { AppState } from '../state/app-state.ts'
import { COMMANDS } from './commands.ts'

/** A run that streams changes its view each frame; nobody opens a menu that fast. */
const SETTLE_MS = 100

/** Returns the function that ends it. */
export function followMenu(app: AppState): () => void {
  const { weft } = window
  if (weft === undefined) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let told: string | undefined
  const tell = (): void => {
    timer = undefined
    const enabled = COMMANDS.filter((command) => command.isEnabled(app)).map(({ id }) => id)
    if (enabled.join() === told) return
    told = enabled.join()
    void weft.enableCommands?.(enabled)
  }
  const changed = (): void => {
    timer ??= setTimeout(tell, SETTLE_MS)
  }
  let endOfRun: (() => void) | undefined
  const followTab = (): void => {
    endOfRun?.()
    const tab = app.activeTab()
    const session = tab === undefined ? undefined : app.sessions.of(tab)
    const ends = session === undefined ? [] : [session.view.subscribe(changed), session.tree.store.subscribe(changed)]
    endOfRun = () => ends.forEach((end) => end())
    changed()
  }
  const ends = [
    app.tabs.subscribe(followTab),
    app.window.subscribe(changed),
    weft.onOpen?.((target) => void openTarget(app, target)),
    () => endOfRun?.(),
    () => clearTimeout(timer),
  ]
  followTab()
  return () => ends.forEach((end) => end?.())
}

async function openTarget(app: AppState, target: OpenTarget): Promise<void> {
  if ('path' in target) return app.openFile(target.path)
  try {
    const { row } = await app.connection.call('run.get', { runId: target.runId })
    app.openRun(row)
  } catch {
    // It was deleted meanwhile: the list of runs is right there.
  }
}
