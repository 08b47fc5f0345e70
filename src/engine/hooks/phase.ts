// `phase(title)`: later agents and logs of this scope belong to it, until the next one.

import { toPreview } from '../../shared/lib/text.ts'
import { describeValue } from '../sandbox/describe-value.ts'
import type { Guest } from '../sandbox/guest.ts'
import { captureFrames } from '../sandbox/stacks.ts'
import { misuse } from './agent-options.ts'

const MAX_TITLE = 200

export function makePhase(guest: Guest): (title: unknown) => void {
  const phase = (title: unknown): void => {
    guest.speak(captureFrames(phase), (scope) => {
      if (typeof title !== 'string' || title.trim() === '') {
        throw misuse(`phase: the title has to be a non-empty text, got ${describeValue(title)}`)
      }
      scope.phase = toPreview(title, MAX_TITLE)
      guest.link.post({ type: 'phase', title: scope.phase, group: scope.group })
    })
  }
  return phase
}
