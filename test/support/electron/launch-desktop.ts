// Starts the built app in Electron.

import { resolve } from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { watchPage, watchStderr, type LaunchOptions, type RunningApp } from '../app/running-app.ts'

const root = resolve(import.meta.dirname, '../../..')
const EXIT_MS = 20_000

export interface DesktopApp extends RunningApp {
  kind: 'desktop'
  electron: ElectronApplication
  /** Settles when the process has ended. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/**
 * `args` come after the app's folder. Without `executablePath` Playwright takes the Electron that node_modules names (or
 * ELECTRON_OVERRIDE_DIST_PATH) and holds back `ready` until it is attached, so that no early message is missed.
 */
export async function launchDesktop(options: LaunchOptions & { args?: string[] }): Promise<DesktopApp> {
  const { home, tracePath } = options
  const electron = await _electron.launch({
    args: [root, ...(options.args ?? [`--workspace=${home.workspace}`])],
    cwd: home.workspace,
    env: home.env,
  })
  const child = electron.process()
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once('exit', (code, signal) => done({ code, signal }))
  })
  const problems: string[] = []
  watchStderr(child.stderr, problems)
  if (tracePath !== undefined) await electron.context().tracing.start({ snapshots: true })
  await keepToItself(electron)
  const page = await electron.firstWindow()
  watchPage(page, problems)

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    if (tracePath !== undefined) await electron.context().tracing.stop({ path: tracePath })
    await electron.close()
    const late = setTimeout(() => {
      problems.push(`the app did not end within ${EXIT_MS} ms`)
      child.kill('SIGKILL')
    }, EXIT_MS)
    await exited
    clearTimeout(late)
  }
  const { dataDir, workspace } = home
  return {
    kind: 'desktop',
    electron,
    page,
    home,
    dataDir,
    workspace,
    problems,
    exited,
    close: () => (closing ??= close()),
  }
}

/** Nothing of a test opens another program, or a box that nobody is there to close; an unforeseen one is a problem. */
function keepToItself(electron: ElectronApplication): Promise<void> {
  return electron.evaluate(({ shell, dialog }) => {
    shell.openExternal = () => Promise.resolve()
    shell.openPath = () => Promise.resolve('')
    const complain = (text: unknown): void => void process.stderr.write(`unhandled box: ${JSON.stringify(text)}\n`)
    dialog.showErrorBox = (title, content) => complain([title, content])
    dialog.showMessageBox = (...parameters: unknown[]) => {
      complain(parameters.at(-1))
      // The second button of the question about live runs cancels them: the app can end.
      return Promise.resolve({ response: 1, checkboxChecked: false })
    }
  })
}
