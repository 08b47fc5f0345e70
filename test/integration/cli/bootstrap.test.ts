import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bin, root, useWorkbench } from '../../support/cli/workbench.ts'

// Stands in for a Node that is too old: what a program asks about its runtime is all that tells.
const OLD_NODE =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0",napi:"9"}})'
const old = [process.execPath, '--import', OLD_NODE, bin]

describe('the bootstrap', () => {
  it('works from any folder and through a symbolic link', async () => {
    const bench = useWorkbench()
    const link = join(bench.folder, 'weft')
    symlinkSync(bin, link)
    const direct = await bench.start(['--version'], { cwd: '/' }).finished
    const linked = await bench.start(['--version'], { command: [process.execPath, link] }).finished
    expect(direct).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    expect(linked).toEqual(direct)
  })

  it('hands over to the bundled Node where this one is too old, with arguments, output and exit code', async () => {
    const bench = useWorkbench()
    bench.script('args', 'return args')
    const { code, stdout } = await bench.start(['run', 'args.js', '--args', '"a b\\n`$c`"', '--json'], { command: old })
      .finished
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ result: 'a b\n`$c`' })
    expect((await bench.start(['nonsense'], { command: old }).finished).code).toBe(2)
  })

  it('passes Ctrl-C on, once', async () => {
    const bench = useWorkbench()
    bench.useAgent('hang-agent.mjs')
    bench.script('long', "return await agent('wait')")
    const run = bench.start(['run', 'long.js'], { command: old })
    await run.says(/→/)
    run.process.kill('SIGINT')
    const { code, stdout } = await run.finished
    expect(code).toBe(130)
    expect(stdout).toContain('cancelled (Ctrl-C)')
    await bench.quiet()
  })

  it('takes the program with it when it is killed', async () => {
    const bench = useWorkbench()
    bench.useAgent('hang-agent.mjs')
    bench.script('long', "return await agent('wait')")
    const run = bench.start(['run', 'long.js'], { command: old })
    await run.says(/→/)
    run.process.kill('SIGKILL')
    await bench.quiet(8000)
    expect(JSON.parse((await bench.weft('runs', '--json')).stdout)).toMatchObject([{ status: 'interrupted' }])
  })

  it('says which command to run where it is not built, and where there is no newer Node', async () => {
    const bench = useWorkbench()
    const copy = join(bench.folder, 'copy')
    mkdirSync(join(copy, 'bin'), { recursive: true })
    cpSync(bin, join(copy, 'bin', 'weft.mjs'))
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    const start = (command: string[]) => bench.start(['--version'], { command }).finished
    const notBuilt = await start([process.execPath, join(copy, 'bin', 'weft.mjs')])
    expect(notBuilt).toMatchObject({ code: 2, stdout: '' })
    expect(notBuilt.stderr).toContain(`Run "npm ci && npm run build" in ${copy}.`)
    mkdirSync(join(copy, 'out', 'main'), { recursive: true })
    writeFileSync(join(copy, 'out', 'main', 'weft.cjs'), '')
    // The package without its binary, as an install without scripts leaves it.
    mkdirSync(join(copy, 'node_modules', 'node'), { recursive: true })
    writeFileSync(join(copy, 'node_modules', 'node', 'package.json'), '{"name":"node"}')
    const tooOld = await start([process.execPath, '--import', OLD_NODE, join(copy, 'bin', 'weft.mjs')])
    expect(tooOld).toMatchObject({ code: 2, stdout: '' })
    expect(tooOld.stderr).toContain('Node 22.14 or newer is needed')
  })

  it('is the command that the package declares', async () => {
    const bench = useWorkbench()
    const npx = await bench.start(['--version'], { cwd: root, command: ['npm', 'run', '--silent', 'weft', '--'] })
      .finished
    expect(npx).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })
})
