// A harness that is connected to the tool server right now, as it names itself.

export interface ConnectedHarness {
  /** Good while it is connected. */
  id: string
  /** Null until it has said so. */
  name: string | null
  version: string | null
  workspace: string
  /** Milliseconds since the epoch. */
  since: number
  /** Tool calls so far, those that are under way with them. */
  calls: number
}
