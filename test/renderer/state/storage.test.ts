import { expect, it } from 'vitest'
import { createMemory } from '../../../src/renderer/state/storage.ts'
import { MapStorage } from '../../support/renderer/map-storage.ts'

it('reads back what was written, and nothing for the rest', () => {
  const memory = createMemory(new MapStorage())
  memory.write('a', { b: [1] })
  expect([memory.read('a'), memory.read('c')]).toEqual([{ b: [1] }, undefined])
  memory.remove('a')
  expect(memory.read('a')).toBeUndefined()
})

it('forgets quietly where nothing may be stored, and takes broken values for none', () => {
  const storage = new MapStorage()
  storage.setItem('weft.a', '{broken')
  expect(createMemory(storage).read('a')).toBeUndefined()
  const refuse = (): never => {
    throw new Error('QuotaExceededError')
  }
  const memory = createMemory({ getItem: refuse, setItem: refuse, removeItem: refuse })
  memory.write('a', 1)
  memory.remove('a')
  expect(memory.read('a')).toBeUndefined()
})
