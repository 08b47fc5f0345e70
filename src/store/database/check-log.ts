// Looks whether the write-ahead log of a host that died is whole. SQLite itself uses it up to the first frame that is damaged
// and says nothing of those behind: what they hold was promised and would be gone without a word.

import { readFileSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682

/** How many frames of the current log come behind a damaged one, that one included; 0 for a log that is whole or not there. */
export function countLostFrames(file: string): number {
  const log = readLog(`${file}-wal`)
  if (log === undefined || log.length < HEADER_BYTES) return 0
  const magic = log.readUInt32BE(0)
  const pageSize = log.readUInt32BE(8)
  const first = addChecksum(log, 0, 24, [0, 0], magic === MAGIC)
  const isHeader = (magic & ~1) >>> 0 === MAGIC && pageSize >= 512 && first[0] === log.readUInt32BE(24)
  const size = isHeader ? pageSize + FRAME_HEADER_BYTES : 4096 + FRAME_HEADER_BYTES
  const frames = Math.floor((log.length - HEADER_BYTES) / size)
  if (!isHeader) return frames
  // A frame of an earlier round of the log has other salts: the log ends there.
  const isCurrent = (at: number): boolean => log.compare(log, 16, 24, at + 8, at + 16) === 0
  let sum = first
  for (let frame = 0; frame < frames; frame++) {
    const at = HEADER_BYTES + frame * size
    sum = addChecksum(log, at, 8, sum, magic === MAGIC)
    sum = addChecksum(log, at + FRAME_HEADER_BYTES, pageSize, sum, magic === MAGIC)
    const whole = isCurrent(at) && sum[0] === log.readUInt32BE(at + 16) && sum[1] === log.readUInt32BE(at + 20)
    if (!whole) return countCommitted(frame)
  }
  return 0

  // What a killed writer had not committed was promised to nobody: only a commit behind the damage tells of a loss.
  function countCommitted(damagedFrame: number): number {
    let last = damagedFrame
    for (let frame = damagedFrame + 1; frame < frames; frame++) {
      const at = HEADER_BYTES + frame * size
      if (isCurrent(at) && log?.readUInt32BE(at + 4) !== 0) last = frame
    }
    return last === damagedFrame ? 0 : last - damagedFrame + 1
  }
}

function readLog(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** SQLite's checksum of `bytes` (a multiple of 8) from `at` on, added to `sum`. The magic number says in which byte order. */
function addChecksum(
  log: Buffer,
  at: number,
  bytes: number,
  sum: readonly [number, number],
  littleEndian: boolean,
): [number, number] {
  let [a, b] = sum
  for (let i = at; i < at + bytes; i += 8) {
    a = (a + (littleEndian ? log.readUInt32LE(i) : log.readUInt32BE(i)) + b) >>> 0
    b = (b + (littleEndian ? log.readUInt32LE(i + 4) : log.readUInt32BE(i + 4)) + a) >>> 0
  }
  return [a, b]
}
