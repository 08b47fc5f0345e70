// What a page may not do, whatever its script says: leave, open windows, ask for permissions, load from elsewhere.

import { app, session, shell, type WebContents } from 'electron'
import { APP_ORIGIN, isAppUrl } from './renderer-files.ts'

/** Schemes that a request may go to; the first is the app's own, the others never leave the process. */
const OWN_SCHEMES: ReadonlySet<string> = new Set(['app:', 'blob:', 'data:', 'devtools:'])
/** Writing text to the clipboard after a click: what every copy button does. */
const OWN_PERMISSION = 'clipboard-sanitized-write'

/** For the one session that all windows share. Has to be called when the app is ready, before the first window. */
export function guardSession(): void {
  const own = session.defaultSession
  own.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === OWN_PERMISSION && isAppUrl(contents.getURL())),
  )
  own.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === OWN_PERMISSION && isAppUrl(`${origin}/`),
  )
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event, item) => {
    if (!isOwnDownload(item.getURL())) return event.preventDefault()
    item.setSaveDialogOptions({ title: 'Save As', defaultPath: item.getFilename() })
  })
  own.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isOwnRequest(details.url) }))
}

/** Guards every page that is ever made, also ones that nobody foresaw. */
export function guardAllContents(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents))
}

function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (event, url) => {
    event.preventDefault()
    openOutside(url)
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
}

/** Links lead to the system's browser, and only `https:` ones: a scheme of some program's own would start that program. */
function openOutside(address: string): void {
  if (/^https:\/\//i.test(address)) void shell.openExternal(address)
}

/** Only what a page of the app made itself: an export, a copy of a result. */
function isOwnDownload(address: string): boolean {
  return address.startsWith(`blob:${APP_ORIGIN}/`)
}

function isOwnRequest(address: string): boolean {
  try {
    return OWN_SCHEMES.has(new URL(address).protocol)
  } catch {
    return false
  }
}
