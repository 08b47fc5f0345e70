// Tray, badge and notifications of the app, noted instead of shown: no test has a desktop around it that shows them.

import type { ElectronApplication } from '@playwright/test'
import type { Menu, MenuItem, Notification } from 'electron'

interface Recorded {
  menu: Menu | undefined
  badge: number
  notices: Notification[]
}

export interface RecordedDesktop {
  /** The labels of the tray's menu; undefined while there is no tray. */
  tray(): Promise<string[] | undefined>
  /** Clicks an item of the tray's menu, at any depth. */
  clickTray(label: string): Promise<void>
  badge(): Promise<number>
  notices(): Promise<{ title: string; body: string }[]>
  /** Clicks the notice that was shown last. */
  clickNotice(): Promise<void>
}

export async function recordDesktop(electron: ElectronApplication): Promise<RecordedDesktop> {
  await electron.evaluate(({ app, Tray, Notification }) => {
    const recorded: Recorded = { menu: undefined, badge: 0, notices: [] }
    Object.assign(globalThis, { desktopForTest: recorded })
    Tray.prototype.setContextMenu = (menu) => void (recorded.menu = menu ?? undefined)
    const destroy = Tray.prototype.destroy
    Tray.prototype.destroy = function (this: Electron.Tray) {
      recorded.menu = undefined
      destroy.call(this)
    }
    app.setBadgeCount = (count) => {
      recorded.badge = count ?? 0
      return true
    }
    Notification.isSupported = () => true
    Notification.prototype.show = function (this: Electron.Notification) {
      recorded.notices.push(this)
    }
  })
  const clickTray = (label: string) =>
    electron.evaluate((_electron, wanted) => {
      // Put there above.
      const { menu } = (globalThis as unknown as { desktopForTest: Recorded }).desktopForTest
      const all = (items: readonly MenuItem[]): MenuItem[] =>
        items.flatMap((item) => [item, ...(item.submenu ? all(item.submenu.items) : [])])
      all(menu?.items ?? [])
        .find((item) => item.label === wanted)
        ?.click()
    }, label)
  return {
    clickTray,
    tray: () =>
      electron.evaluate(() =>
        (globalThis as unknown as { desktopForTest: Recorded }).desktopForTest.menu?.items.map((item) => item.label),
      ),
    badge: () => electron.evaluate(() => (globalThis as unknown as { desktopForTest: Recorded }).desktopForTest.badge),
    notices: () =>
      electron.evaluate(() =>
        (globalThis as unknown as { desktopForTest: Recorded }).desktopForTest.notices.map(({ title, body }) => ({
          title,
          body,
        })),
      ),
    clickNotice: () =>
      electron.evaluate(() => {
        const { notices } = (globalThis as unknown as { desktopForTest: Recorded }).desktopForTest
        notices.at(-1)?.emit('click')
      }),
  }
}
