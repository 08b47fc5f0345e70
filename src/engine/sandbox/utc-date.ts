// Local time is UTC inside a script, whatever the machine's time zone: getters, setters, parsing and formatting.

/** Replaces the methods of `Date.prototype` that read or write local time by their UTC counterparts. */
export function installUtcDate(prototype: Date): void {
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    for (const verb of ['get', 'set']) {
      const utc: unknown = Reflect.get(prototype, `${verb}UTC${part}`)
      if (utc !== undefined) define(prototype, `${verb}${part}`, utc)
    }
  }
  // `this` of a date method is whatever the script calls it on; the UTC getters refuse what is no date.
  const methods = {
    getTimezoneOffset(this: Date): number {
      return Number.isNaN(this.getTime()) ? Number.NaN : 0
    },
    getYear(this: Date): number {
      return this.getUTCFullYear() - 1900
    },
    setYear(this: Date, year: unknown): number {
      const full = Math.trunc(Number(year))
      return this.setUTCFullYear(full >= 0 && full <= 99 ? full + 1900 : full)
    },
    toString(this: Date): string {
      return format(this, (d) => `${dayText(d)} ${timeText(d)}`)
    },
    toDateString(this: Date): string {
      return format(this, dayText)
    },
    toTimeString(this: Date): string {
      return format(this, timeText)
    },
  }
  for (const [name, method] of Object.entries(methods)) define(prototype, name, method)
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true })
}

function format(date: Date, text: (date: Date) => string): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : text(date)
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

function dayText(date: Date): string {
  // `Thu, 01 Jan 1970 00:00:00 GMT`
  const [weekday, day, month] = date.toUTCString().replace(',', '').split(' ')
  const year = date.getUTCFullYear()
  return `${weekday} ${month} ${day} ${year < 0 ? '-' : ''}${pad(Math.abs(year), year < 0 ? 6 : 4)}`
}

function timeText(date: Date): string {
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map((part) => pad(part)).join(':')
  return `${time} GMT+0000 (Coordinated Universal Time)`
}

const nativeParse = Date.parse
const ISO_DATE_TIME = /^\s*[+-]?\d{4,6}-\d\d(?:-\d\d)?T\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*$/
const ISO_DATE = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/
const ZONE_NAME = /(?<![a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z])/i
const ZONE_OFFSET = /:\d\d(?:[.,]\d+)?\s*(?:[ap]m)?\s*[+-]\s*\d/i

/** `Date.parse`, where text that names no zone is UTC and not the machine's own. */
export function parseAsUtc(text: string): number {
  if (ISO_DATE_TIME.test(text)) return nativeParse(`${text.trim()}Z`)
  // A comment in parentheses may hold anything and says nothing.
  const plain = text.replace(/\([^()]*\)/g, ' ')
  if (ISO_DATE.test(text) || ZONE_NAME.test(plain) || ZONE_OFFSET.test(plain)) return nativeParse(text)
  return nativeParse(`${text} UTC`)
}
