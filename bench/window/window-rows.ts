// What somebody who watches a large run sees: is every frame there in time, and how long does news take to the screen.

import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from '@playwright/test'
import { median, quantile } from '../lib/measure.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'
import { installStub, type BenchPage, type PageMeasures } from './page-stub.ts'
import { openSite } from './renderer-site.ts'

export const WINDOW_ROWS = {
  frames: {
    name: 'window: 1,000 agents, 16 streaming at 20 events/s, frame p95',
    goal: 'window',
    referenceName: 'allowed, or the same page with nothing to do where that is slower',
    unit: 'ms',
    limit: 1,
  },
  paint: {
    name: 'window: the same, event to paint p95',
    goal: 'window',
    referenceName: 'allowed',
    unit: 'ms',
    limit: 1,
  },
  tasks: {
    name: 'window: the same, longest task',
    goal: 'window',
    referenceName: 'allowed',
    unit: 'ms',
    limit: 1,
  },
  heap: {
    name: 'window: the same, renderer heap after collection',
    goal: 'window',
    referenceName: 'allowed',
    unit: 'MB',
    limit: 1,
  },
} satisfies Record<string, Benchmark>

const FRAME_MS = 17
const PAINT_MS = 100
const TASK_MS = 50
const HEAP_MB = 150
const ROUNDS = 7
const LOOK_MS = 3000
const SYSTEM_CHROMIUM = '/usr/bin/chromium'

export async function measureWindow(rounds = ROUNDS): Promise<Row[]> {
  const site = await openSite()
  const browser = await launch()
  try {
    const page = await openRun(browser, site.url)
    const idle: number[] = []
    const frames: number[] = []
    const paints: number[] = []
    const tasks: number[] = []
    for (let round = -1; round < rounds; round++) {
      // One after the other is the point.
      // oxlint-disable-next-line no-await-in-loop
      const quiet = await measure(page, 0)
      // oxlint-disable-next-line no-await-in-loop -- as above
      const busy = await measure(page, 20)
      if (round < 0) continue
      idle.push(quantile(quiet.frames, 0.95))
      frames.push(quantile(busy.frames, 0.95))
      paints.push(quantile(busy.paints, 0.95))
      tasks.push(Math.max(0, ...busy.longTasks))
    }
    return [
      toRow(WINDOW_ROWS.frames, { ours: median(frames), reference: Math.max(FRAME_MS, median(idle)) }),
      toRow(WINDOW_ROWS.paint, { ours: median(paints), reference: PAINT_MS }),
      toRow(WINDOW_ROWS.tasks, { ours: median(tasks), reference: TASK_MS }),
      toRow(WINDOW_ROWS.heap, { ours: await heapOf(page), reference: HEAP_MB }),
    ]
  } finally {
    await browser.close()
    await site.close()
  }
}

function launch(): Promise<Browser> {
  const named = process.env['CHROMIUM_PATH'] ?? (existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : undefined)
  // Containers run this as root, where Chromium's own sandbox can't start; the page is our own.
  return chromium.launch({ args: ['--no-sandbox'], ...(named !== undefined && { executablePath: named }) })
}

async function openRun(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  await page.addInitScript(`(${installStub.toString()})(1000, 16)`)
  await page.goto(url)
  await page
    .getByRole('navigation', { name: 'Runs' })
    .getByRole('button', { name: /^thousand/ })
    .click()
  const tree = page.getByRole('tree', { name: 'Run tree' })
  await tree.focus()
  // The agents that stream are the last ones: they have to be in view.
  await page.keyboard.press('End')
  await tree.getByRole('treeitem', { name: /^agent 985/ }).waitFor()
  return page
}

function measure(page: Page, eventsPerSecond: number): Promise<PageMeasures> {
  return page.evaluate(
    // What page-stub.ts put there.
    ([ms, rate]) => (globalThis as unknown as BenchPage).weftMeasure(ms, rate),
    [LOOK_MS, eventsPerSecond] as const,
  )
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1_000_000
}
