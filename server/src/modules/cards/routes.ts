import { ENDPOINTS } from '@marquee/contract/endpoints'
import { askTogether } from '@marquee/platform/database/statement-runner'
import { holdsVersion, isUnchanged, notModified } from '@marquee/platform/http/etag'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { User } from '../profiles/service.ts'
import { authorizeRead, authorizeReplay } from '../watchlists/service.ts'
import { feedVersions } from './feed-version.ts'
import { deleteCard } from './delete-card.ts'
import { editCard } from './edit-card.ts'
import { listLibrary } from './library.ts'
import { matchMovie } from './match.ts'
import { addCard, type CardPorts, getCard, listCards, moveCard, revealRandomCard } from './service.ts'
import { listSuggestions } from './suggestions.ts'
import { undoMove } from './undo-move.ts'

/** The calls under `/watchlists/{id}/cards`. */
export function cardRoutes(route: Route<User>, ports: CardPorts): void {
  const db = ports.database.read
  const feedVersion = feedVersions(ports.images)

  route(
    ENDPOINTS.listCards,
    async ({ user, params, query, request, reply }) =>
      await askTogether(db, async (read) => {
        const access = authorizeRead(read, user, 'card.read', params.watchlistId)
        const list = async () => await listCards(read, ports, { ...params, ...query })
        // Read behind the version, so the page is never older than its version.
        const page = holdsVersion(request) ? undefined : list()
        page?.catch(() => undefined)
        if (isUnchanged(request, reply, feedVersion((await access).feedVersion))) return await notModified(reply)
        return await (page ?? list())
      }),
  )

  route(ENDPOINTS.listLibrary, async ({ user, params, query }) => {
    await authorizeRead(db, user, 'card.read', params.watchlistId)
    return await listLibrary(db, ports, { ...params, ...query })
  })

  route(ENDPOINTS.listSuggestions, async ({ user, params, query }) => {
    const { watchlistId } = await authorizeRead(db, user, 'box.read', params.watchlistId)
    return await listSuggestions(db, ports, user, { watchlistId, ...query })
  })

  route(ENDPOINTS.matchMovie, async ({ user, params, query }) => {
    const { watchlistId } = await authorizeRead(db, user, 'card.match', params.watchlistId)
    const { title, originalTitle, year = null, ...ids } = query
    const titles = originalTitle ? [title, originalTitle] : [title]
    return await matchMovie(db, watchlistId, { ids, titles, year })
  })

  route(ENDPOINTS.countSuggestedCards, async ({ user, params }) => {
    const access = await authorizeRead(db, user, 'box.read', params.watchlistId)
    return { count: access.boxCount }
  })

  route(
    ENDPOINTS.addCard,
    repeatable(ports, {
      authorize: authorizeReplay('card.add'),
      handle: async (once, { user, params, body }) => await addCard(once, user, params.watchlistId, body),
    }),
  )

  route(
    ENDPOINTS.revealRandomCard,
    repeatable(ports, {
      authorize: authorizeReplay('card.reveal'),
      handle: async (once, { user, params }) => await revealRandomCard(once, user, params.watchlistId),
    }),
  )

  route(ENDPOINTS.getCard, async ({ user, params }) => {
    const access = await authorizeRead(db, user, 'card.read', params.watchlistId)
    return await getCard(ports, access, params.cardId)
  })

  route(ENDPOINTS.editCard, async ({ user, params, body }) => await editCard(ports, user, params, body))

  route(ENDPOINTS.deleteCard, async ({ user, params }) => {
    await deleteCard(ports, user, params)
  })

  route(
    ENDPOINTS.moveCard,
    async ({ user, params, body }) => await moveCard(ports, user, { ...params, to: body.status }),
  )

  route(
    ENDPOINTS.undoMove,
    repeatable(ports, {
      authorize: authorizeReplay('card.undo'),
      handle: async (once, { user, params }) => await undoMove(once, user, params),
    }),
  )
}
