import type { Card } from '@marquee/contract/entities/card'
import { useQuery } from '@tanstack/react-query'

import { AskLine } from './lazy-ask.tsx'
import { availabilityOfCard } from './queries.ts'
import { WhereText } from './where-text.tsx'

type WhereLineProps = {
  card: Pick<Card, 'id' | 'watchlistId' | 'title'>
  country: string | undefined
  className: string
}

/** Where the movie of a card can be watched, and what became of it if it was asked for. */
export function WhereLine({ card: { id: cardId, watchlistId, title }, country, className }: WhereLineProps) {
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
