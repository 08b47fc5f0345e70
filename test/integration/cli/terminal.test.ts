import { describe, expect, it } from 'vitest'
import { bin, useWorkbench, type Finished, type Workbench } from '../../support/cli/workbench.ts'

const BODY = "phase('Find'); log('hello'); return await agent('a', { label: 'evil\\u001b[2Jlabel' })"
const ESC = '\u001b'

/** Runs weft on a terminal of 80 × 24, which `script` (of util-linux) makes. */
function onTerminal(bench: Workbench, args: string, env: Record<string, string> = {}): Promise<Finished> {
  const command = `stty cols 80 rows 24; '${process.execPath}' '${bin}' ${args}`
  return bench.start(['--quiet', '--return', '--command', command, '/dev/null'], {
    command: ['script'],
    env: { TERM: 'xterm-256color', ...env },
  }).finished
}

describe('on a terminal', () => {
  it('draws a live tree in colours, with nothing from the script that moves the cursor', async () => {
    const bench = useWorkbench()
    bench.quickScript('seen', BODY)
    const { code, stdout } = await onTerminal(bench, 'run seen.js')
    expect(code).toBe(0)
    expect(stdout).toContain(`${ESC}[?25l`)
    expect(stdout).toContain(`${ESC}[1mseen${ESC}[22m`)
    expect(stdout).toContain('hello')
    expect(stdout).toContain(`${ESC}[32mcompleted, 1 agent${ESC}[39m`)
    expect(stdout).not.toContain(`${ESC}[2J`)
    expect(stdout).toContain('evil\\u001b[2Jlabel')
    expect(stdout.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(stdout.lastIndexOf(`${ESC}[?25l`))
  })

  it('uses no colours with NO_COLOR', async () => {
    const bench = useWorkbench()
    bench.quickScript('seen', BODY)
    const { stdout } = await onTerminal(bench, 'run seen.js', { NO_COLOR: '1' })
    expect(stdout).toContain('completed, 1 agent')
    // oxlint-disable-next-line no-control-regex -- colour sequences are what is looked for
    expect(stdout).not.toMatch(/\u001b\[\d+(;\d+)*m/)
  })
})
