import type { Logger } from '../../../src/engine/index.ts'

const quiet = (): void => undefined

export const quietLogger: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
