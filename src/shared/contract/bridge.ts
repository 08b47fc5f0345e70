// What the preload script puts on the window as `window.weft`: HostApi through Electron's IPC and the commands of the
// application menu, and nothing else.

import type { HostCallName, HostPush } from './host-api.ts'
import type { HostErrorBody } from './host-error.ts'

/** An answer as plain data: errors cross the context bridge as values, so that they keep their code and details. */
export type BridgeReply = { ok: true; value: unknown } | { ok: false; error: HostErrorBody }

/** What a menu item asks the page to do: the same as the page's own shortcut or palette entry of that name. */
export type WindowCommand =
  | 'save'
  | 'close-tab'
  | 'next-tab'
  | 'previous-tab'
  | 'dry-run'
  | 'run'
  | 'cancel-run'
  | 'command-palette'
  | 'quick-open'
  | 'show-workflows'
  | 'show-runs'
  | 'toggle-theme'

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
}
