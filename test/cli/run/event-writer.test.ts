import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutput } from '../../../src/cli/output/output.ts'
import { openEventWriter } from '../../../src/cli/run/event-writer.ts'
import { liveRun } from '../render/sample-runs.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-events-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const { events } = liveRun()

describe('openEventWriter', () => {
  it('has written each batch to its file when it returns', () => {
    const out = createOutput(new Writable())
    const writer = openEventWriter('e.jsonl', folder, out)
    writer.write(events.slice(0, 2))
    writer.write(events.slice(2))
    const lines = readFileSync(join(folder, 'e.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(events)
    writer.close()
  })

  it('refuses a path that cannot be written before anything runs', () => {
    const out = createOutput(new Writable())
    expect(() => openEventWriter('no/such/folder/e.jsonl', folder, out)).toThrow(
      "--events can't write no/such/folder/e.jsonl: ENOENT",
    )
  })
})
