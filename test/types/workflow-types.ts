// Checked by the compiler alone (test/types/workflow.test.ts runs it): what the hooks' types promise to authors.
// `console` and the like are the hooks' own here: neither Node nor the DOM is in scope.
export {}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<Expected>() {
  return <Actual>(_value: Actual, _same: Equal<Expected, Actual>): void => {}
}

const text = await agent('Say hello')
expectType<string | null>()(text, true)

const labelled = await agent('Say hello', { label: 'greeting', effort: 'low' })
expectType<string | null>()(labelled, true)

const review = await agent('Review', {
  label: 'review',
  schema: {
    type: 'object',
    properties: {
      verdict: { enum: ['real', 'false alarm'] },
      confidence: { type: 'number' },
      lines: { type: 'array', items: { type: 'integer' } },
      note: { type: ['string', 'null'] },
    },
    required: ['verdict', 'lines'],
  },
})
expectType<{ verdict: 'real' | 'false alarm'; lines: number[]; confidence?: number; note?: string | null } | null>()(
  review,
  true,
)

const list = await agent('List', { schema: { type: 'array', items: { type: 'string' } } })
expectType<string[] | null>()(list, true)

const either = await agent('Pick', { schema: { anyOf: [{ type: 'string' }, { type: 'number' }] } })
expectType<string | number | null>()(either, true)

const settled = await parallel([() => agent('a'), () => agent('b')])
expectType<(string | null)[]>()(settled, true)

const lengths = await pipeline(
  ['a.ts', 'b.ts'],
  (file, original, index) => agent(`${file} ${original} ${index.toFixed()}`),
  (answer, file) => `${file}: ${(answer ?? '').length}`,
)
expectType<(string | null)[]>()(lengths, true)

// @ts-expect-error -- a misspelt option is a fatal error at run time, so the editor marks it
void agent('x', { lable: 'typo' })
// @ts-expect-error -- promises instead of functions: the agents would all be started before parallel sees them
void parallel([agent('x')])
// @ts-expect-error -- an unknown effort
void agent('x', { effort: 'extreme' })
// @ts-expect-error -- there is no process in a script
void process
