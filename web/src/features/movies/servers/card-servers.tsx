import { useQuery } from '@tanstack/react-query'

import { availabilityOfCard } from '../where/queries.ts'
import { ServerLinks } from './server-links.tsx'

/** The links to the movie of a card on the media servers that have it. */
export function CardServers(place: Parameters<typeof availabilityOfCard>[0]) {
  const { data } = useQuery(availabilityOfCard(place))
  return data ? <ServerLinks servers={data.servers} /> : null
}
