// What models cost, as their providers publish it, each price with the day on which it was read and where. Data, nothing else.
// What could not be found with a source is left out, and then a cost is unknown: DeepSeek's prices change with the hour of the
// day, OpenAI's and Google's prices of cached input are not all told.

/** US dollars for a million tokens. A class without a price is not known, it is not free. */
export interface TokenPrice {
  /** Not from a cache. */
  input: number
  output: number
  cacheRead?: number
  /** Kept for five minutes, where that makes a difference. */
  cacheWrite?: number
}

export interface PriceEntry {
  provider: string
  /** Ids, without the date that may stand behind them. */
  models: readonly string[]
  price: TokenPrice
  /** Requests with more input than so many tokens have another price, or one that is not known. */
  above?: { tokens: number; price: TokenPrice | undefined }
  /** The last day on which it holds. */
  until?: string
  /** When the source was read. */
  date: string
  source: string
  /** Who read it there, where the source itself was out of reach when this was written. */
  via?: string
}

const CLAUDE = {
  provider: 'anthropic',
  date: '2026-10-24',
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  via: 'https://github.com/kurofune/claudit/releases/tag/v1.9.2',
} as const
const GPT = {
  provider: 'openai',
  date: '2026-05-04',
  source: 'https://developers.openai.com/api/docs/pricing',
  via: 'https://github.com/api-evangelist/openai/blob/main/plans/openai-plans-pricing.yml',
} as const
/** They list another price for longer requests. */
const LONG_GPT = { ...GPT, above: { tokens: 272_000, price: undefined } } as const
const GEMINI = {
  provider: 'google',
  date: '2026-09-20',
  source: 'https://ai.google.dev/gemini-api/docs/pricing',
  via: 'https://github.com/api-evangelist/gemini/blob/main/plans/gemini-plans-pricing.yml',
} as const

export const PRICES: readonly PriceEntry[] = [
  { ...CLAUDE, models: ['claude-opus-5-5'], price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 } },
  { ...CLAUDE, models: ['claude-sonnet-5-5'], price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 } },
  {
    ...CLAUDE,
    models: ['claude-haiku-5-5'],
    price: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    above: { tokens: 100_000, price: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 } },
  },
  { ...CLAUDE, models: ['claude-fable-5-1'], price: { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 } },
  { ...CLAUDE, models: ['claude-fable-5'], price: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 } },
  {
    ...CLAUDE,
    models: ['claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-opus-4-5'],
    price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  },
  { ...CLAUDE, models: ['claude-sonnet-5'], price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } },
  { ...CLAUDE, models: ['claude-haiku-4-5'], price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 } },
  { ...LONG_GPT, models: ['gpt-5.5'], price: { input: 5, output: 30, cacheRead: 0.5 } },
  { ...LONG_GPT, models: ['gpt-5.4'], price: { input: 2.5, output: 15, cacheRead: 0.25 } },
  { ...GPT, models: ['gpt-5.4-mini'], price: { input: 0.75, output: 4.5, cacheRead: 0.075 } },
  { ...GPT, models: ['gpt-5.4-nano'], price: { input: 0.2, output: 1.25, cacheRead: 0.02 } },
  { ...GEMINI, models: ['gemini-3.8-flash'], price: { input: 0.75, output: 3.75 }, until: '2026-12-31' },
  { ...GEMINI, models: ['gemini-3.5-flash'], price: { input: 1.5, output: 9 } },
  {
    ...GEMINI,
    models: ['gemini-3.1-pro-preview'],
    price: { input: 2, output: 12 },
    above: { tokens: 200_000, price: { input: 4, output: 18 } },
  },
  {
    ...GEMINI,
    models: ['gemini-3-flash-preview'],
    price: { input: 0.5, output: 3, cacheRead: 0.05 },
    date: '2026-07-04',
    via: 'https://factquire.com/models/google/gemini-3-flash-preview.json',
  },
]
