import type { Card } from '@marquee/contract/entities/card'
import { useCallback, useRef, useState } from 'react'

import type { Drawn } from './reveal-turn.tsx'

/** The cards that are drawn while the screen is open, and the last one that others drew where it is not seen. */
export function useDrawnCards() {
  const [drawn, setDrawn] = useState<Readonly<Record<string, Drawn>>>({})
  const [unseen, setUnseen] = useState<{ card: Card; by: string }>()
  const drawnBy = useRef(new Map<string, string>())

  const addDrawn = useCallback((cardId: string, by: Drawn['by'], username = '') => {
    drawnBy.current.set(cardId, username)
    setUnseen(undefined)
    setDrawn((before) => ({ ...before, [cardId]: { at: performance.now(), by } }))
  }, [])
  const tellUnseen = useCallback((card: Card) => setUnseen({ card, by: drawnBy.current.get(card.id) ?? '' }), [])
  const forgetUnseen = useCallback(() => setUnseen(undefined), [])

  return { drawn, unseen, addDrawn, tellUnseen, forgetUnseen }
}
