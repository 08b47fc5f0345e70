// What every command is given: where it stands, where its words go, what it may be told. Nothing else reads `process`.

import type { Keyboard } from './keyboard.ts'
import type { Output } from './output/output.ts'
import type { AppPaths, UserPaths } from '../host/index.ts'
import type { Style } from './render/style.ts'
import type { Signals } from './signals.ts'

export interface CliContext {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: Output
  readonly err: Output
  /** Colours and symbols that suit each of them. */
  readonly outStyle: Style
  readonly errStyle: Style
  readonly app: AppPaths
  readonly user: UserPaths
  readonly version: string
  readonly signals: Signals
  /** Undefined where nobody types. */
  readonly keyboard?: Keyboard | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Ends the process at once, as a crash would: nothing is closed, live runs are left resumable. */
  exitNow(code: number): never
}
