// All migrations in their order. A new one gets the next number, a file of its own, and a test.

import { initial } from './0001-initial.ts'
import { search } from './0002-search.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [initial, search]

export type { Migration }
