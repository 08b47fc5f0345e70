import { describe, expect, it } from 'vitest'
import {
  companionPath,
  joinPath,
  noteOnName,
  refuseName,
  renameInText,
  scriptPathOf,
} from '../../../../src/renderer/state/workflows/workflow-names.ts'
import type { WorkflowEntry } from '../../../../src/shared/index.ts'

const entry = (name: string, path: string): WorkflowEntry => ({
  name,
  path,
  fileName: path.slice(path.lastIndexOf('/') + 1),
  description: null,
  whenToUse: null,
  source: 'project',
  shadowedBy: null,
  error: null,
  argsSchema: null,
})
const ENTRIES = [entry('review', '/w/workflows/review.ts'), entry('research', '/app/research.js')]

describe('a name', () => {
  it.each(['', 'Review', 'a b', '-a', 'a--b', '../a', 'a/b', 'review', 'x'.repeat(65)])('%j is refused', (name) => {
    expect(refuseName(name, '/w/workflows', ENTRIES)).toBeTypeOf('string')
  })

  it('may be taken elsewhere, which is told', () => {
    expect(refuseName('research', '/w/workflows', ENTRIES)).toBeUndefined()
    expect(noteOnName('research', '/w/workflows', ENTRIES)).toContain('/app/research.js')
  })
})

describe('paths', () => {
  it('are joined with the separators of their folder', () => {
    expect(joinPath('/w/', 'a', 'b.js')).toBe('/w/a/b.js')
    expect(joinPath('C:\\w', 'a.js')).toBe('C:\\w\\a.js')
  })

  it('of companions lead to their script and back', () => {
    expect(companionPath('/w/workflows/review.ts', 'fixtures')).toBe('/w/workflows/review.fixtures.json')
    expect(scriptPathOf('/w/workflows/review.args.schema.json', ENTRIES)).toBe('/w/workflows/review.ts')
    expect(scriptPathOf('/w/other.json', ENTRIES)).toBeUndefined()
  })
})

describe('renaming in a text', () => {
  const script = (name: string): string => `export const meta = {\n  name: '${name}',\n}\nconst name = 'old'\n`

  it('changes the name in meta and nothing else', () => {
    expect(renameInText(script('old'), 'new', 'old')).toBe(script('new'))
  })

  it('leaves a name alone that was another', () => {
    expect(renameInText(script('mine'), 'new', 'old')).toBe(script('mine'))
    expect(renameInText("const name = 'old'", 'new')).toBe("const name = 'old'")
  })
})
