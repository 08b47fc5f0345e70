// The bridge's arguments, read without the parser of the whole command line, which takes too long to load.

import { parseArgs } from 'node:util'

const OPTIONS = {
  'data-dir': { type: 'string' },
  workspace: { type: 'string' },
  depth: { type: 'string' },
} as const

export interface BridgeArguments {
  dataDir: string | undefined
  workspace: string | undefined
  depth: number | undefined
}

/** Whether it is `weft mcp` with nothing but options that the bridge knows; all else is for the whole command line. */
export function isBridgeCall(argv: readonly string[]): boolean {
  return readBridgeArguments(argv) !== undefined
}

/** Undefined when this is no call of the bridge, or one that has to be explained. */
export function readBridgeArguments(argv: readonly string[]): BridgeArguments | undefined {
  if (!argv.includes('mcp')) return undefined
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
    if (positionals.length !== 1 || positionals[0] !== 'mcp') return undefined
    const depth = values.depth === undefined ? undefined : Number(values.depth)
    if (depth !== undefined && (!Number.isInteger(depth) || depth < 0)) return undefined
    return { dataDir: values['data-dir'], workspace: values.workspace, depth }
  } catch {
    return undefined
  }
}
