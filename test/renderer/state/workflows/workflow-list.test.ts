import { expect, it } from 'vitest'
import { groupWorkflows } from '../../../../src/renderer/state/workflows/workflow-list.ts'
import type { WorkflowEntry } from '../../../../src/shared/index.ts'

const entry = (name: string, source: WorkflowEntry['source']): WorkflowEntry => ({
  name,
  source,
  description: null,
  whenToUse: null,
  path: `/${source}/${name}.js`,
  fileName: `${name}.js`,
  shadowedBy: null,
  error: null,
  argsSchema: null,
})

it('groups workflows by where they come from, project first, each by name', () => {
  const entries = [entry('z', 'bundled'), entry('b', 'claude'), entry('a', 'project'), entry('c', 'weft')]
  const sections = groupWorkflows(entries).map(({ title, entries: members }) => [
    title,
    members.map(({ name }) => name),
  ])
  expect(sections).toEqual([
    ['Project', ['a', 'b', 'c']],
    ['Bundled', ['z']],
  ])
})
