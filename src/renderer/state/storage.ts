// What the window remembers between starts: small JSON values in localStorage. A full or forbidden storage is no error.

export interface Memory {
  read(key: string): unknown
  write(key: string, value: unknown): void
  remove(key: string): void
}

const PREFIX = 'weft.'

export function createMemory(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Memory {
  const quietly = <Value>(access: () => Value): Value | undefined => {
    try {
      return access()
    } catch {
      return undefined
    }
  }
  return {
    read: (key) =>
      quietly(() => {
        const text = storage.getItem(PREFIX + key)
        return text === null ? undefined : JSON.parse(text)
      }),
    write: (key, value) => quietly(() => storage.setItem(PREFIX + key, JSON.stringify(value))),
    remove: (key) => quietly(() => storage.removeItem(PREFIX + key)),
  }
}
