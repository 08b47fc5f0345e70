// A disk that is full on demand: a small file system in memory. Only root may mount one, and only on Linux.

import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why there can be no small disk here; undefined when there can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'no tmpfs on this system'
  if (process.getuid?.() !== 0) return 'only root may mount a file system'
  const folder = mkdtempSync(join(tmpdir(), 'weft-mount-'))
  try {
    mount(folder, 1)
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'mounting a file system is not allowed here'
  } finally {
    rmdirSync(folder)
  }
}

export interface SmallDisk {
  /** Leaves no byte free. */
  fill(): void
  /** Gives back what `fill` took. */
  free(): void
}

/** Puts a disk of that size (MiB) where `folder` is, with what `files` in it held; it stays until it is unmounted. */
export function mountDisk(
  folder: string,
  mebibytes: number,
  files: readonly string[] = [],
): SmallDisk & { unmount(): void } {
  mkdirSync(folder, { recursive: true })
  const contents = files.map((file) => readFileSync(file))
  mount(folder, mebibytes)
  for (const [index, file] of files.entries()) writeFileSync(file, contents[index] ?? '')
  const filler = join(folder, '.filler.tmp')
  return {
    fill() {
      const file = openSync(filler, 'w')
      for (const size of [65_536, 4096, 1]) {
        try {
          while (writeSync(file, Buffer.alloc(size)) === size);
        } catch {
          // No space left, which is what it is for.
        }
      }
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  }
}

function mount(folder: string, mebibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', folder], { stdio: 'ignore' })
}
