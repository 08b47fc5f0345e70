// Puts a FakeHost behind `window.weft` of a page, so that the built renderer runs in any Chromium without Electron and host.

import type { Page } from '@playwright/test'
import type { HostPush, WeftBridge } from '../../../src/shared/index.ts'
import type { FakeHost } from './fake-host.ts'

/** To be called before the page is loaded. */
export async function stubBridge(page: Page, host: FakeHost): Promise<void> {
  await page.exposeFunction('weftStubCall', host.answer)
  await page.addInitScript(() => {
    const listeners = new Set<(push: HostPush) => void>()
    // The two functions that tie this page to the test; neither is part of the product.
    const stub = window as unknown as {
      weft: WeftBridge
      weftStubCall: WeftBridge['call']
      weftStubPush(push: HostPush): void
    }
    stub.weftStubPush = (push) => listeners.forEach((listener) => listener(push))
    stub.weft = {
      kind: 'window',
      platform: 'linux',
      call: (name, params) => stub.weftStubCall(name, params),
      onPush(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
  })
  host.onPush((push) => {
    void page.evaluate((value) => {
      // Defined by the script above.
      ;(window as unknown as { weftStubPush(push: unknown): void }).weftStubPush(value)
    }, push)
  })
}
