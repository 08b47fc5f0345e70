import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { WeftBridge } from '../../src/shared/index.ts'
import { expect, test } from '../support/app/fixtures.ts'
import { shareApp } from '../support/app/share-app.ts'
import { takeProblems } from '../support/app/running-app.ts'
import { answerMessageBoxes } from '../support/electron/dialogs.ts'
import { recordOpened } from '../support/electron/record-opened.ts'

declare global {
  interface Window {
    weft: WeftBridge
  }
}

const preload = join(resolve(import.meta.dirname, '../..'), 'out', 'preload', 'index.cjs')

const app = shareApp()

/** A server of the web on this machine, and the requests that reached it. */
async function startOutsider() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*')
    response.end('outside')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address of that kind.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, stop: () => new Promise((done) => server.close(done)) }
}

test('the page is sandboxed and sees nothing of Node or Electron but the bridge', async () => {
  const { page, electron } = app()
  const seen = await page.evaluate(() => ({
    // Globals that only a page with Node would have.
    node: ['require', 'process', 'Buffer', 'module', 'global'].filter((name) => name in globalThis),
    bridge: Object.keys(window.weft).sort(),
    origin: location.origin,
  }))
  const bridge = ['act', 'call', 'enableCommands', 'kind', 'onCommand', 'onOpen', 'onPush', 'pickFile', 'platform']
  expect(seen).toEqual({ node: [], bridge, origin: 'app://weft' })
  const preferences = await electron.evaluate(({ BrowserWindow }) => {
    // Not in Electron's types, and the only way to ask what a page really got.
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>
    }
    const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } = contents.getLastWebPreferences()
    return { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity }
  })
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    webSecurity: true,
  })
})

test('the page stays where it is, and only https links go to the system browser', async () => {
  const { page, electron } = app()
  const opened = await recordOpened(electron)
  const follow = (url: string, target: string) =>
    page.evaluate(
      ([href, where]) => {
        const link = document.createElement('a')
        link.href = href
        link.target = where
        document.body.append(link)
        link.click()
        link.remove()
      },
      [url, target] as const,
    )
  for (const url of ['https://example.com/a', 'http://example.com/', 'file:///etc/passwd', 'weft-test://start']) {
    await follow(url, '_self')
    await follow(url, '_blank')
  }
  expect(await page.evaluate(() => window.open('https://example.com/b') === null)).toBe(true)
  await expect.poll(() => opened()).toEqual(['https://example.com/a', 'https://example.com/a', 'https://example.com/b'])
  expect(page.url()).toBe('app://weft/index.html')
  expect(electron.windows()).toHaveLength(1)
  takeProblems(page)
})

test('every permission is denied', async () => {
  const { page } = app()
  const answers = await page.evaluate(async () => ({
    notifications: await Notification.requestPermission(),
    place: await new Promise((done) => {
      navigator.geolocation.getCurrentPosition(
        () => done('granted'),
        (error) => done(error.code === error.PERMISSION_DENIED ? 'denied' : 'other'),
      )
    }),
    clipboard: await navigator.clipboard.readText().then(
      () => 'granted',
      (error: Error) => error.name,
    ),
  }))
  expect(answers).toEqual({
    notifications: 'denied',
    place: 'denied',
    clipboard: 'NotAllowedError',
  })
})

test('nothing is loaded from outside, whoever asks for it', async () => {
  const { page, electron } = app()
  const outsider = await startOutsider()
  try {
    const fetched = await page.evaluate(
      (url) =>
        fetch(url)
          .then(() => 'loaded')
          .catch(() => 'refused'),
      outsider.url,
    )
    expect(fetched).toBe('refused')
    await page.evaluate(async (url) => {
      const image = new Image()
      const script = document.createElement('script')
      await Promise.all(
        [image, script].map(
          (element) =>
            new Promise((done) => {
              element.addEventListener('error', done)
              element.src = `${url}/${element.tagName}`
              document.head.append(element)
            }),
        ),
      )
    }, outsider.url)
    // Past the page's own policy: a load by the session itself.
    const session = await electron.evaluate(
      ({ BrowserWindow }, url) =>
        new Promise((done) => {
          const hidden = new BrowserWindow({ show: false })
          hidden.loadURL(url).then(
            () => done('loaded'),
            (error: { code?: string }) => done(error.code),
          )
          hidden.webContents.once('did-fail-load', () => hidden.destroy())
        }),
      outsider.url,
    )
    expect(session).toBe('ERR_BLOCKED_BY_CLIENT')
    expect(outsider.requests).toEqual([])
  } finally {
    await outsider.stop()
  }
  expect(
    takeProblems(page).every((problem) => problem.includes('Content Security Policy') || problem.includes('Failed')),
  ).toBe(true)
})

test('text that becomes script does not run', async () => {
  const { page } = app()
  const ran = await page.evaluate(async () => {
    const marks: string[] = []
    Object.assign(window, { mark: (name: string) => marks.push(name) })
    const inline = document.createElement('script')
    inline.textContent = "mark('inline')"
    document.head.append(inline)
    const image = document.createElement('div')
    image.innerHTML = `<img src="x" onerror="mark('handler')"><a href="javascript:mark('link')">x</a>`
    document.body.append(image)
    image.querySelector('a')?.click()
    // From a timer: what DevTools evaluates itself is free of the policy.
    await new Promise<void>((done) => {
      setTimeout(() => {
        try {
          // oxlint-disable-next-line no-eval -- it is what has to fail
          ;(0, eval)("mark('eval')")
        } catch {
          marks.push('eval refused')
        }
        done()
      })
    })
    await new Promise((done) => image.querySelector('img')?.addEventListener('error', done))
    image.remove()
    return marks
  })
  expect(ran).toEqual(['eval refused'])
  takeProblems(page)
})

