// `weft mcp` with options that the bridge does not know ends here, and is explained; the bridge itself is in cli/bridge.

import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import type { ExitCode } from '../exit-codes.ts'

export function explainBridge(_context: CliContext): Promise<ExitCode> {
  throw new CliError('USAGE', 'weft mcp takes --data-dir, --workspace and --depth <a whole number from 0 on> only')
}
