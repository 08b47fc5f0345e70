// What the preload script puts on the window as `window.weft`: HostApi through Electron's IPC, the application menu and the
// system's file dialogs, and nothing else.

import type { HostCallName, HostPush } from './host-api.ts'
import type { HostErrorBody } from './host-error.ts'
import type { RunId } from '../model/ids.ts'
import type { WindowCommand } from './window-commands.ts'

/** An answer as plain data: errors cross the context bridge as values, so that they keep their code and details. */
export type BridgeReply = { ok: true; value: unknown } | { ok: false; error: HostErrorBody }

export interface WeftBridge {
  readonly kind: 'window'
  /** Node's `process.platform`, e.g. `linux`, `darwin`, `win32`. */
  readonly platform: string
  /** Never rejects for what the host answers; rejects when the main process can't be reached. */
  call(name: HostCallName, params: unknown): Promise<BridgeReply>
  /** Tells everything the host pushes to this window, in order. Returns the function that ends it. */
  onPush(listener: (push: HostPush) => void): () => void
  /** Tells what the user picked in the application menu. Returns the function that ends it. */
  onCommand?(listener: (command: WindowCommand) => void): () => void
  /**
   * Tells which file or run the user picked outside of the page: in the tray, in a notification, in a dialog of the menu.
   * What was picked before anyone listened comes first. Returns the function that ends it.
   */
  onOpen?(listener: (target: OpenTarget) => void): () => void
  /** Says which commands make sense now; the menu shows the others greyed. Nothing said: all of them. */
  enableCommands?(commands: readonly WindowCommand[]): Promise<void>
  /** Has the user pick a file in the system's dialog; null when they gave up. Absolute, with an ending of its kind. */
  pickFile?(request: FileRequest): Promise<string | null>
  /** Does what only the app around the page can do. */
  act?(action: AppAction): Promise<void>
}

export type OpenTarget = { runId: RunId } | { path: string }

/** `workflow`: a `.js`, `.mjs` or `.ts` file; `run`: an exported run, `.jsonl`; `report`: `.html`; `json`: a result. */
export type FileKind = 'workflow' | 'run' | 'report' | 'json'

export interface FileRequest {
  purpose: 'open' | 'save'
  kind: FileKind
  /** A file name to begin with, no path. */
  suggestedName?: string
}

export const APP_ACTIONS = ['open-folder', 'show-logs', 'check-for-updates'] as const
export type AppAction = (typeof APP_ACTIONS)[number]
