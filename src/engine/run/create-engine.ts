// Puts the engine together: one checker, one pool of sandboxes and one cap across runs, shared by all of its runs.

import { createChecker } from '../check/checker.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import { SharedPermits } from './permits.ts'
import { Run, type RunTools } from './run.ts'
import { SandboxPool } from '../sandbox/pool.ts'

const DEFAULT_CHECK_TIMEOUT_MS = 10_000
const DEFAULT_SYNC_TIMEOUT_MS = 5000
const DEFAULT_MEMORY_MIB = 512

export function createEngine(options: EngineOptions): Engine {
  const checker = createChecker({
    file: options.workers.checker,
    timeoutMs: options.checkTimeoutMs ?? DEFAULT_CHECK_TIMEOUT_MS,
    logger: options.logger,
  })
  const limits = {
    syncTimeoutMs: options.syncTimeoutMs ?? DEFAULT_SYNC_TIMEOUT_MS,
    memoryMiB: options.memoryMiB ?? DEFAULT_MEMORY_MIB,
  }
  const pool = new SandboxPool(options.workers.sandbox, limits)
  const permits = new SharedPermits(options.maxConcurrentAgentsOverall ?? Number.POSITIVE_INFINITY)
  const tools: RunTools = { engine: { ...options, ...limits }, pool, permits, checker }
  const live = new Set<Run>()

  return {
    prepare: (source) => checker.prepare(source),
    diagnose: (source, known) => checker.diagnose(source, known),
    async findViolations(schema, value) {
      const compiled = await checker.compileSchema(schema)
      // A broken schema is marked where it is written: it does not keep anyone from starting.
      if (!compiled.ok) return []
      const verdict = await checker.validate(schema, value, 'plain')
      return verdict.ok ? [] : verdict.errors
    },
    start(run) {
      const started = new Run(tools, run)
      live.add(started)
      void started.settled.then(() => live.delete(started))
      return started
    },
    async dispose() {
      const runs = [...live]
      for (const run of runs) run.cancel('the program is ending')
      await Promise.all(runs.map((run) => run.settled))
      pool.close()
      await checker.dispose()
    },
  }
}
