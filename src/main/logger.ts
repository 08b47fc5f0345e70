// The logger of the layers below, under a name of its own.

import type { HostOptions } from '../host/index.ts'

export type Logger = HostOptions['logger']
