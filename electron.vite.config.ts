import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

// One build runs in two runtimes: the Electron that the product ships with, and the older one that
// tests use where Electron's download is out of reach. The syntax level is that of the older one.
const NODE_TARGET = 'node18.15'
const CHROME_TARGET = 'chrome114'

const at = (path: string): string => resolve(import.meta.dirname, path)

export default defineConfig({
  main: {
    build: {
      target: NODE_TARGET,
      // A native addon stays in node_modules, everything else is bundled.
      externalizeDeps: { include: ['better-sqlite3'] },
      rolldownOptions: {
        input: {
          index: at('src/main/index.ts'),
          weft: at('src/cli/weft.ts'),
          'sandbox-worker': at('src/engine/sandbox/worker.ts'),
          'checker-worker': at('src/engine/check/worker.ts'),
          'writer-worker': at('src/store/writer-worker.ts'),
          'answer-worker': at('src/agents/simulated/generate/answer-worker.ts'),
          reaper: at('src/agents/process/reaper.ts'),
        },
        // Electron before 28 cannot load an ES module as its main process.
        output: {
          format: 'cjs',
          strict: true,
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
        },
      },
    },
  },
  preload: {
    build: {
      target: NODE_TARGET,
      // A sandboxed preload has to be one self-contained CommonJS file.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [react()],
    worker: { format: 'es' },
    build: {
      target: CHROME_TARGET,
      // Half the size, at no cost of time: the page holds an editor and a whole TypeScript.
      minify: 'oxc',
      chunkSizeWarningLimit: 8000,
      rolldownOptions: { input: at('src/renderer/index.html') },
    },
  },
})
