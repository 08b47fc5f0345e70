// Who may come in by the browser door: the right host name, the right origin, and the token or the cookie it was changed for.

import type { IncomingMessage } from 'node:http'
import { equalSecrets, makeSecret } from '../lib/secrets.ts'

export class DoorGuard {
  /** Shown once, in the address that is printed. */
  readonly token = makeSecret()
  readonly #cookie = makeSecret()
  #port = 0

  /** Cookies are shared by all ports of a host, so the name tells two doors apart. */
  listenOn(port: number): void {
    this.#port = port
  }

  /**
   * Undefined, or why a request is refused before anything else is looked at: a name that was made to point here
   * (DNS rebinding), or a page of another origin.
   */
  refusal(request: IncomingMessage): string | undefined {
    if (!this.#hosts().includes(request.headers.host ?? '')) return 'unknown host'
    const origin = request.headers.origin
    if (origin !== undefined && origin !== `http://${request.headers.host}`) return 'foreign origin'
    const site = request.headers['sec-fetch-site']
    const navigates = request.headers['sec-fetch-mode'] === 'navigate'
    if ((site === 'cross-site' || site === 'same-site') && !navigates) return 'foreign page'
    return undefined
  }

  /** Browsers name the origin of every WebSocket: one without is none of ours. */
  hasOwnOrigin(request: IncomingMessage): boolean {
    return request.headers.origin === `http://${request.headers.host}`
  }

  hasToken(url: URL): boolean {
    return equalSecrets(url.searchParams.get('token') ?? '', this.token)
  }

  hasCookie(request: IncomingMessage): boolean {
    const prefix = `${this.#cookieName()}=`
    const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim())
    return cookies.some((part) => part.startsWith(prefix) && equalSecrets(part.slice(prefix.length), this.#cookie))
  }

  setCookie(): string {
    return `${this.#cookieName()}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict`
  }

  #cookieName(): string {
    return `weft-${this.#port}`
  }

  #hosts(): string[] {
    return [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`]
  }
}
