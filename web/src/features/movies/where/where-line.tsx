import type { Card } from '@marquee/contract/entities/card'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { AskLine } from './lazy-ask.tsx'
import { availabilityOfCard } from './queries.ts'
import { WhereText } from './where-text.tsx'

type WhereLineProps = {
  card: Pick<Card, 'id' | 'watchlistId' | 'title' | 'movie'>
  country: string | undefined
  className: string
}

/** Where the movie of a card can be watched, and what became of it if it was asked for. */
export function WhereLine({ card, country, className }: WhereLineProps) {
  const { id: cardId, watchlistId, title } = card
  useReadOnCorrection(card)
  const { data } = useQuery(availabilityOfCard({ watchlistId, cardId, country }))
  const text = data ? <WhereText where={data} /> : null
  const request = data?.request ?? null
  if (request === null) return <div className={className}>{text}</div>
  return (
    <AskLine className={className} watchlistId={watchlistId} cardId={cardId} title={title} request={request}>
      {text}
    </AskLine>
  )
}

/** Another title, year or id is another movie, which may be elsewhere. */
function useReadOnCorrection({ id, title, movie }: WhereLineProps['card']): void {
  const client = useQueryClient()
  const film = JSON.stringify([title, movie?.year, movie?.ids])
  const last = useRef(film)
  useEffect(() => {
    if (last.current === film) return
    last.current = film
    void client.invalidateQueries({ queryKey: ['availability'], predicate: ({ queryKey }) => queryKey.includes(id) })
  }, [client, id, film])
}
