// Tokens as files in the data folder, which nobody but its user may read.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../lib/files.ts'
import { makeSecret } from '../lib/secrets.ts'

/** The file that keeps the token of the local socket. */
export const TOKEN_FILE = 'token'

/** That of the tool server over HTTP: it stays the same, since harnesses have it in their configuration. */
const HTTP_TOKEN_FILE = 'http-token'

/** Reads it, or makes it when it is not there yet. */
export function keepHttpToken(dataDir: string): string {
  const file = join(dataDir, HTTP_TOKEN_FILE)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!isMissing(error)) throw error
    const token = makeSecret()
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    return token
  }
}
