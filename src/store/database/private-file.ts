// Copies of a database hold what it holds: like it they are for their user alone, wherever they are put.

import { closeSync, openSync } from 'node:fs'

/** Makes an empty file with mode 0600, which SQLite then writes to. Throws when it exists. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
}
