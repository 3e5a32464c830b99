import type { Lived } from './life.ts'

const OF_ONESELF = [
  ...['', '/ana', '/ben', '/cleo', '/ana/avatar'].map(at('/profile')),
  ...['?limit=50', '/unread', '/settings'].map(at('/notifications')),
  ...['/tokens', '/passkeys', '/recovery-codes'].map(at('/account')),
  '/invitations',
  '/mail-settings',
]

/** Everything that a user can look at. A version answers what it has. */
export function readsOf(lived: Lived): string[] {
  const { watchlistId, publicId, cardIds, nightIds = [], drawNumbers = [], importId } = lived
  const list = `/watchlists/${watchlistId}`
  return [
    ...['', '/current', `/${watchlistId}`, `/${publicId}`].map((path) => `/watchlists${path}`),
    ...OF_ONESELF,
    ...['/cards?limit=50', '/cards/suggested/count', '/library?limit=50', '/suggestions?limit=50'].map(at(list)),
    ...['/wants', '/invitations', '/join-links', '/webhooks', '/draws', '/draw-odds', '/nights'].map(at(list)),
    ...['/nights/films', '/imports', '/statistics', '/export', '/calendar'].map(at(list)),
    ...cardIds.flatMap((id) => [`${list}/cards/${id}`, `${list}/cards/${id}/comments`]),
    `${list}/viewings?cards=${cardIds.join(',')}`,
    ...nightIds.flatMap((id) => ['', '/vote', '/screen', '/guest'].map(at(`/nights/${id}`))),
    ...drawNumbers.map((n) => `${list}/draws/${n}`),
    ...(importId === undefined ? [] : [`${list}/imports/${importId}`]),
  ]
}

function at(start: string): (path: string) => string {
  return (path) => `${start}${path}`
}
