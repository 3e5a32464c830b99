import { added, anyCause, changed, type Effect, name, removed } from './effect.ts'
import { EMPTY_ID } from './home-server.ts'
import type { MediaKind } from './media-requests.ts'

/** What becomes of the others is compared with the links that were there (`media.ts`). */
export const MEDIA_EFFECTS: { [K in Exclude<MediaKind, 'unlink' | 'report' | 'unmark'>]: Effect<K> } = {
  connect: {
    made: (change) => name(added(change, 'media_server'), 'machine_id'),
    asked: () => EMPTY_ID,
  },
  disconnect: {
    made: (change) => name(removed(change, 'media_server'), 'id'),
    asked: ({ serverId }) => serverId,
  },
  link: {
    made: (change) => name(changed(change, 'media_link', 'linked_at'), 'username', 'server_id'),
    asked: ({ serverId }, { by }) => `${by.username} ${serverId}`,
  },
  mark: {
    made: (change) => name(changed(change, 'card_viewings', 'half_stars'), 'username', 'card_id', 'half_stars'),
    asked: ({ cardId, stars }, { by }) => `${by.username} ${cardId} ${2 * stars}`,
    isIdempotent: true,
    // Others are made without a server, or by one.
    hasOtherCauses: anyCause,
  },
}
