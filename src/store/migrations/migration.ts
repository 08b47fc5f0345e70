// What a migration is: one step of the schema, never changed once released.

export interface Migration {
  /** The database's `user_version` after it. */
  version: number
  name: string
  sql: string
}
