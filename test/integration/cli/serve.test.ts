import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'

describe('serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints where it listens, serves the page, and ends on %s',
    async (signal) => {
      const bench = useWorkbench()
      const serve = bench.start(['serve', '--json'])
      const [line] = await serve.says(/^\{.*\}\n/)
      const { url, pid, ...rest } = JSON.parse(line) as { url: string; pid: number }
      expect({ pid, rest }).toEqual({ pid: serve.pid, rest: {} })
      const answer = await fetch(url, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
      expect((await fetch(new URL('/', url))).status).toBe(401)
      serve.process.kill(signal)
      expect(await serve.finished).toMatchObject({ code: 0, stdout: line })
      await bench.quiet()
    },
  )

  it('lends its host to other command lines, and says who has the folder', async () => {
    const bench = useWorkbench()
    const serve = bench.start(['serve'])
    await serve.says(/^Weft is at http:\/\/127\.0\.0\.1:\d+\//m)
    bench.script('short', 'return 42')
    expect(await bench.json('run', 'short.js')).toMatchObject({ code: 0, document: { result: 42 } })
    const other = await bench.weft('serve')
    expect(other.code).toBe(2)
    expect(other.stderr).toContain(`pid ${serve.pid}`)
    serve.process.kill('SIGTERM')
    expect((await serve.finished).code).toBe(0)
  })

  it('refuses a port that is taken, and a folder that is none', async () => {
    const bench = useWorkbench()
    const serve = bench.start(['serve', '--json'])
    const [line] = await serve.says(/^\{.*\}\n/)
    const { port } = new URL((JSON.parse(line) as { url: string }).url)
    const taken = await bench.weft('serve', '--port', port, '--data-dir', `${bench.folder}/other`)
    expect(taken.code).toBe(2)
    expect(taken.stderr).toContain(`Port ${port} is in use`)
    expect((await bench.weft('serve', '--workspace', 'nowhere')).stderr).toContain('there is no folder')
    serve.process.kill('SIGTERM')
    await serve.finished
    await bench.quiet()
  })
})

describe('app', () => {
  it('serves the window for a browser where there is no display', async () => {
    const bench = useWorkbench()
    const app = bench.start(['app'])
    await app.says(/no desktop window: there is no display here/, 'stderr')
    await app.says(/^Weft is at http:\/\/127\.0\.0\.1:\d+\//m)
    app.process.kill('SIGTERM')
    expect((await app.finished).code).toBe(0)
    await bench.quiet()
  })

  it('starts Electron with the app and the workspace, passes signals on and gives back its exit code', async () => {
    const bench = useWorkbench()
    const dist = `${bench.folder}/dist`
    bench.write('../dist/electron', '#!/bin/sh\necho "$@"; echo "$WEFT_DATA_DIR"; exit 7\n')
    chmodSync(`${dist}/electron`, 0o755)
    const env = {
      DISPLAY: ':99',
      ELECTRON_DISABLE_SANDBOX: '1',
      ELECTRON_OVERRIDE_DIST_PATH: dist,
      ELECTRON_RUN_AS_NODE: '1',
    }
    const { code, stdout } = await bench.start(['app', '--workspace', '.'], { env }).finished
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`/\\S+ --workspace=${bench.workspace}\n${bench.dataDir}\n$`))
  })
})
