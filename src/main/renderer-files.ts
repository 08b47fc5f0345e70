// Which file answers an address of the app's own scheme. Nothing outside of the renderer's folder ever does.

import { extname, join, sep } from 'node:path'

export const APP_SCHEME = 'app'
export const APP_ORIGIN = `${APP_SCHEME}://weft`
export const APP_PAGE = `${APP_ORIGIN}/index.html`

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** True for a page of the app itself: `app://weft/…`, with no port and no credentials. */
export function isAppUrl(address: string): boolean {
  const url = parseUrl(address)
  return url !== undefined && url.href.startsWith(`${APP_ORIGIN}/`)
}

/** The file for an address, or undefined when none may answer. `folder` is absolute. */
export function fileForUrl(folder: string, address: string): string | undefined {
  if (!isAppUrl(address)) return undefined
  const path = decodePath(address)
  // The parser has resolved dots already; what is left of them came in encoded. Windows takes backslashes for separators.
  if (path === undefined || /[\0\\]/.test(path)) return undefined
  const file = join(folder, path === '/' ? 'index.html' : path)
  return file.startsWith(folder + sep) ? file : undefined
}

export function contentTypeOf(file: string): string {
  return CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream'
}

function decodePath(address: string): string | undefined {
  try {
    return decodeURIComponent(new URL(address).pathname)
  } catch {
    return undefined
  }
}

function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}
