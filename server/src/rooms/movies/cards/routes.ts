import type { AnyDb } from '@marquee/platform/database/database'
import { askTogether, askWithOthers, together } from '@marquee/platform/database/statement-runner'
import { holdsVersion, isUnchanged, notModified, sendVersion } from '@marquee/platform/http/etag'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../../club/people/service.ts'
import { authorizeRead, authorizeReplay } from '../../club/watchlists/service.ts'
import { feedVersions } from './feed/feed-version.ts'
import { deleteCard } from './card/delete-card.ts'
import { editCard } from './card/edit-card.ts'
import { listLibrary, type Watchable } from './library/library.ts'
import { matchMovie } from './box/match.ts'
import { addCard } from './card/add-card.ts'
import { getCard, listCards } from './feed/feed.ts'
import { moveCard } from './feed/move-card.ts'
import type { MovePorts } from './card/ports.ts'
import { listSuggestions } from './box/suggestions.ts'
import { undoMove } from './feed/undo-move.ts'
import { listWants, unwantMovie, wantMovie } from './box/wants.ts'

/** The id of no user. A caller who is not a member has seen no movie. */
const NO_USER = ''

const NO_CARDS = { cards: [], nextToken: null }

type CardRoutePorts = MovePorts & {
  readonly availability: {
    /** The cards on a streaming service of the user, or on a media server of the watchlist; undefined if none can be. */
    readonly watchableBy: (db: AnyDb, watchlistId: string, userId: string) => Promise<Watchable | undefined>
  }
}

/** The calls under `/watchlists/{id}/cards`. */
export function cardHandlers(ports: CardRoutePorts) {
  return {
    ...listHandlers(ports),
    ...wantHandlers(ports),
    addCard: repeatable(ports, {
      authorize: authorizeReplay('card.add'),
      handle: async (once, { user, params, body }) => await addCard(once, user, params.watchlistId, body),
    }),
    getCard: async ({ user, params }) => {
      const access = await authorizeRead(ports.database.read, user, 'card.read', params.watchlistId)
      return await getCard(ports, access, params.cardId)
    },
    editCard: async ({ user, params, body }) => await editCard(ports, user, params, body),
    deleteCard: async ({ user, params }) => await deleteCard(ports, user, params),
    moveCard: repeatable(ports, {
      authorize: authorizeReplay('card.move'),
      handle: async (once, { user, params, body }) =>
        await moveCard(once, user, { ...params, to: body.status, nightId: body.nightId }),
      uncompared: ['nightId'],
    }),
    undoMove: repeatable(ports, {
      authorize: authorizeReplay('card.undo'),
      handle: async (once, { user, params }) => await undoMove(once, user, params),
    }),
  } satisfies Partial<Handlers>
}

/** The feed, the library and the box of the caller. */
function listHandlers(ports: CardRoutePorts) {
  const db = ports.database.read
  const versionOf = feedVersions(ports.images)

  return {
    listCards: async ({ user, params, query, request, reply }) => {
      const findVersion = async (read: AnyDb) =>
        versionOf((await authorizeRead(read, user, 'card.read', params.watchlistId)).feedVersion)
      const list = async (read: AnyDb) => await listCards(read, ports, { ...params, ...query })
      // The page is read after its version, so it is never older.
      if (holdsVersion(request)) {
        const version = await askWithOthers(db, findVersion)
        sendVersion(reply, version)
        return isUnchanged(request, version) ? await notModified(reply) : await list(db)
      }
      return await askTogether(db, async (read) => {
        const [version, page] = await together(findVersion(read), list(read))
        sendVersion(reply, version)
        return page
      })
    },
    listLibrary: async ({ user, params, query }) => {
      const { watchlistId } = params
      const { watchable: isWatchable, ...filter } = query
      const authorize = async (read: AnyDb) => await authorizeRead(read, user, 'card.read', watchlistId)
      const list = async (memberId: string | undefined, watchable?: Watchable) =>
        await listLibrary(db, ports, { watchlistId, ...filter, viewerId: memberId ?? NO_USER, watchable })
      if (!isWatchable || !user) {
        const { isMember } = await authorize(db)
        return isWatchable ? NO_CARDS : await list(isMember ? user?.userId : undefined)
      }
      const [{ isMember }, watchable] = await askTogether(
        db,
        async (read) => await together(authorize(read), ports.availability.watchableBy(read, watchlistId, user.userId)),
      )
      return isMember && watchable ? await list(user.userId, watchable) : NO_CARDS
    },
    listSuggestions: async ({ user, params, query }) => {
      const { watchlistId } = await authorizeRead(db, user, 'box.read', params.watchlistId)
      return await listSuggestions(db, ports, user, { watchlistId, ...query })
    },
    matchMovie: async ({ user, params, query }) => {
      const { watchlistId } = await authorizeRead(db, user, 'card.match', params.watchlistId)
      const { title, originalTitle = null, year = null, ...ids } = query
      return await matchMovie(db, watchlistId, { title, movie: { originalTitle, year, ids } })
    },
    countSuggestedCards: async ({ user, params }) => {
      const access = await authorizeRead(db, user, 'box.read', params.watchlistId)
      return { count: access.boxCount }
    },
  } satisfies Partial<Handlers>
}

function wantHandlers(ports: MovePorts) {
  const db = ports.database.read

  return {
    wantMovie: async ({ user, params, body }) => await wantMovie(ports, user, params.watchlistId, body),
    listWants: async ({ user, params, query }) => {
      const { watchlistId } = await authorizeRead(db, user, 'card.want', params.watchlistId)
      return await listWants(db, user, { watchlistId, ...query })
    },
    unwantMovie: async ({ user, params }) => await unwantMovie(ports, user, params),
  } satisfies Partial<Handlers>
}
