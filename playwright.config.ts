import { defineConfig } from '@playwright/test'

// Both projects need `npm run build` first. Browser: the page that `weft serve` gives out, in Chromium. Desktop: the built
// app in the Electron that node_modules names, or in the one of ELECTRON_OVERRIDE_DIST_PATH.
export default defineConfig({
  testDir: 'test',
  outputDir: 'test-results',
  // Two cores: a page waits more than it works. Windows of a desktop would take the focus from each other.
  workers: 2,
  // Several seconds each; a machine that others use as well takes many times that.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] === 'true',
  reporter: [['list']],
  projects: [
    { name: 'browser', testMatch: 'browser/**/*.spec.ts' },
    { name: 'desktop', testMatch: 'desktop/**/*.spec.ts', workers: 1 },
    { name: 'package', testMatch: 'package/**/*.spec.ts' },
  ],
})
