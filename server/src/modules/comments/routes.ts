import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { User } from '../profiles/service.ts'
import { asMember, getReadable } from '../watchlists/service.ts'
import { addComment, type CommentPorts, deleteComment, editComment, listComments } from './service.ts'

/** Spec section 7: the calls under `/watchlists/{id}/cards/{cardId}/comments`. */
export function commentRoutes(route: Route<User>, ports: CommentPorts): void {
  const db = ports.database.read

  route(ENDPOINTS.listComments, async ({ user, params, query }) => {
    const access = await getReadable(db, params.watchlistId, user)
    return await listComments(ports, access, { cardId: params.cardId, ...query })
  })

  route(
    ENDPOINTS.addComment,
    repeatable(ports, {
      authorize: asMember,
      handle: async (once, { user, params, body }) =>
        await addComment(once, user, { ...params, content: body.content }),
    }),
  )

  route(ENDPOINTS.editComment, async ({ user, params, body }) => {
    return await editComment(ports, user, { ...params, content: body.content })
  })

  route(ENDPOINTS.deleteComment, async ({ user, params }) => {
    await deleteComment(ports, user, params)
  })
}
