import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTENT_SECURITY_POLICY, serveWeb } from '../../../src/host/index.ts'
import { shareHost } from '../../support/host/make-host.ts'
import { sendRaw } from '../../support/host/raw-http.ts'
import { getCookie, openDoor } from '../../support/host/web-client.ts'

const shared = shareHost()

async function makeDoor() {
  const { host, folders } = shared()
  return { door: await openDoor(host, folders), folders, host }
}

describe('the browser door', () => {
  test('changes the token for a cookie that scripts can not read, and cleans the address', async () => {
    const { door } = await makeDoor()
    const { status, headers } = await sendRaw(door.port, `/?token=${door.token}`)
    expect({ status, location: headers['location'], cookie: headers['set-cookie'] }).toEqual({
      status: 303,
      location: '/',
      cookie: expect.stringMatching(new RegExp(`^weft-${door.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)),
    })
    expect(headers['set-cookie']).not.toContain(door.token)
  })

  test('serves the page and its parts to the holder of the cookie', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    const page = await sendRaw(door.port, '/', { Cookie })
    expect([page.status, page.headers['content-type'], page.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<h1>Weft</h1>',
    ])
    const script = await sendRaw(door.port, '/assets/index-DiwrgTda.js', { Cookie })
    expect([script.status, script.headers['content-type'], script.headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'private, max-age=31536000, immutable',
    ])
    const head = await sendRaw(door.port, '/', { Cookie }, 'HEAD')
    expect([head.status, head.body]).toEqual([200, ''])
  })

  test('gives nobody anything without the cookie or with a wrong one', async () => {
    const { door } = await makeDoor()
    const cookie = await getCookie(door)
    for (const headers of [{}, { Cookie: `${cookie}x` }, { Cookie: `weft-${door.port}=` }, { Cookie: 'weft=1' }]) {
      const { status, body, headers: sent } = await sendRaw(door.port, '/', headers)
      expect(status).toBe(401)
      expect(body).not.toContain('<h1>')
      expect(sent['set-cookie']).toBeUndefined()
    }
  })

  test('refuses a wrong token, with the cookie too', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    expect((await sendRaw(door.port, '/?token=wrong')).status).toBe(401)
    expect((await sendRaw(door.port, '/?token=')).status).toBe(401)
    expect((await sendRaw(door.port, `/?token=${door.token}x`, { Cookie })).status).toBe(401)
  })

  test('refuses a host name that was made to point here', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    for (const Host of ['evil.example', `evil.example:${door.port}`, '127.0.0.1', `127.0.0.1:${door.port + 1}`]) {
      expect((await sendRaw(door.port, '/', { Host, Cookie })).status).toBe(403)
      expect((await sendRaw(door.port, `/?token=${door.token}`, { Host })).status).toBe(403)
    }
    expect((await sendRaw(door.port, '/', { Host: `localhost:${door.port}`, Cookie })).status).toBe(200)
  })

  test('refuses pages of other origins, those on another port of this machine too', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    for (const Origin of ['https://evil.example', 'null', `http://127.0.0.1:${door.port + 1}`]) {
      expect((await sendRaw(door.port, '/', { Origin, Cookie })).status).toBe(403)
    }
    const embedded = { Cookie, 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' }
    expect((await sendRaw(door.port, '/assets/index-DiwrgTda.js', embedded)).status).toBe(403)
    const typed = { Cookie, 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }
    expect((await sendRaw(door.port, '/', typed)).status).toBe(200)
  })

  test('serves nothing outside the folder of the page', async () => {
    const { door, folders } = await makeDoor()
    const Cookie = await getCookie(door)
    await symlink(join(folders.dataDir, 'weft.db'), join(folders.root, 'renderer', 'link.html'))
    const paths = [
      '/../data/weft.db',
      '/..%2fdata/weft.db',
      '/%2e%2e/data/weft.db',
      '/%2e%2e%2fdata%2fweft.db',
      '/..%5cdata%5cweft.db',
      '/assets/..%2f..%2fdata/weft.db',
      '//data/weft.db',
      `/${folders.dataDir}/weft.db`,
      '/link.html',
      '/index.html%00.js',
      '/%zz',
      '/assets',
      '/missing.js',
    ]
    for (const path of paths) {
      const { status } = await sendRaw(door.port, path, { Cookie })
      expect([path, status]).toEqual([path, 404])
    }
  })

  test('sends the policy of the window with every answer', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    const answers = await Promise.all([
      sendRaw(door.port, '/', { Cookie }),
      sendRaw(door.port, '/'),
      sendRaw(door.port, '/missing', { Cookie }),
      sendRaw(door.port, '/', { Host: 'evil.example' }),
    ])
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe(CONTENT_SECURITY_POLICY)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/script-src[^;]*unsafe/)
  })

  test('takes only GET and HEAD', async () => {
    const { door } = await makeDoor()
    const Cookie = await getCookie(door)
    expect((await sendRaw(door.port, '/', { Cookie }, 'POST')).status).toBe(405)
  })

  test('says so when its port is taken', async () => {
    const { door, folders, host } = await makeDoor()
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    const second = serveWeb({ host, port: door.port, rendererDir: folders.root, workspace: folders.workspace, logger })
    await expect(second).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(String(door.port)),
    })
  })

  test('listens on the loopback address alone', async () => {
    const { door } = await makeDoor()
    const tables = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
    )
    const port = door.port.toString(16).toUpperCase().padStart(4, '0')
    const listening = tables.join('\n').match(new RegExp(`[0-9A-F]+:${port} [0-9A-F]+:0000 0A`, 'g'))
    expect(listening).toEqual([`0100007F:${port} 00000000:0000 0A`])
  })
})
