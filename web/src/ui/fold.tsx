import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'

import { classes } from './classes.ts'

type FoldProps = {
  /** A link to this element of the page opens it. */
  id?: string
  title: string
  /** Loads the code of the content ahead. */
  onPrepare?: () => void
  children: ReactNode
}

/** A section that is folded behind its heading, and has a line above unless it is the first of its panel. */
export function Fold({ id, title, onPrepare, children }: FoldProps) {
  const { hash } = useLocation()
  const [isOpen, setOpen] = useState(id !== undefined && hash === `#${id}`)
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <h2>
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onPointerEnter={onPrepare}
          onFocus={onPrepare}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 rounded-control text-start text-sm font-semibold text-muted pointer-coarse:min-h-11"
        >
          <span className="flex-1">{title}</span>
          <ChevronDown aria-hidden className={classes('size-5 transition-transform', isOpen && 'rotate-180')} />
        </button>
      </h2>
      {isOpen && children}
    </section>
  )
}
