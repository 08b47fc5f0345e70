// All migrations in their order. A new one gets the next number, a file of its own, and a test.

import { initial } from './0001-initial.ts'
import { search } from './0002-search.ts'
import { harnessRecords } from './0003-harness-records.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [initial, search, harnessRecords]

export type { Migration }
