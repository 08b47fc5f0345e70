/** What `promise` gives, or undefined after `ms`. Leaves no timer behind. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          resolve(undefined)
        }, ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
