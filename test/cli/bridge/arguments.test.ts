import { expect, test } from 'vitest'
import { readBridgeArguments } from '../../../src/cli/bridge/arguments.ts'

test('the bridge knows its call and its options, wherever they stand', () => {
  const nothing = { dataDir: undefined, workspace: undefined, depth: undefined }
  expect(readBridgeArguments(['mcp'])).toEqual(nothing)
  expect(readBridgeArguments(['--data-dir', '/d', 'mcp', '--workspace=/w', '--depth', '2'])).toEqual({
    dataDir: '/d',
    workspace: '/w',
    depth: 2,
  })
})

test.each([
  [[]],
  [['run', 'mcp']],
  [['mcp', '--help']],
  [['mcp', '--depth', 'x']],
  [['help', 'mcp']],
  [['mcp', 'mcp']],
])('%j is for the whole command line', (argv) => {
  expect(readBridgeArguments(argv)).toBeUndefined()
})
