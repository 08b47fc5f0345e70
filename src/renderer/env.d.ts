// Globals of the page.

import type { Environment } from 'monaco-editor/editor'
import type { WeftBridge } from '../shared/index.ts'

declare global {
  interface Window {
    /** Only inside Electron. */
    weft?: WeftBridge
    MonacoEnvironment?: Environment
  }
}
