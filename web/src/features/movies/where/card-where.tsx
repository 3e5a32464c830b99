import type { Card } from '@marquee/contract/entities/card'
import { use } from 'react'

import { features } from '#web/config.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import { Country } from '../card/card-context.ts'

const WhereLine = lazyPart({
  load: async () => (await import('./where-line.tsx')).WhereLine,
  Loading: ({ className }) => <div className={className} />,
  Failed: ({ className }) => <div className={className} />,
})

/** The line has its height before its text, so that nothing moves when that arrives. */
export const WHERE_LINE = 'flex h-6 items-center gap-x-3 text-sm text-muted pointer-coarse:h-11'

/** The same without a link to touch. */
const SERVER_LINE = 'h-6 text-sm text-muted'

/** Where the movie of a card can be watched, if that can be known. */
export function CardWhere({ card }: { card: Pick<Card, 'id' | 'watchlistId' | 'title' | 'movie'> }) {
  const country = use(Country)
  const { watchProviders, mediaServers } = features()
  const isKnown = card.movie?.ids.tmdb !== undefined
  const isOffered = isKnown && watchProviders === true && country !== undefined
  // Of a card without facts, a server can know the title.
  if (!isOffered && mediaServers !== true) return null
  return (
    <div className="-mt-2">
      <WhereLine className={isKnown ? WHERE_LINE : SERVER_LINE} card={card} country={country} />
    </div>
  )
}
