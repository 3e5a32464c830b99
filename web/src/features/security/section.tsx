import { createContext, type ReactNode, type RefObject, use, useEffect, useId, useRef } from 'react'

import { Panel } from '#web/ui/panel.tsx'

const HeadingContext = createContext<RefObject<HTMLHeadingElement | null>>({ current: null })

type SectionProps = { title: string; children: ReactNode }

/** One matter of the security screen. */
export function Section({ title, children }: SectionProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Panel aria-labelledby={id} className="flex flex-col gap-4">
      <h2 ref={heading} id={id} tabIndex={-1} className="text-xl focus:outline-none">
        {title}
      </h2>
      <HeadingContext value={heading}>{children}</HeadingContext>
    </Panel>
  )
}

/**
 * For what is gone once it has done its work, such as a row with its button: told that the work is done, it leaves the
 * focus to the heading of the section, so that the keyboard does not start at the top of the page.
 */
export function useFocusLeftBehind(): () => void {
  const heading = use(HeadingContext)
  const isDone = useRef(false)
  useEffect(
    () => () => {
      if (!isDone.current) return
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
      })
    },
    [heading],
  )
  return () => {
    isDone.current = true
  }
}
