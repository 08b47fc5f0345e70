// Which processes of a test are still there. Looks into /proc, so that also what an agent's children started is found.

import { readFileSync, readdirSync } from 'node:fs'

export interface MarkedProcess {
  pid: number
  command: string
}

/** Living processes whose environment holds the mark; none where there is no /proc. */
export function processesWith(mark: string): MarkedProcess[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'latin1').includes(mark)) return []
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      // A zombie has an end already, and no command line.
      return command === '' ? [] : [{ pid: Number(entry), command }]
    } catch {
      return [] // It ended while we looked, or is another user's.
    }
  })
}
