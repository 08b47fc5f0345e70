// The product's page, built for the benchmark and served on the loopback with the product's own headers.

import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { SECURITY_HEADERS } from '../../src/host/web/csp.ts'
import { findStaticFile } from '../../src/host/web/static-files.ts'
import { CACHE, ROOT } from '../lib/build.ts'

const BUILT = join(CACHE, 'renderer')

export async function openSite(): Promise<{ url: string; close(): Promise<void> }> {
  const root = join(ROOT, 'src', 'renderer')
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir: BUILT, emptyOutDir: true, target: 'chrome114', minify: 'oxc', chunkSizeWarningLimit: 8000 },
  })
  const server = createServer((request, response) => {
    void findStaticFile(BUILT, request.url ?? '/').then((file) => {
      response.writeHead(file ? 200 : 404, { ...SECURITY_HEADERS, ...(file && { 'content-type': file.type }) })
      if (file) createReadStream(file.path).pipe(response)
      else response.end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return { url: `http://127.0.0.1:${port}/`, close }
}
