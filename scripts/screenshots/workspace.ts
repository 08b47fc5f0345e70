// What the pictures show work on: a small shop in git, and two workflows of its own.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Home } from '../../test/support/app/home.ts'
import { Repository } from '../../test/support/workflows/repository.ts'

const bundled = resolve(import.meta.dirname, '../../workflows')
const cart = ['export function total(items) {', '  return items.reduce((sum, item) => sum + item.price, 0)', '}']

const TIDY_UP = `export const meta = {
  name: 'tidy-up',
  description: 'Removes what the last release left behind, and asks before it does.',
  phases: [{ title: 'Look' }, { title: 'Remove' }],
}

phase('Look')
const leftovers = await agent('List build output and caches in this folder.', { label: 'find leftovers' })
phase('Remove')
return await agent(\`Remove these: \${leftovers}\`, { label: 'remove leftovers' })
`

const FIXTURES = {
  calls: [
    { match: { label: 'find leftovers' }, answer: 'dist/ and .cache/, 214 MB together', delayMs: 200 },
    {
      match: { label: 'remove leftovers' },
      answer: 'Removed dist/ and .cache/.',
      permission: { title: 'Run a command in the shell', detail: 'rm -rf dist .cache' },
    },
  ],
}

export const RELEASE_NOTES = `export const meta = {
  name: 'release-notes',
  description: 'Writes release notes from the commits since the last tag.',
  phases: [{ title: 'Read' }, { title: 'Write' }],
}

phase('Read')
const commits = await agent('List the commits since the last tag.', {
  label: 'commits',
  schema: { type: 'array', items: { type: 'string' } },
})
if (commits === null) throw new Error('the commits could not be read')

phase('Write')
const notes = await pipeline(
  commits,
  (commit) => agent(\`Say in a sentence what users notice of \${commit}.\`, { label: commit }),
)
return notes.filter((note) => note !== null)
`

/** Its last commit leaves debugging output and an unsafe evaluation behind. */
export function fillWorkspace(home: Home): void {
  const repository = new Repository(home.workspace)
  repository.commit('The cart adds up', { 'src/cart.js': cart, 'README.md': ['# Shop', '', 'A cart that adds up.'] })
  repository.commit('Discounts', {
    'src/cart.js': [
      ...cart,
      '',
      'export function discount(rule, items) {',
      '  console.log(rule)',
      '  return eval(rule)',
      '}',
    ],
    'src/checkout.js': ['// TODO: taxes', 'export function checkout(items) {', '  return total(items)', '}'],
    'README.md': ['# Shop', '', 'A cart that adds up and knows discounts.'],
  })
  home.addFile('workflows/tidy-up.js', TIDY_UP)
  home.addFile('workflows/tidy-up.fixtures.json', JSON.stringify(FIXTURES))
  home.addFile('workflows/release-notes.js', RELEASE_NOTES)
  // The project's own copy, so that the pictures show no path of this machine.
  for (const ending of ['js', 'args.schema.json', 'fixtures.json'])
    home.addFile(`workflows/review-diff.${ending}`, readFileSync(resolve(bundled, `review-diff.${ending}`), 'utf8'))
}
