import { expect, it } from 'vitest'
import { createBatch } from '../../../src/renderer/state/frame-batch.ts'

it('hands over everything of a frame at once, in order', () => {
  const frames: (() => void)[] = []
  const handled: number[][] = []
  const batch = createBatch<number>(
    (items) => handled.push(items),
    (run) => frames.push(run),
  )
  batch.add([1, 2])
  batch.add([])
  batch.add([3])
  expect({ handled, frames: frames.length }).toEqual({ handled: [], frames: 1 })
  frames.shift()?.()
  batch.add([4])
  frames.shift()?.()
  expect(handled).toEqual([[1, 2, 3], [4]])
})

it('hands over at once when it is flushed, and nothing twice', () => {
  const frames: (() => void)[] = []
  const handled: number[][] = []
  const batch = createBatch<number>(
    (items) => handled.push(items),
    (run) => frames.push(run),
  )
  batch.add([1])
  batch.flush()
  frames.shift()?.()
  expect(handled).toEqual([[1]])
})
