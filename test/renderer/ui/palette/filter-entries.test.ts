import { expect, it } from 'vitest'
import { filterEntries } from '../../../../src/renderer/ui/palette/filter-entries.ts'

const entries = ['Close tab', 'Command palette', 'Cancel run', 'Dry run'].map((title) => ({ id: title, title }))
const find = (query: string): string[] => filterEntries(entries, query).map(({ title }) => title)

it('shows everything while nothing is typed', () => {
  expect(find(' ')).toEqual(['Close tab', 'Command palette', 'Cancel run', 'Dry run'])
})

it('takes the letters in their order, wherever they stand', () => {
  expect(find('cmdp')).toEqual(['Command palette'])
  expect(find('xyz')).toEqual([])
})

it('puts first what matches without gaps', () => {
  expect(find('c')[0]).toBe('Close tab')
  expect(find('dry')).toEqual(['Dry run'])
  expect(find('run')).toEqual(['Cancel run', 'Dry run'])
})
