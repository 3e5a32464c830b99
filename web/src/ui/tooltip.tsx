import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const EDGE = 8

type TooltipProps = {
  /** The whole sentence, which is also the name of the control. */
  text: string
  /** What is seen, usually an icon. */
  children: ReactNode
  className?: string
}

/** A small control with a tooltip on hover, focus and touch. The pointer may go on to the tooltip. Escape hides it. */
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
        onPointerLeave={({ relatedTarget }) => {
          if (!(relatedTarget instanceof Element && relatedTarget.closest('[role=tooltip]'))) setOpen(false)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen &&
        createPortal(<Bubble id={id} text={text} anchor={anchor} onEnd={() => setOpen(false)} />, document.body)}
    </>
  )
}

type BubbleProps = {
  id: string
  text: string
  anchor: RefObject<HTMLElement | null>
  onEnd: () => void
}

function Bubble({ id, text, anchor, onEnd }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const box = anchor.current?.getBoundingClientRect()
    const tip = bubble.current
    if (box === undefined || tip === null) return undefined
    const rightmost = document.documentElement.clientWidth - tip.offsetWidth - EDGE
    const left = Math.max(EDGE, Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, rightmost))
    const above = box.top - tip.offsetHeight
    tip.style.left = `${left}px`
    tip.style.top = `${above < EDGE ? box.bottom : above}px`
    // The focus is elsewhere while the pointer shows the tooltip.
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onEnd()
    }
    window.addEventListener('scroll', onEnd, { passive: true })
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('scroll', onEnd)
      window.removeEventListener('keydown', onKey)
    }
  }, [anchor, onEnd])

  // The distance to the control belongs to the tooltip, so that the pointer leaves neither on its way.
  return (
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      className="fixed top-0 left-0 z-50 w-max max-w-64 py-2"
      onPointerLeave={onEnd}
    >
      <div className="rounded-control border border-line bg-raised px-3 py-2 text-sm text-text shadow-float">
        {text}
      </div>
    </div>
  )
}
