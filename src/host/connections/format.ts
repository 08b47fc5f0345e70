// What a format has to know to be edited.

import type { JsonObject } from '../../shared/index.ts'

/** What Weft is called among a harness's servers. */
export const ENTRY = 'weft'

export interface Format {
  /** The whole text's value; empty text is an empty object. Throws HostError with the place. */
  parse(text: string): unknown
  /** `entry` undefined takes it out. The container need not be there. */
  edit(text: string, container: string, entry: JsonObject | undefined): string
}
