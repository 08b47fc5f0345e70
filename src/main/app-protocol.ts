// The app's own scheme: serves the built renderer with the policy that keeps everything else out of the page.

import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import { SECURITY_HEADERS } from '../host/index.ts'
import { APP_SCHEME, contentTypeOf, fileForUrl } from './renderer-files.ts'

/** Has to be called before the app is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the renderer's folder (absolute) under the app's scheme. */
export function serveAppScheme(folder: string): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const file = request.method === 'GET' ? fileForUrl(folder, request.url) : undefined
    const body = file === undefined ? undefined : await readFile(file).catch(() => undefined)
    if (file === undefined || body === undefined) return new Response('Not found', { status: 404 })
    return new Response(body, { headers: { ...SECURITY_HEADERS, 'Content-Type': contentTypeOf(file) } })
  })
}
