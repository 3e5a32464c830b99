import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const EDGE = 8

type TooltipProps = {
  /** The whole sentence, which is also the name of the control. */
  text: string
  /** What is seen, usually an icon. */
  children: ReactNode
  className?: string
}

/** A small control with a tooltip on hover, focus and touch. Escape hides it. */
export function Tooltip({ text, children, className }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-label={text}
        className={className}
        onPointerEnter={() => setOpen(true)}
        onPointerLeave={() => setOpen(false)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Escape') setOpen(false)
        }}
      >
        {children}
      </button>
      {isOpen &&
        createPortal(<Bubble id={id} text={text} anchor={anchor} onScroll={() => setOpen(false)} />, document.body)}
    </>
  )
}

type BubbleProps = { id: string; text: string; anchor: RefObject<HTMLElement | null>; onScroll: () => void }

function Bubble({ id, text, anchor, onScroll }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const box = anchor.current?.getBoundingClientRect()
    const tip = bubble.current
    if (box === undefined || tip === null) return undefined
    const rightmost = document.documentElement.clientWidth - tip.offsetWidth - EDGE
    const left = Math.max(EDGE, Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, rightmost))
    const above = box.top - tip.offsetHeight - EDGE
    tip.style.left = `${left}px`
    tip.style.top = `${above < EDGE ? box.bottom + EDGE : above}px`
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [anchor, onScroll])

  return (
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-50 w-max max-w-64 rounded-control border border-line bg-raised px-3 py-2 text-sm text-text shadow-float"
    >
      {text}
    </div>
  )
}
