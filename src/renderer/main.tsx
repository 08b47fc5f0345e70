// The page's start: connect to the host, put the state together, draw.

import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { FailureScreen } from './app/failure-screen.tsx'
import { Window } from './app/window.tsx'
import { createAppState } from './state/app-state.ts'
import { connectHost } from './state/client/connect-host.ts'
import { createThemeStore } from './state/settings/theme.ts'
import { createMemory } from './state/storage.ts'
import { AppProvider } from './ui/app-context.tsx'
import './styles/base.css'

const memory = createMemory(localStorage)
const theme = createThemeStore(memory, matchMedia('(prefers-color-scheme: dark)'), (next) => {
  document.documentElement.dataset['theme'] = next
})

const element = document.getElementById('root')
if (element === null) throw new Error('the page has no #root')
const root = createRoot(element)
const render = (content: ReactNode): void => root.render(<StrictMode>{content}</StrictMode>)

async function start(): Promise<void> {
  const connection = await connectHost(window.weft, location)
  const { workspace, open } = await connection.call('workspace.initial', {})
  const app = createAppState({ connection, workspace, memory, theme, open })
  document.title = `${workspace.split(/[\\/]/).filter(Boolean).at(-1) ?? 'Weft'} — Weft`
  render(
    <ErrorBoundary>
      <AppProvider value={app}>
        <Window />
      </AppProvider>
    </ErrorBoundary>,
  )
  await app.start()
}

start().catch((error: unknown) => render(<FailureScreen error={error} />))
