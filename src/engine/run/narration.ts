// What a script says beside its calls: phases, log lines, warnings. Bounded, so that a loop can't fill the disk, and never
// cut in silence.

import { asCallPath } from '../../shared/index.ts'
import type { ScriptNotice, WorkerMessageOf } from '../sandbox/protocol.ts'
import type { EventLog } from './event-log.ts'

const MAX_LINES = 10_000
const MAX_WARNINGS = 10_000

export class Narration {
  readonly #log: EventLog
  readonly #announced = new Set<string>()
  readonly #unhandled = new Map<number, ScriptNotice>()
  #lines = 0
  #warnings = 0

  constructor(log: EventLog) {
    this.#log = log
  }

  announcePhase(title: string, group: number): void {
    const key = `${group} ${title}`
    if (this.#announced.has(key)) return
    this.#announced.add(key)
    this.#log.emit('phase-started', { title, group })
  }

  line({ message, level, source, phase, group }: WorkerMessageOf<'log'>): void {
    this.#lines++
    if (this.#lines <= MAX_LINES) this.#log.emit('log', { message, level, source, phase, group })
    else if (this.#lines === MAX_LINES + 1) this.#warnCap('log/cap', 'log lines', MAX_LINES)
  }

  warn({ code, message, path, file, line, column }: ScriptNotice): void {
    this.#warnings++
    if (this.#warnings === MAX_WARNINGS + 1) this.#warnCap('warning/cap', 'warnings', MAX_WARNINGS)
    if (this.#warnings > MAX_WARNINGS) return
    this.#log.emit('warning', {
      code,
      message,
      ...(path !== undefined && { path: asCallPath(path) }),
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    })
  }

  /** A rejection that nobody heard yet; a handler may still come. */
  noteUnhandled({ id, notice }: WorkerMessageOf<'unhandled'>): void {
    if (this.#unhandled.size < MAX_WARNINGS) this.#unhandled.set(id, notice)
  }

  forgetUnhandled({ id }: WorkerMessageOf<'unhandled-late'>): void {
    this.#unhandled.delete(id)
  }

  /** The script is over: rejections that are still unheard become warnings. */
  close(): void {
    for (const notice of this.#unhandled.values()) this.warn(notice)
    this.#unhandled.clear()
  }

  #warnCap(code: string, what: string, most: number): void {
    this.#log.emit('warning', {
      code,
      message: `further ${what} are left out: there were ${most.toLocaleString('en-US')} of them`,
    })
  }
}
