// The very first start: with nothing of one's own yet, a bundled sample is open, its dry run one click away.

import type { WorkflowEntry } from '../../../shared/index.ts'
import type { Memory } from '../storage.ts'

const KEY = 'welcomed'
/** It needs no args to be dry-run. */
const SAMPLE = 'bug-hunt'

/** The sample to open, once in the life of an installation; undefined where there are workflows of one's own. */
export function takeFirstSample(entries: readonly WorkflowEntry[], memory: Memory): string | undefined {
  if (memory.read(KEY) === true || entries.some(({ source }) => source !== 'bundled')) return undefined
  const bundled = entries.filter((entry) => entry.error === null)
  const sample = bundled.find(({ name }) => name === SAMPLE) ?? bundled[0]
  if (sample !== undefined) memory.write(KEY, true)
  return sample?.path
}
