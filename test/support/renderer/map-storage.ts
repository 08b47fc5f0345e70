// localStorage for tests that run without a browser.

export class MapStorage {
  readonly #values = new Map<string, string>()
  getItem = (key: string): string | null => this.#values.get(key) ?? null
  setItem = (key: string, value: string): void => void this.#values.set(key, value)
  removeItem = (key: string): void => void this.#values.delete(key)
}
