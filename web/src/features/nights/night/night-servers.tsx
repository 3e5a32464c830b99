import { useQuery } from '@tanstack/react-query'

import { AskButton } from '#web/features/movies/where/ask-for-movie.tsx'
import { ServerLinks } from '#web/features/movies/servers/server-links.tsx'

import { nightAvailability, type NightWhereProps } from './night-where.tsx'
import { PlayChoices } from './play-choices.tsx'

export type NightServersProps = Omit<NightWhereProps, 'callAs'> & {
  watchlistId: string
  /** The title of the movie. */
  title: string
  /** The user is at the night, and may play it, or ask for it. */
  canPlay: boolean
}

/** What a member can do with a movie: open it on a media server and play it on a device, or ask for it. */
export function NightServerChoices({ watchlistId, title, canPlay, ...place }: NightServersProps) {
  const { data } = useQuery(nightAvailability(place))
  const servers = data?.servers ?? []
  const request = data?.request ?? null
  if (request !== null && (canPlay || request !== 'possible')) {
    return <AskButton watchlistId={watchlistId} cardId={place.cardId} title={title} request={request} />
  }
  if (servers.length === 0) return null
  return (
    <>
      <ServerLinks servers={servers} />
      {canPlay && <PlayChoices nightId={place.nightId} title={title} />}
    </>
  )
}
