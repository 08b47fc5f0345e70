// JavaScript and web built-ins that a current Electron has and Chromium 114 /
// Node 18 lack. Plain script, run by the runtime's loader in the main process
// and in every page before the page's own scripts. It only ever adds what is
// missing, so it does nothing at all on a newer engine. It covers the usual
// uses, not every corner of the specifications.
;(() => {
  'use strict'
  // Generator and async functions inherit from their own prototypes, real built-ins from
  // Function.prototype, and SES refuses intrinsics that don't: hand out a plain method.
  const plain = (key, value) => {
    if (typeof value !== 'function' || Object.getPrototypeOf(value) === Function.prototype) return value
    return {
      [key](...args) {
        return value.apply(this, args)
      },
    }[key]
  }

  const add = (target, members) => {
    if (!target) return
    for (const key of Reflect.ownKeys(members)) {
      if (key in target) continue
      Object.defineProperty(target, key, {
        value: plain(key, members[key]),
        writable: true,
        configurable: true,
        enumerable: false,
      })
    }
  }

  for (const name of ['dispose', 'asyncDispose']) {
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) })
  }

  add(Promise, {
    withResolvers() {
      let resolve, reject
      const promise = new this((yes, no) => ((resolve = yes), (reject = no)))
      return { promise, resolve, reject }
    },
    try(callback, ...args) {
      return new this((resolve) => resolve(callback(...args)))
    },
  })

  const grouped = (items, keyOf, has, get, set) => {
    let index = 0
    for (const item of items) {
      const key = keyOf(item, index++)
      if (has(key)) get(key).push(item)
      else set(key, [item])
    }
  }
  add(Object, {
    groupBy(items, keyOf) {
      const result = Object.create(null)
      grouped(
        items,
        keyOf,
        (k) => k in result,
        (k) => result[k],
        (k, v) => (result[k] = v),
      )
      return result
    },
  })
  add(Map, {
    groupBy(items, keyOf) {
      const result = new Map()
      grouped(
        items,
        keyOf,
        (k) => result.has(k),
        (k) => result.get(k),
        (k, v) => result.set(k, v),
      )
      return result
    },
  })
  for (const kind of [Map, WeakMap]) {
    add(kind.prototype, {
      getOrInsert(key, value) {
        if (!this.has(key)) this.set(key, value)
        return this.get(key)
      },
      getOrInsertComputed(key, compute) {
        if (!this.has(key)) this.set(key, compute(key))
        return this.get(key)
      },
    })
  }

  add(Array, {
    // a plain function: SES refuses an intrinsic whose prototype is not Function.prototype
    fromAsync(source, mapper, self) {
      return (async () => {
        const result = []
        const iterable = source[Symbol.asyncIterator] || source[Symbol.iterator] ? source : Array.from(source)
        for await (const item of iterable) {
          result.push(mapper ? await mapper.call(self, item, result.length) : item)
        }
        return result
      })()
    },
  })

  const keysOf = (other) => ({ [Symbol.iterator]: () => other.keys() })
  add(Set.prototype, {
    union(other) {
      const result = new Set(this)
      for (const item of keysOf(other)) result.add(item)
      return result
    },
    intersection(other) {
      return new Set([...this].filter((item) => other.has(item)))
    },
    difference(other) {
      return new Set([...this].filter((item) => !other.has(item)))
    },
    symmetricDifference(other) {
      const result = new Set(this)
      for (const item of keysOf(other))
        if (this.has(item)) result.delete(item)
        else result.add(item)
      return result
    },
    isSubsetOf(other) {
      return this.size <= other.size && [...this].every((item) => other.has(item))
    },
    isSupersetOf(other) {
      for (const item of keysOf(other)) if (!this.has(item)) return false
      return true
    },
    isDisjointFrom(other) {
      return ![...this].some((item) => other.has(item))
    },
  })

  const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))
  // Not where SES may run (worker threads): its lockdown() knows the shape of real iterator helpers.
  if (!globalThis.__compatSkipIteratorHelpers) {
    if (!('Iterator' in globalThis)) {
      const Iterator = function () {}
      Iterator.prototype = iteratorPrototype
      Object.defineProperty(globalThis, 'Iterator', {
        value: Iterator,
        writable: true,
        configurable: true,
        enumerable: false,
      })
    }
    add(globalThis.Iterator, {
      from(source) {
        const from = source[Symbol.iterator] ? source[Symbol.iterator]() : source
        return (function* () {
          for (let step = from.next(); !step.done; step = from.next()) yield step.value
        })()
      },
    })
    add(iteratorPrototype, {
      *map(fn) {
        let index = 0
        for (const item of this) yield fn(item, index++)
      },
      *filter(fn) {
        let index = 0
        for (const item of this) if (fn(item, index++)) yield item
      },
      *take(limit) {
        if (limit <= 0) return
        let taken = 0
        for (const item of this) {
          yield item
          if (++taken >= limit) return
        }
      },
      *drop(count) {
        let seen = 0
        for (const item of this) if (seen++ >= count) yield item
      },
      *flatMap(fn) {
        let index = 0
        for (const item of this) yield* fn(item, index++)
      },
      reduce(fn, ...start) {
        return [...this].reduce(fn, ...start)
      },
      toArray() {
        return [...this]
      },
      forEach(fn) {
        let index = 0
        for (const item of this) fn(item, index++)
      },
      some(fn) {
        let index = 0
        for (const item of this) if (fn(item, index++)) return true
        return false
      },
      every(fn) {
        let index = 0
        for (const item of this) if (!fn(item, index++)) return false
        return true
      },
      find(fn) {
        let index = 0
        for (const item of this) if (fn(item, index++)) return item
        return undefined
      },
    })
  }

  const hex = (c) => {
    const code = c.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  }
  add(RegExp, {
    escape: (text) =>
      String(text).replace(/^[0-9A-Za-z]|[\^$\\.*+?()[\]{}|/]|[,\-=<>#&!%:;@~'`"\s]/g, (c) =>
        /[\^$\\.*+?()[\]{}|/]/.test(c) ? `\\${c}` : hex(c),
      ),
  })
  add(Error, {
    isError: (value) => Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error,
  })

  const parse = (url, base) => {
    try {
      return new URL(url, base)
    } catch {
      return null
    }
  }
  add(globalThis.URL, { parse, canParse: (url, base) => parse(url, base) !== null })
  add(globalThis.AbortSignal, {
    any(signals) {
      const controller = new AbortController()
      for (const signal of signals) {
        if (signal.aborted) {
          controller.abort(signal.reason)
          break
        }
        signal.addEventListener('abort', () => controller.abort(signal.reason), {
          once: true,
          signal: controller.signal,
        })
      }
      return controller.signal
    },
  })

  // Node 18 has these, but not as globals
  if (typeof process === 'object' && typeof require === 'function' && process.versions?.node) {
    add(globalThis, { crypto: require('node:crypto').webcrypto })
    add(globalThis, {
      CustomEvent: class CustomEvent extends Event {
        #detail
        constructor(type, options) {
          super(type, options)
          this.#detail = options?.detail ?? null
        }
        get detail() {
          return this.#detail
        }
      },
    })
    add(process, {
      getBuiltinModule: (id) => (require('node:module').isBuiltin(id) ? require(id) : undefined),
    })
  }
})()
