// What makes two agent calls the same call: prompt and options, less those that only name or group it.

import { createHash } from 'node:crypto'
import { asCallKey, canonicalJson, type CallKey, type JsonObject } from '../../shared/index.ts'

/** SHA-256 (hex) over the canonical JSON of `{ options, prompt }`, `label` and `phase` left out. */
export function makeCallKey(prompt: string, options: JsonObject): CallKey {
  const { label: _label, phase: _phase, ...rest } = options
  return asCallKey(
    createHash('sha256')
      .update(canonicalJson({ prompt, options: rest }))
      .digest('hex'),
  )
}