test('files outside of the page are out of reach', async () => {
  const { page } = app()
  const load = (url: string) =>
    page.evaluate(
      (address) =>
        fetch(address)
          .then((answer) => answer.status)
          .catch(() => 'refused'),
      url,
    )
  expect(await load('app://weft/index.html')).toBe(200)
  expect(await load('app://weft/..%2f..%2fpackage.json')).toBe(404)
  expect(await load('app://weft/%2e%2e/main/index.cjs')).toBe(404)
  expect(await load('app://other/index.html')).toBe('refused')
  expect(await load('file:///etc/passwd')).toBe('refused')
  takeProblems(page)
})

test('a message that is no call is refused in words, and the next call is answered', async () => {
  const { page } = app()
  const answers = await page.evaluate(async () => {
    // What a page that was taken over could send.
    const call = window.weft.call as (name: unknown, params?: unknown) => ReturnType<WeftBridge['call']>
    const codeOf = async (name: unknown, params?: unknown) => {
      const reply = await call(name, params)
      return reply.ok ? 'ok' : reply.error.code
    }
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    return {
      number: await codeOf(42),
      unknown: await codeOf('host.shutdown'),
      prototype: await codeOf('__proto__'),
      wrong: await codeOf('run.get', { runId: 7 }),
      surplus: await codeOf('host.status', { extra: true }),
      huge: await codeOf('host.status', { text: 'x'.repeat(17 * 1024 * 1024) }),
      cycle: await call('host.status', cycle).then(
        () => 'answered',
        (error: Error) => (error.message.includes('circular') ? 'refused' : error.message),
      ),
      fine: await codeOf('host.status', {}),
    }
  })
  expect(answers).toEqual({
    number: 'BAD_REQUEST',
    unknown: 'BAD_REQUEST',
    prototype: 'BAD_REQUEST',
    wrong: 'BAD_REQUEST',
    surplus: 'BAD_REQUEST',
    huge: 'BAD_REQUEST',
    cycle: 'refused',
    fine: 'ok',
  })
})

test('bad input on every other channel is refused, and what is meant is done', async () => {
  const { page, electron } = app()
  const answers = await page.evaluate(async () => {
    // What a page that was taken over could send.
    const bridge = window.weft as unknown as Record<string, (input: unknown) => Promise<unknown>>
    const verdict = async (name: string, input: unknown) => {
      const answer = await bridge[name]?.(input).catch((error: Error) => error.message)
      return typeof answer === 'string' && answer.includes('is not understood') ? 'refused' : answer
    }
    return {
      commands: await verdict('enableCommands', ['format-disk']),
      path: await verdict('pickFile', { purpose: 'save', kind: 'run', suggestedName: '../../.bashrc' }),
      kind: await verdict('pickFile', { purpose: 'open', kind: 'any' }),
      action: await verdict('act', 'quit'),
      nothing: await verdict('act', undefined),
    }
  })
  expect(answers).toEqual({
    commands: 'refused',
    path: 'refused',
    kind: 'refused',
    action: 'refused',
    nothing: 'refused',
  })
  await electron.evaluate(({ dialog }) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: '/tmp/run.sh' })
    dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] })
  })
  const asked = await answerMessageBoxes(electron, [0])
  expect(await page.evaluate(() => window.weft.pickFile?.({ purpose: 'open', kind: 'run' }))).toBeNull()
  // The dialog answered with a script where a run was to be saved.
  expect(await page.evaluate(() => window.weft.pickFile?.({ purpose: 'save', kind: 'run' }))).toBeNull()
  expect(await asked()).toEqual(['This file was not taken.'])
})

test('a page downloads what it made itself and nothing else', async ({ home }) => {
  const { page, electron } = app()
  const file = `${home.workspace}/export.jsonl`
  await electron.evaluate(({ session }, path) => {
    const ends: string[] = []
    Object.assign(globalThis, { downloadsForTest: ends })
    session.defaultSession.on('will-download', (event, item) => {
      if (event.defaultPrevented) return void ends.push('refused')
      item.setSavePath(path)
      item.once('done', (_event, state) => ends.push(state))
    })
  }, file)
  // Put there a moment ago.
  const ends = () => electron.evaluate(() => (globalThis as unknown as { downloadsForTest: string[] }).downloadsForTest)
  const download = (url: string) =>
    page.evaluate((href) => {
      const link = document.createElement('a')
      link.href = href === 'own' ? URL.createObjectURL(new Blob(['{"a":1}\n'])) : href
      link.download = 'export.jsonl'
      link.click()
    }, url)
  await download('own')
  await expect.poll(ends).toEqual(['completed'])
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n')
  await download('data:text/x-sh,echo')
  await expect.poll(ends).toEqual(['completed', 'refused'])
  takeProblems(page)
})

test('a foreign page that got hold of the bridge is refused', async () => {
  const { electron } = app()
  const foreign = electron.waitForEvent('window')
  await electron.evaluate(({ BrowserWindow }, file) => {
    const window = new BrowserWindow({ show: false, webPreferences: { preload: file, sandbox: true } })
    void window.loadURL('data:text/html,<title>foreign</title>')
  }, preload)
  const page = await foreign
  const reply = await page.evaluate(() => window.weft.call('host.status', {}))
  expect(reply).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } })
  await page.close()
})
