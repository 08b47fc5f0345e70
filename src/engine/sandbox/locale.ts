// Locale methods, fixed to en-US and UTC: the machine's language must not decide what a script does.
// Called between SES's repair, which made them plain, and its freeze.

type LocaleOptions = Record<string, unknown>

/** Narrow and non-breaking spaces came and went with ICU versions; a plain one is the same everywhere. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true })
}

function textOf(element: unknown): string {
  const method: unknown = Reflect.get(Object(element), 'toLocaleString')
  return typeof method === 'function' ? String(Reflect.apply(method, element, [])) : String(element)
}

/** A locale argument is ignored: every script speaks en-US. Options count. */
export function installLocale(): void {
  const { NumberFormat, DateTimeFormat, Collator } = Intl
  // Made when first needed: they take longer than the rest of the lockdown.
  let plainNumber: Intl.NumberFormat | undefined
  let plainCollator: Intl.Collator | undefined

  const number = (value: number | bigint, options: unknown): string => {
    plainNumber ??= new NumberFormat('en-US')
    // Options are the script's own; Intl checks them.
    const format = options === undefined ? plainNumber : new NumberFormat('en-US', options as LocaleOptions)
    return plainSpaces(format.format(value))
  }

  const date = (value: Date, defaults: LocaleOptions, options: unknown): string => {
    if (Number.isNaN(value.getTime())) return 'Invalid Date'
    // Options are the script's own; Intl checks them.
    const given = options === undefined ? defaults : { ...(options as LocaleOptions) }
    const named = ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'dateStyle', 'timeStyle', 'dayPeriod']
    const fields = named.some((name) => given[name] !== undefined) ? {} : defaults
    return plainSpaces(new DateTimeFormat('en-US', { ...fields, ...given, timeZone: 'UTC' }).format(value))
  }
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const time = { hour: 'numeric', minute: '2-digit', second: '2-digit' }

  const methods = {
    number: {
      toLocaleString(this: number, _locale?: unknown, options?: unknown): string {
        return number(Number.prototype.valueOf.call(this), options)
      },
    },
    bigint: {
      toLocaleString(this: bigint, _locale?: unknown, options?: unknown): string {
        return number(BigInt.prototype.valueOf.call(this), options)
      },
    },
    date: {
      toLocaleString(this: Date, _locale?: unknown, options?: unknown): string {
        return date(this, { ...day, ...time }, options)
      },
      toLocaleDateString(this: Date, _locale?: unknown, options?: unknown): string {
        return date(this, day, options)
      },
      toLocaleTimeString(this: Date, _locale?: unknown, options?: unknown): string {
        return date(this, time, options)
      },
    },
    string: {
      localeCompare(this: unknown, that: unknown, _locale?: unknown, options?: unknown): number {
        plainCollator ??= new Collator('en-US')
        // Options are the script's own; Intl checks them.
        const collator = options === undefined ? plainCollator : new Collator('en-US', options as LocaleOptions)
        return collator.compare(String(this), String(that))
      },
    },
  }
  define(Array.prototype, 'toLocaleString', function (this: readonly unknown[]): string {
    const shown = (element: unknown): string => (element === null || element === undefined ? '' : textOf(element))
    return Array.prototype.map.call(this, shown).join(',')
  })
  const targets = { number: Number, bigint: BigInt, date: Date, string: String }
  for (const name of ['number', 'bigint', 'date', 'string'] as const) {
    for (const [method, value] of Object.entries(methods[name])) define(targets[name].prototype, method, value)
  }
}
