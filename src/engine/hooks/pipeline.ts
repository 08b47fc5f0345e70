// `pipeline(items, ...stages)`: each item through all stages on its own, no barrier; results in item order.

import { describeValue } from '../sandbox/describe-value.ts'
import type { Guest } from '../sandbox/guest.ts'
import { captureFrames } from '../sandbox/stacks.ts'
import { misuse } from './agent-options.ts'
import { checkItemCount, readLength, runBranches } from './branches.ts'

type Stage = (previous: unknown, item: unknown, index: number) => unknown

export function makePipeline(guest: Guest): (items: unknown, ...stages: unknown[]) => Promise<unknown[]> {
  const pipeline = async (items: unknown, ...stages: unknown[]): Promise<unknown[]> =>
    guest.enter(captureFrames(pipeline), (scope) => {
      const list = readItems(items, guest.maxItems)
      const steps = stages.map(readStage)
      const path = scope.next('pipeline')
      const describe = {
        path: (index: number) => `${path}/item:${index}`,
        name: (index: number) => `pipeline: item ${index}`,
        code: 'pipeline/item-failed',
      }
      return runBranches(guest, scope, list, describe, async (item, index) => {
        let value: unknown = item
        // A null is a value like any other and goes on; only a throw ends the item.
        for (const step of steps) value = await step(value, item, index)
        return value
      })
    })
  return pipeline
}

function readItems(items: unknown, maxItems: number): unknown[] {
  if (!Array.isArray(items)) throw misuse(`pipeline: takes an array of items, got ${describeValue(items)}`)
  const count = readLength(items)
  checkItemCount('pipeline', count, maxItems)
  return Array.from({ length: count }, (_, index): unknown => items[index])
}

function readStage(stage: unknown, index: number): Stage {
  if (typeof stage !== 'function') {
    throw misuse(`pipeline: stage ${index + 1} has to be a function, got ${describeValue(stage)}`)
  }
  return (previous, item, position) => Reflect.apply(stage, undefined, [previous, item, position])
}
