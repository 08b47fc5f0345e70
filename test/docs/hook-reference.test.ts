import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
// A plain script without types: what it exports is described here.
const { readDeclarations, renderReference, renderContract } = (await import(
  join(root, 'scripts/hook-reference.mjs')
)) as {
  readDeclarations(source: string): { doc: string; code: string }[]
  renderReference(source: string): string
  renderContract(source: string): string
}
const types = readFileSync(join(root, 'types/workflow.d.ts'), 'utf8')

describe('docs/guide/hooks.md', () => {
  it('is what types/workflow.d.ts says', () => {
    expect(readFileSync(join(root, 'docs/guide/hooks.md'), 'utf8')).toBe(renderReference(types))
  })

  it('has a section for every hook', () => {
    const page = renderReference(types)
    const hooks = ['agent', 'parallel', 'pipeline', 'phase', 'log', 'workflow', 'budget', 'args', 'console']
    expect(hooks.filter((hook) => !page.includes(`## \`${hook}\`\n\n`))).toEqual([])
  })

  it('documents every declaration of the hooks', () => {
    const documented = readDeclarations(types).map(({ code }) => code)
    const names = [...types.matchAll(/^declare (?:function|const) (\w+)/gm)].map((match) => match[1])
    expect(
      names.filter(
        (name) => !documented.some((code) => new RegExp(`^declare (function|const) ${name}\\b`, 'm').test(code)),
      ),
    ).toEqual([])
  })
})

describe('src/tools/manifest/hook-contract.ts', () => {
  it('is what types/workflow.d.ts says', () => {
    const written = readFileSync(join(root, 'src/tools/manifest/hook-contract.ts'), 'utf8')
    expect(written).toBe(renderContract(types))
  })

  it('declares every hook and the options of an agent, and none of the helper types', () => {
    const page = renderContract(types)
    const hooks = [...types.matchAll(/^declare (?:function|const) (\w+)/gm)].map(([line]) => line)
    expect(
      [...hooks, 'interface AgentOptions', 'interface WorkflowMeta'].filter((hook) => !page.includes(hook)),
    ).toEqual([])
    expect(page).not.toMatch(/^ {2}'type (?:FromSchema|SchemaFlat|PipelineStage)/m)
  })
})
