import type { Person } from './forms.ts'
import type { RunningServer } from './server.ts'
import { type SharedWatchlist, shareWatchlist } from './watchlist.ts'

/** The pages of a watchlist, by what their addresses add to its own. */
export const PLACES = [
  '',
  '/night',
  '/library',
  '/suggestions',
  '/club',
  '/settings',
  '/statistics',
  '/draws',
  '/import',
]

/** A watchlist with movies in the box and in the feed, and comments. */
export async function aClub(server: RunningServer, people: [Person, ...Person[]]): Promise<SharedWatchlist> {
  const shared = await shareWatchlist(server, people)
  const { id, asOwner, asMembers } = shared
  const { id: cardId } = await asOwner.card(id, { title: 'Night Tram', status: 'WATCHED' })
  await asOwner.comment(id, cardId, 'The last scene in the rain is the best thing I have seen this year.')
  await asMembers[0]?.card(id, { title: 'Low Tide', status: 'REVEALED', description: 'A village waits for the sea.' })
  for (let n = 1; n <= 11; n += 1) await asOwner.card(id, { title: `Paper Lions ${n}` })
  for (let n = 12; n <= 15; n += 1) await asOwner.card(id, { title: `Paper Lions ${n}`, status: 'WATCHED' })
  return shared
}
