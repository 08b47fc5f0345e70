// Harnesses whose configuration Weft knows, and what stands of Weft in it.

export type ConnectionScope = 'user' | 'project'

export interface HarnessConnection {
  id: string
  title: string
  /** Its program on PATH; null when there is none there. */
  program: string | null
  /** Its program or its folder of settings is on this machine. */
  found: boolean
  files: ConnectionFile[]
  /** How the names begin that it gives itself when it connects, in small letters. */
  clientNames: string[]
  /** What the user has to know or set besides. */
  notes: string[]
}

export interface ConnectionFile {
  scope: ConnectionScope
  path: string
  exists: boolean
  /** `changed`: its entry for Weft says something else than it would now. `unreadable`: see `problem`. */
  state: 'absent' | 'connected' | 'changed' | 'unreadable'
  /** Why it can't be read or edited, with line and column where there is one. */
  problem: string | null
}

/** What would be written, without the rest of the file: that may hold secrets. */
export interface ConnectionPreview {
  path: string
  exists: boolean
  /** Nothing would be changed. */
  unchanged: boolean
  /** The entry by itself, as it stands in a file that holds nothing else. */
  entry: string
  /** The first line that changes, from 1; these lines give way to those. */
  line: number
  removed: string[]
  added: string[]
  /** Of the file as it is; given to the call that writes, a file that changed meanwhile is left alone. */
  hash: string
  notes: string[]
}

export interface ConnectionChange {
  path: string
  /** False: it said so already. */
  changed: boolean
  /** The copy of the file as it was. */
  backup: string | null
}
