import { useQuery } from '@tanstack/react-query'

import { availabilityOfCard } from './queries.ts'
import { WhereText } from './where-text.tsx'

/** Where the movie of a card can be watched. */
export function WhereLine(place: { watchlistId: string; cardId: string; country: string | undefined }) {
  const { data } = useQuery(availabilityOfCard(place))
  return data ? <WhereText where={data} /> : null
}
