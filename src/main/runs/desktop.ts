// The desktop around the windows: tray, badge and notifications. Each of them is missing on some desktop; the app does
// without, and says so in the log once.

import { app, BrowserWindow, Menu, nativeImage, Notification, Tray, type MenuItemConstructorOptions } from 'electron'
import type { Logger } from '../logger.ts'
import type { Notice } from './notifier.ts'

/** Pictures of the build, absolute: the tray's own and, for Windows, the mark on the taskbar's button. */
export interface DesktopIcons {
  tray: string
  badge: string
}

export class Desktop {
  readonly #icons: DesktopIcons
  readonly #logger: Logger
  /** Shown ones: without anyone who holds it a notification is collected, and its click with it. */
  readonly #notices = new Set<Notification>()
  readonly #missing = new Set<string>()
  #tray: Tray | undefined

  constructor(icons: DesktopIcons, logger: Logger) {
    this.#icons = icons
    this.#logger = logger
  }

  notify({ title, body, urgent, onClick }: Notice): void {
    if (!Notification.isSupported()) return this.#lacks('notifications')
    this.#try('notifications', () => {
      const notification = new Notification({ title, body, urgency: urgent ? 'critical' : 'normal' })
      const forget = (): void => void this.#notices.delete(notification)
      this.#notices.add(notification)
      notification.once('click', () => {
        forget()
        onClick()
      })
      notification.once('close', forget)
      notification.once('failed', (_event, error) => {
        forget()
        this.#lacks('notifications', error)
      })
      notification.show()
    })
  }

  setBadge(count: number): void {
    this.#try('badges', () => {
      if (process.platform !== 'win32') return void app.setBadgeCount(count)
      // Windows counts nothing, but a button of the taskbar can wear a mark.
      const mark = count === 0 ? null : nativeImage.createFromPath(this.#icons.badge)
      for (const window of BrowserWindow.getAllWindows()) window.setOverlayIcon(mark, count === 0 ? '' : String(count))
    })
  }

  /** `template` undefined: no tray. `onClick` where a desktop tells clicks apart from opening the menu. */
  showTray(template: MenuItemConstructorOptions[] | undefined, tooltip: string, onClick: () => void): void {
    this.#try('a tray', () => {
      if (template === undefined) return this.close()
      if (this.#tray === undefined) {
        const icon = nativeImage.createFromPath(this.#icons.tray)
        // A Mac colours it for its bar.
        if (process.platform === 'darwin') icon.setTemplateImage(true)
        this.#tray = new Tray(icon)
        if (process.platform === 'win32') this.#tray.on('click', onClick)
      }
      this.#tray.setToolTip(tooltip)
      // Linux takes changes of the menu only with a new one.
      this.#tray.setContextMenu(Menu.buildFromTemplate(template))
    })
  }

  close(): void {
    this.#tray?.destroy()
    this.#tray = undefined
  }

  #try(what: string, act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#lacks(what, error)
    }
  }

  #lacks(what: string, error?: unknown): void {
    if (this.#missing.has(what)) return
    this.#missing.add(what)
    this.#logger.warn(`This desktop has no ${what.replace(/^a /, '')}: the app goes on without`, { error })
  }
}
