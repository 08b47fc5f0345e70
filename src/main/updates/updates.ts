// New versions of the app. Nothing is looked for in development or where the settings say off; nothing is downloaded that
// the user has not asked for, be it now or by the setting `auto`; and nothing is installed before the app ends by itself.

export interface UpdateSettings {
  mode: 'off' | 'notify' | 'auto'
  channel: 'latest' | 'beta'
}

/** The library behind it, once it is loaded. */
export interface Updater {
  /** The newer version, if there is one. */
  check(channel: UpdateSettings['channel']): Promise<string | undefined>
  /** Gets it; it is installed when the app ends. */
  download(): Promise<void>
}

export interface UpdatesPorts {
  /** Why this copy can't update itself, in words; undefined when it can. */
  unable: string | undefined
  settings(): Promise<UpdateSettings>
  load(): Promise<Updater>
  /** Whether the user wants this version now. */
  ask(version: string): Promise<boolean>
  tell(message: string, detail: string): Promise<void>
  onError(error: unknown): void
}

export interface Updates {
  /** Looks now and then, from now on. Returns the function that ends it. */
  start(): () => void
  /** The user wants to know: answers in any case, whatever the settings. */
  checkNow(): Promise<void>
}

/** The start of the app has better things to do. */
const FIRST_MS = 60_000
const EVERY_MS = 24 * 3600_000

export function createUpdates(ports: UpdatesPorts): Updates {
  let loading: Promise<Updater> | undefined
  /** Got already, or told about and put off: not to be told again. */
  let settled: string | undefined

  const look = async (settings: UpdateSettings, asked: boolean): Promise<void> => {
    loading ??= ports.load()
    // What could not be loaded once may be the next time.
    loading.catch(() => (loading = undefined))
    const updater = await loading
    const version = await updater.check(settings.channel)
    if (version === undefined) {
      if (asked) await ports.tell('Weft is up to date.', `Looked for on the channel "${settings.channel}".`)
      return
    }
    if (version === settled && !asked) return
    settled = version
    if (settings.mode !== 'auto' && !(await ports.ask(version))) return
    await updater.download()
    await ports.tell(`Weft ${version} is ready.`, 'It is installed when you quit Weft.')
  }

  const lookByItself = async (): Promise<void> => {
    const settings = await ports.settings()
    if (settings.mode !== 'off') await look(settings, false)
  }

  return {
    start() {
      if (ports.unable !== undefined) return () => {}
      const later = (): void => void lookByItself().catch(ports.onError)
      const first = setTimeout(later, FIRST_MS)
      const every = setInterval(later, EVERY_MS)
      return () => {
        clearTimeout(first)
        clearInterval(every)
      }
    },
    async checkNow() {
      if (ports.unable !== undefined) return ports.tell('Weft does not update itself here.', ports.unable)
      try {
        await look(await ports.settings(), true)
      } catch (error) {
        ports.onError(error)
        await ports.tell('No update could be looked for.', error instanceof Error ? error.message : String(error))
      }
    },
  }
}
