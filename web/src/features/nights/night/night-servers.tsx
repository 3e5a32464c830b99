import { useQuery } from '@tanstack/react-query'

import { ServerLinks } from '#web/features/movies/servers/server-links.tsx'

import { nightAvailability, type NightWhereProps } from './night-where.tsx'
import { PlayChoices } from './play-choices.tsx'

export type NightServersProps = Omit<NightWhereProps, 'callAs'> & {
  /** The title of the movie. */
  title: string
  /** The user is at the night, and may play it. */
  canPlay: boolean
}

/** What a member can do with a movie on a media server: open it there, and play it on a device. */
export function NightServerChoices({ title, canPlay, ...place }: NightServersProps) {
  const { data } = useQuery(nightAvailability(place))
  const servers = data?.servers ?? []
  if (servers.length === 0) return null
  return (
    <>
      <ServerLinks servers={servers} />
      {canPlay && <PlayChoices nightId={place.nightId} title={title} />}
    </>
  )
}
