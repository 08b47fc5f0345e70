import { afterAll, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine({
  workers: {
    sandbox: new URL('../../../src/engine/sandbox/worker.ts', import.meta.url),
    checker: new URL('../../../src/engine/check/worker.ts', import.meta.url),
  },
})
afterAll(() => engine.dispose())

test('the workers run straight from their sources too', async () => {
  const run = await runScript(engine, `return [await agent('a'), typeof process]`)
  expect(run.result).toEqual(['answer to a', 'undefined'])
})
