import type { Card } from '@marquee/contract/entities/card'
import { use } from 'react'

import { features } from '#web/config.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import { Country } from '../card/card-context.ts'

const CardServers = lazyPart({
  load: async () => (await import('./card-servers.tsx')).CardServers,
  Failed: () => null,
})

/** Links that open the movie of a card on the media servers that have it. */
export function ServersOfCard({ card: { id, watchlistId } }: { card: Pick<Card, 'id' | 'watchlistId'> }) {
  const country = use(Country)
  if (features().mediaServers !== true) return null
  return (
    <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
      <CardServers watchlistId={watchlistId} cardId={id} country={country} />
    </div>
  )
}
