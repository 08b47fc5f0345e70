import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from '../support/app/fixtures.ts'
import { processesWith } from '../support/app/processes.ts'
import { buildPackages, type Packages } from '../support/package/packages.ts'
import { startPackaged } from '../support/package/start-packaged.ts'

test.skip(process.platform !== 'linux', 'packages for Linux are built on Linux')

let packages: Packages
test.beforeAll(async () => {
  packages = await buildPackages()
})
test.afterAll(() => packages?.remove())

const dpkg = (...args: string[]): string => execFileSync('dpkg-deb', args, { encoding: 'utf8', maxBuffer: 1 << 28 })

test('the deb holds the app, its command, its icons and an entry for the desktop that keeps the sandbox', () => {
  expect(dpkg('--field', packages.deb, 'Package', 'Architecture')).toBe('Package: weft\nArchitecture: amd64\n')
  const files = dpkg('--contents', packages.deb)
  for (const file of [
    './opt/Weft/weft-app',
    './opt/Weft/bin/weft',
    './opt/Weft/resources/app.asar',
    './opt/Weft/resources/apparmor-profile',
    './usr/share/icons/hicolor/256x256/apps/weft-app.png',
    './usr/share/applications/weft-app.desktop',
  ]) {
    expect(files).toContain(` ${file}\n`)
  }
  const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', packages.deb], { maxBuffer: 1 << 30 })
  const entry = execFileSync('tar', ['xO', './usr/share/applications/weft-app.desktop'], {
    input: tar,
    encoding: 'utf8',
  })
  expect(entry.split('\n')).toEqual(
    expect.arrayContaining(['Name=Weft', 'Exec=/opt/Weft/weft-app %U', 'Icon=weft-app', 'Categories=Development;']),
  )
  // Where a system has no user namespaces for Chromium, its helper is set up; nothing ever switches the sandbox off.
  const postinst = dpkg('--info', packages.deb, 'postinst')
  expect(postinst).toContain("chmod 4755 '/opt/Weft/chrome-sandbox'")
  expect(postinst + entry).not.toContain('no-sandbox')
})

test('the archive holds the build, the bundled workflows and one native addon outside of it', () => {
  const archive = join(packages.unpacked, 'resources', 'app.asar')
  const files = listPackage(archive, { isPack: false })
  const tops = new Set(files.map((file) => file.split('/')[1]))
  expect(tops).toEqual(new Set(['node_modules', 'out', 'package.json', 'resources', 'workflows']))
  const modules = new Set(files.flatMap((file) => /^\/node_modules\/([^/]+)/.exec(file)?.[1] ?? []))
  expect([...modules]).toEqual(['better-sqlite3'])
  for (const bundle of [
    'index',
    'weft',
    'sandbox-worker',
    'checker-worker',
    'writer-worker',
    'answer-worker',
    'reaper',
  ]) {
    expect(files).toContain(`/out/main/${bundle}.cjs`)
  }
  expect(files.filter((file) => file.endsWith('.node'))).toEqual([
    `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
  ])
})

test('the fuses are set: Node runs for the command line, and nobody from outside changes how', async () => {
  const fuses = await getCurrentFuseWire(packages.program)
  const states = {
    runAsNode: fuses[FuseV1Options.RunAsNode],
    cookies: fuses[FuseV1Options.EnableCookieEncryption],
    nodeOptions: fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    inspect: fuses[FuseV1Options.EnableNodeCliInspectArguments],
    integrity: fuses[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
    onlyAsar: fuses[FuseV1Options.OnlyLoadAppFromAsar],
  }
  const { ENABLE, DISABLE } = FuseState
  expect(states).toEqual({
    runAsNode: ENABLE,
    cookies: ENABLE,
    nodeOptions: DISABLE,
    inspect: DISABLE,
    integrity: ENABLE,
    onlyAsar: ENABLE,
  })
})

test('the packaged app starts sandboxed, opens its database and works with its own command line', async ({ home }) => {
  writeFileSync(
    join(home.workspace, 'hello.js'),
    "export const meta = { name: 'hello', description: 'Asks one agent.' }\nreturn await agent('Hello?')\n",
  )
  const app = startPackaged(packages.program, home)
  try {
    const alive = "document.querySelector('footer')?.textContent.includes('Host ready')"
    await expect.poll(() => app.evaluate(alive), { timeout: 60_000 }).toBe(true)

    const renderer = app.processes().find(({ command }) => command.includes('--type=renderer'))
    expect(readFileSync(`/proc/${renderer?.pid}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m)
    expect(app.processes().filter(({ command }) => command.includes('--no-sandbox'))).toEqual([])

    // Through the window's host: the run is in its database.
    const weft = join(packages.unpacked, 'bin', 'weft')
    const ran = await app.run(weft, ['run', 'hello.js', '--backend', 'simulated', '--json'])
    expect(JSON.parse(ran)).toMatchObject({ workflow: 'hello', outcome: 'completed' })
    const listed = "weft.call('run.list', {}).then(({ value }) => value.runs.map((run) => run.workflow).join())"
    expect(await app.evaluate(listed)).toBe('hello')
  } finally {
    process.kill(app.pid, 'SIGTERM')
  }
  expect(await app.exited).toEqual({ code: 0, signal: null })
  expect(app.stderr()).not.toMatch(/ERR_DLOPEN_FAILED|Uncaught|Unhandled/)
  await expect.poll(() => [...app.processes(), ...processesWith(home.mark)]).toEqual([])
})
