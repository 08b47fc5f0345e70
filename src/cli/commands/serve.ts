// `weft serve`: the host without a window, with the same page for a browser, until it is told to end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serveWeb, type WebDoor } from '../../host/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { createLogger } from '../host/logger.ts'
import { openOwnHost } from '../host/open-host.ts'
import { whenIdle } from '../host/when-idle.ts'
import { readWorkspace } from '../options/source.ts'
import { writeJson } from '../output/json.ts'

export interface ServeOptions {
  port?: number
  workspace?: string
  open?: boolean
  json?: boolean
}

export async function serveHost(context: CliContext, options: ServeOptions): Promise<ExitCode> {
  const workspace = readWorkspace(options.workspace, context.cwd)
  const told = new Promise<void>((resolve) => context.signals.handle(() => resolve()))
  const host = await openOwnHost(context)
  let door: WebDoor | undefined
  try {
    door = await serveWeb({
      host,
      port: options.port ?? 0,
      rendererDir: context.app.renderer,
      workspace,
      logger: createLogger(context),
    })
    announce(context, door.url, options)
    const idle = whenIdle(host.openSession({ kind: 'cli', name: 'weft serve', workspace })).then(() =>
      context.err.line('nobody has looked for ten minutes and nothing runs: ending'),
    )
    await Promise.race([told, idle])
  } finally {
    // From here on a further signal ends the process at once.
    context.signals.handle(undefined)
    await door?.close()
    await host.dispose('weft serve has ended')
  }
  return EXIT.completed
}

function announce(context: CliContext, url: string, { json, open }: ServeOptions): void {
  const { out, err } = context
  if (json) writeJson(out, { url, pid: process.pid })
  else {
    out.line(`Weft is at ${url}`)
    out.line(context.outStyle.colors.dim('Whoever has this address can start runs as you. Ctrl-C ends it.'))
  }
  if (open) openInBrowser(url).catch((error: unknown) => err.line(`weft: no browser could be opened: ${String(error)}`))
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Resolves once the system's opener has taken the address. */
async function openInBrowser(url: string): Promise<void> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' })
  await once(child, 'spawn')
  child.unref()
}
