// A button that stays where it is when it can't be used, and says why: it keeps the focus and can be read out.

import { useId, type ComponentProps } from 'react'
import { Button } from './button.tsx'

interface RefusableButtonProps extends Omit<ComponentProps<typeof Button>, 'disabled' | 'aria-disabled'> {
  /** Why it can't be used now; null when it can. */
  refusal: string | null
  onClick(): void
}

export function RefusableButton({ refusal, onClick, title, children, ...rest }: RefusableButtonProps) {
  const reasonId = useId()
  const refused = refusal !== null
  return (
    <>
      <Button
        {...rest}
        aria-disabled={refused || undefined}
        aria-describedby={refused ? reasonId : undefined}
        title={refusal ?? title}
        onClick={() => !refused && onClick()}
      >
        {children}
      </Button>
      {refused && (
        <span id={reasonId} className="unseen">
          {refusal}
        </span>
      )}
    </>
  )
}
