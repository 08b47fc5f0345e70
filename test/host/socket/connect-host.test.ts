import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectHost, readOwner } from '../../../src/host/index.ts'
import { makeFolders, makeHost } from '../../support/host/make-host.ts'
import { waitUntil } from '../../support/host/wait-until.ts'

async function dial(dataDir: string): Promise<{ socket: Socket; answers: () => unknown[]; closed: Promise<unknown> }> {
  const socket = connect(readOwner(dataDir)?.socket ?? '')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  return {
    socket,
    closed,
    // News of the host's state comes in between.
    answers: () =>
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('{"event"'))
        .map((line): unknown => JSON.parse(line)),
  }
}

const firstLine = (token: string, more: object = {}): string =>
  `${JSON.stringify({ token, door: 'api', client: { kind: 'cli', workspace: '/w' }, ...more })}\n`

describe('the local socket', () => {
  test('lets another client act through the host', async () => {
    const { folders, session } = await makeHost({ socket: true })
    const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
    expect(await client.call('workspace.initial', {})).toEqual({ workspace: folders.workspace, open: null })
    expect((await session.call('host.status', {})).clients).toBe(2)
    client.close()
    await client.closed
    await expect(client.call('host.status', {})).rejects.toMatchObject({ code: 'CLOSED' })
    await waitUntil('the session is gone', async () => (await session.call('host.status', {})).clients === 1)
  })

  test('passes errors whole', async () => {
    const { folders } = await makeHost({ socket: true })
    const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
    onTestFinished(() => client.close())
    // Wrong on purpose: what comes over a wire is not what the types say.
    const wrong = client.call('run.get', { runId: 3 } as never)
    await expect(wrong).rejects.toMatchObject({ code: 'BAD_REQUEST', violations: ['runId must be string, not 3'] })
  })

  test('can be entered by the user alone', async () => {
    const { folders } = await makeHost({ socket: true })
    const path = readOwner(folders.dataDir)?.socket ?? ''
    const modes = await Promise.all([path, dirname(path), join(folders.dataDir, 'token')].map((file) => stat(file)))
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['600', '700', '600'])
  })

  test('is put elsewhere when the runtime folder can not be used', async () => {
    const folders = await makeFolders()
    await writeFile(join(folders.root, 'weft'), 'not a folder')
    await makeHost({ folders, socket: true })
    expect(readOwner(folders.dataDir)?.socket).toBe(join(folders.dataDir, 'socket', 'host.sock'))
    const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
    onTestFinished(() => client.close())
    expect((await client.call('host.status', {})).pid).toBe(process.pid)
  })

  test('refuses a wrong token and a first line that is none', async () => {
    const { folders } = await makeHost({ socket: true })
    const token = await readFile(join(folders.dataDir, 'token'), 'utf8')
    const lines = [
      firstLine('wrong'),
      firstLine(''),
      'garbage\n',
      `${token}\n`,
      firstLine(token, { client: { kind: 'harness', workspace: '/w' } }),
      firstLine(token, { door: 'back' }),
    ]
    for (const line of lines) {
      const { socket, answers, closed } = await dial(folders.dataDir)
      socket.write(`${line}${JSON.stringify({ id: 1, call: 'host.status', params: {} })}\n`)
      await closed
      expect(answers()).toEqual([{ id: -1, ok: false, error: { code: 'NOT_ALLOWED', message: expect.any(String) } }])
    }
  })

  test('answers bad frames and goes on, whatever the chunks', async () => {
    const { folders } = await makeHost({ socket: true })
    const token = await readFile(join(folders.dataDir, 'token'), 'utf8')
    const { socket, answers } = await dial(folders.dataDir)
    const status = JSON.stringify({ id: 7, call: 'host.status', params: {} })
    socket.write(`${firstLine(token)}not json\r\n\n${'x'.repeat(16 * 1024 * 1024 + 1)}\n${status.slice(0, 9)}`)
    socket.write(`${status.slice(9)}\n`)
    await waitUntil('three answers', () => answers().length >= 3)
    expect(answers().slice(0, 3)).toMatchObject([
      { id: -1, error: { code: 'BAD_REQUEST' } },
      { id: -1, error: { code: 'BAD_REQUEST', message: expect.stringContaining('16,777,216 bytes') } },
      { id: 7, ok: true },
    ])
  })

  test('ends a connection that sends a line without an end', async () => {
    const { folders } = await makeHost({ socket: true })
    const { socket, closed } = await dial(folders.dataDir)
    const part = 'x'.repeat(1024 * 1024)
    const pour = (): void => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', pour)
    pour()
    await closed
    expect(socket.bytesWritten).toBeLessThan(200 * 1024 * 1024)
  })

  test('tells clients when the host ends', async () => {
    const { folders, host } = await makeHost({ socket: true })
    const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
    await host.dispose('over')
    await client.closed
    await expect(connectHost(folders.dataDir, { kind: 'cli', workspace: '/w' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('takes the place of a dead host that left everything behind', async () => {
    const folders = await makeFolders()
    await writeFile(
      join(folders.dataDir, 'owner.json'),
      JSON.stringify({ pid: 1, version: '0', socket: '/nowhere.sock', startedAt: 0 }),
    )
    await expect(connectHost(folders.dataDir, { kind: 'cli', workspace: '/w' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const dead = spawn(process.execPath, [
      join(import.meta.dirname, '../../support/host/leave-socket.ts'),
      folders.dataDir,
      folders.root,
    ])
    await once(dead, 'exit')
    await makeHost({ folders, socket: true })
    const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: '/w' })
    onTestFinished(() => client.close())
    expect((await client.call('host.status', {})).pid).toBe(process.pid)
  })

  test('is waited for while its host starts', async () => {
    const folders = await makeFolders()
    const connecting = connectHost(folders.dataDir, { kind: 'cli', workspace: '/w' }, { waitMs: 10_000 })
    await makeHost({ folders, socket: true })
    const client = await connecting
    onTestFinished(() => client.close())
    expect((await client.call('host.status', {})).clients).toBe(2)
  })
})
