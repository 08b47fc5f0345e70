// Serves the built renderer, and nothing outside its folder.

import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isInside } from '../lib/files.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

export interface StaticFile {
  path: string
  size: number
  type: string
  /** Names with a hash of their content never change. */
  cache: string
}

/** The file of the renderer that a request's path means; undefined when there is none that may be served. */
export async function findStaticFile(rendererDir: string, urlPath: string): Promise<StaticFile | undefined> {
  const name = decode(urlPath)
  if (name === undefined) return undefined
  const wanted = join(rendererDir, name === '/' ? 'index.html' : name)
  try {
    const [root, path] = await Promise.all([realpath(rendererDir), realpath(wanted)])
    if (!isInside(path, root)) return undefined
    const found = await stat(path)
    if (!found.isFile()) return undefined
    const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
    const hashed = /-[\w-]{8,}\.\w+$/.test(path)
    return { path, size: found.size, type, cache: hashed ? 'private, max-age=31536000, immutable' : 'no-cache' }
  } catch {
    return undefined
  }
}

/** Sends the file; `headers` go along. */
export async function sendStaticFile(
  file: StaticFile,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  withBody: boolean,
): Promise<void> {
  response.writeHead(200, {
    ...headers,
    'Content-Type': file.type,
    'Content-Length': file.size,
    'Cache-Control': file.cache,
  })
  if (withBody) await pipeline(createReadStream(file.path), response)
  else response.end()
}

// A separator or a dot that only shows after decoding is an attempt at a way out, never a name of ours.
function decode(urlPath: string): string | undefined {
  try {
    const name = decodeURIComponent(urlPath)
    const parts = name.split('/')
    return name.includes('\\') || name.includes('\0') || parts.includes('..') ? undefined : name
  } catch {
    return undefined
  }
}
