import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'

describe('a second command line', () => {
  it('acts through the host that runs already', async () => {
    const bench = useWorkbench()
    bench.useAgent('hang-agent.mjs')
    bench.script('long', "return await agent('wait')")
    bench.script('short', 'return 42')
    const long = bench.start(['run', 'long.js'])
    const [, id = ''] = await long.says(/long \((\w+)/)
    const short = await bench.json('run', 'short.js')
    expect(short).toMatchObject({ code: 0, document: { result: 42 } })
    const live = JSON.parse((await bench.weft('runs', '--json', '--status', 'running')).stdout) as object[]
    expect(live).toMatchObject([{ runId: id, status: 'running' }])
    expect((await bench.weft('cancel', id)).code).toBe(0)
    expect((await long.finished).code).toBe(4)
    await bench.quiet()
  })

  it('is not cut off when the command that owns the host has finished', async () => {
    const bench = useWorkbench()
    bench.useAgent('hang-agent.mjs')
    bench.script('long', "return await agent('wait')")
    const owner = bench.start(['run', 'long.js'])
    const [, first = ''] = await owner.says(/long \((\w+)/)
    const guest = bench.start(['run', 'long.js'])
    const [, second = ''] = await guest.says(/long \((\w+)/)
    expect((await bench.weft('cancel', first)).code).toBe(0)
    await owner.says(/waiting for runs that others started/, 'stderr')
    expect((await bench.weft('cancel', second, '--reason', 'done')).code).toBe(0)
    const { code, stdout } = await guest.finished
    expect(code).toBe(4)
    expect(stdout).toContain('cancelled (done)')
    expect((await owner.finished).code).toBe(4)
    await bench.quiet()
  })

  it('that is killed leaves its run going in the host that it used', async () => {
    const bench = useWorkbench()
    bench.useAgent('counting-agent.mjs', [bench.folder])
    bench.script('long', "return await agent('HOLD')")
    const owner = bench.start(['run', 'long.js'])
    await owner.says(/long \((\w+)/)
    const guest = bench.start(['run', 'long.js'])
    const [, id = ''] = await guest.says(/long \((\w+)/)
    guest.process.kill('SIGKILL')
    await guest.finished
    expect((await bench.json('show', id)).document).toMatchObject({ outcome: 'running' })
    writeFileSync(join(bench.folder, 'open'), '')
    expect((await owner.finished).code).toBe(0)
    expect((await bench.json('show', id)).document).toMatchObject({ outcome: 'completed', result: 'HOLD!' })
    await bench.quiet()
  })

  it('says that its run is interrupted when the host it runs in is killed', async () => {
    const bench = useWorkbench()
    bench.useAgent('hang-agent.mjs')
    bench.script('long', "return await agent('wait')")
    const owner = bench.start(['run', 'long.js'])
    await owner.says(/long \((\w+)/)
    const guest = bench.start(['run', 'long.js', '--json'])
    const [, id = ''] = await guest.says(/long \((\w+)/, 'stderr')
    owner.process.kill('SIGKILL')
    const { code, stdout } = await guest.finished
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      runId: id,
      outcome: 'error',
      error: { message: expect.stringContaining('host is gone') },
    })
    await bench.quiet()
  })

  it('waits for a host that is just starting or ending, however many there are', async () => {
    const bench = useWorkbench()
    bench.script('short', 'return 42')
    const all = await Promise.all(Array.from({ length: 4 }, () => bench.json('run', 'short.js')))
    expect(all.map(({ code, document }) => [code, document['result']])).toEqual(all.map(() => [0, 42]))
    expect(JSON.parse((await bench.weft('runs', '--json')).stdout)).toHaveLength(4)
  })
})
