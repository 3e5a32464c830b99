import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { classes } from '#web/ui/classes.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
/** Where the buttons go from the right to the left. */
const STEPS_TO_LEFT: typeof STEPS = { ...STEPS, ArrowRight: -1, ArrowLeft: 1 }

type ChoicesProps = {
  /** They keep their place, so that nothing moves. */
  isHidden?: boolean
  onLeave?: () => void
  children: ReactNode
}

/** Buttons and links for a remote control: the arrow keys move the focus from wherever it is, Enter presses, Escape calls `onLeave`. */
export function Choices({ isHidden = false, onLeave, children }: ChoicesProps) {
  const { t } = useTranslation('watchlist')
  const bar = useRef<HTMLDivElement>(null)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave?.()
    const step = (document.documentElement.dir === 'rtl' ? STEPS_TO_LEFT : STEPS)[event.key]
    if (step === undefined) return
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>('button:enabled, a[href]') ?? [])]
    const now = buttons.findIndex((button) => button === document.activeElement)
    buttons.at(now === -1 ? 0 : (now + step) % buttons.length)?.focus()
    event.preventDefault()
  })
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('bigScreen.choices')}
      className={classes(
        'flex flex-wrap gap-[0.5em]',
        isHidden && 'invisible',
        'items-center [&>:is(a,button)]:min-h-[max(2.2em,2.75rem)] [&>:is(a,button)]:px-[0.8em] [&>:is(a,button)]:text-[0.8em]',
      )}
    >
      {children}
    </div>
  )
}
