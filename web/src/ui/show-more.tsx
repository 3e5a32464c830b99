import type { ComponentProps } from 'react'

import { Button } from './button.tsx'
import { focusSoon } from './focus.ts'

type ShowMoreProps = Omit<ComponentProps<typeof Button>, 'tone' | 'onClick'> & {
  /** Resolves when there is more, or when that has failed. */
  onMore: () => Promise<unknown>
}

/** A button that loads more of the list before it in the same element. The focus goes on to the first new entry. */
export function ShowMore({ onMore, ...props }: ShowMoreProps) {
  const show = async (button: HTMLElement) => {
    const place = button.parentElement
    const entries = () => [...(place?.querySelectorAll('li') ?? [])]
    const after = entries().find((entry) => button.compareDocumentPosition(entry) & Node.DOCUMENT_POSITION_FOLLOWING)
    const shown = after === undefined ? entries().length : entries().indexOf(after)
    await onMore()
    focusSoon({
      // It may appear a moment later, or not at all.
      get current() {
        const first = entries()[shown]
        if (first === undefined || first === after) return null
        first.tabIndex = -1
        return first
      },
    })
  }
  return <Button {...props} tone="quiet" onClick={({ currentTarget }) => void show(currentTarget)} />
}
