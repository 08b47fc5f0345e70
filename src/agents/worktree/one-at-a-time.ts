// Git's own locks fail at once instead of waiting: whatever changes a repository takes its turn here.

export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs the task once every earlier one of the same key has settled. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    let done: () => void = () => undefined
    const mine = new Promise<void>((resolve) => {
      done = resolve
    })
    this.#last.set(key, mine)
    try {
      await before
      return await task()
    } finally {
      done()
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
