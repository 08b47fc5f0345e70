// Every query of the store, prepared on one connection.

import type Database from 'better-sqlite3'
import { CallQueries } from './call-queries.ts'
import { EventQueries } from './event-queries.ts'
import { HistoryQueries } from './history-queries.ts'
import { RecordQueries } from './record-queries.ts'
import { RunQueries } from './run-queries.ts'
import { SearchQueries } from './search-queries.ts'
import { SettingQueries } from './setting-queries.ts'

export function prepareQueries(db: Database.Database) {
  return {
    runs: new RunQueries(db),
    events: new EventQueries(db),
    calls: new CallQueries(db),
    history: new HistoryQueries(db),
    settings: new SettingQueries(db),
    records: new RecordQueries(db),
    search: new SearchQueries(db),
  }
}
