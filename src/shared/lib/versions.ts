// Versions of Weft by their numbers: what is newer.

/** Whether `version` (`1.2.3`, what follows a hyphen counts for nothing) is newer than `other`. False where one is no version. */
export function isNewerVersion(version: string, other: string): boolean {
  const [mine, theirs] = [numbersOf(version), numbersOf(other)]
  if (mine === undefined || theirs === undefined) return false
  for (const [index, number] of mine.entries()) {
    const against = theirs[index] ?? 0
    if (number !== against) return number > against
  }
  return false
}

function numbersOf(version: string): number[] | undefined {
  const [, ...numbers] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec(version) ?? []
  return numbers.length === 0 ? undefined : numbers.map(Number)
}
