import type { Lived } from './life.ts'

/** Everything that a user can look at. A version answers what it has. */
export function readsOf(lived: Lived): string[] {
  const { watchlistId, publicId, cardIds, nightIds = [], drawNumbers = [], importId } = lived
  const list = `/watchlists/${watchlistId}`
  return [
    ...['', '/current', `/${watchlistId}`, `/${publicId}`].map((path) => `/watchlists${path}`),
    ...['/profile', '/profile/ana', '/profile/ben', '/profile/cleo', '/profile/ana/avatar'],
    ...['/invitations', '/mail-settings', '/notifications?limit=50', '/notifications/unread'],
    ...['/notifications/settings', '/account/tokens', '/account/passkeys', '/account/recovery-codes'],
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
