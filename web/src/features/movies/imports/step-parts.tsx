import { type ReactNode, useEffect, useRef } from 'react'

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
