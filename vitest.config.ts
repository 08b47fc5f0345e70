import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Unit tests run from the sources; integration tests start the built command line and need `npm run build` first.
export default defineConfig({
  test: {
    // One less than there are cores is Vitest's own choice: on two of them half of the machine would look on.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          // No test changes what another one imports, and to start a process and load it all anew costs a fifth of a second a file.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/integration/**', 'test/browser/**', 'test/desktop/**', 'test/clients/**', 'test/fixtures/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          // Real agents, installed on demand: not a part of `npm test`.
          name: 'clients',
          include: ['test/clients/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
