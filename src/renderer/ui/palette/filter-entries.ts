// Which entries match what was typed, best first: the letters in their order, at the start of words before elsewhere.

export interface PaletteEntry {
  id: string
  title: string
  detail?: string
}

export function filterEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  if (wanted === '') return [...entries]
  return entries
    .map((entry) => ({ entry, score: scoreMatch(entry.title.toLowerCase(), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** 0 for no match; letters that begin a word or follow the last one count more. */
function scoreMatch(text: string, wanted: string): number {
  let score = 0
  let at = -1
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1)
    if (next === -1) return 0
    const beginsWord = next === 0 || /[\s\-_./:]/.test(text.charAt(next - 1))
    score += next === at + 1 ? 4 : beginsWord ? 3 : 1
    at = next
  }
  return score
}
