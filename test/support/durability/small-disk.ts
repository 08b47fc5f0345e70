// The small disk of a test, which goes with it.

import { onTestFinished } from 'vitest'
import { mountDisk, type SmallDisk } from './mount-disk.ts'

/** Puts a disk of that size (MiB) where `folder` is. */
export function mountSmallDisk(folder: string, mebibytes: number): SmallDisk {
  const { unmount, ...disk } = mountDisk(folder, mebibytes)
  onTestFinished(unmount)
  return disk
}
