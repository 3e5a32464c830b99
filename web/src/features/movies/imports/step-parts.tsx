import { type ReactNode, useEffect, useRef } from 'react'

import { useReason } from '#web/api/use-reason.ts'
import { FailureText } from '#web/ui/banner.tsx'

/** The heading of a step. It takes the focus, because the control that opened the step is gone. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h2 ref={heading} tabIndex={-1} className="text-2xl wrap-anywhere focus:outline-none">
      {children}
    </h2>
  )
}

/** What failed, and why. The server says what is wrong with a file. */
export function ImportFailure({ what, error }: { what: string; error: unknown }) {
  const reason = useReason()
  return <FailureText what={what} why={reason('UPDATE_ERROR', error)} />
}
