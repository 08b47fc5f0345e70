import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../../support/cli/workbench.ts'

describe('validate', () => {
  it('shows each finding with its line and a caret, and exits with 2', async () => {
    const bench = useWorkbench()
    bench.script('good', 'return 1')
    bench.script('bad', 'const p = `run `last -F` now`')
    const { code, stdout } = await bench.weft('validate', 'good.js', 'bad.js')
    expect(code).toBe(2)
    expect(stdout).toContain('✓ good.js\n')
    expect(stdout).toMatch(/^bad\.js:2:\d+: error: .* \[parse\/syntax\]$/m)
    expect(stdout).toContain('  2 | const p = `run `last -F` now`\n    | ')
    expect(stdout).toMatch(/^1 error, \d+ warnings? in 2 files$/m)
    expect(stdout).not.toContain('TypeScript')
  })

  it('prints one array of findings with --json', async () => {
    const bench = useWorkbench()
    bench.script('bad', 'return 1\nimport "x"')
    const { code, stdout } = await bench.weft('validate', 'bad.js', 'missing.js', '--json')
    expect(code).toBe(2)
    const findings = JSON.parse(stdout) as Record<string, unknown>[]
    for (const finding of findings) {
      expect(finding).toMatchObject({
        file: expect.stringMatching(/^(bad|missing)\.js$/),
        line: expect.any(Number),
        column: expect.any(Number),
        endLine: expect.any(Number),
        endColumn: expect.any(Number),
        severity: expect.stringMatching(/^(error|warning|info)$/),
        code: expect.stringMatching(/\w+\/[\w-]+/),
        message: expect.any(String),
      })
    }
    expect(findings.map(({ file, line }) => `${String(file)}:${String(line)}`)).toEqual(['bad.js:3', 'missing.js:1'])
  })

  it('exits with 0 when there are only warnings, or nothing', async () => {
    const bench = useWorkbench()
    bench.write('a.js', "export const meta = { name: 'Not Kebab', description: 'd' }\nreturn 1\n")
    const { code, stdout } = await bench.weft('validate', 'a.js', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ severity: 'warning', line: 1 })])
    bench.script('good', 'return 1')
    expect(await bench.weft('validate', 'good.js', '--json')).toMatchObject({ code: 0, stdout: '[]\n' })
  })
})
