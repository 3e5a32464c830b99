import { askTogether, together } from '@marquee/platform/database/statement-runner'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../../club/people/service.ts'
import { authorizeRead, authorizeReplay } from '../../club/watchlists/service.ts'
import { addComment, type CommentPorts, deleteComment, editComment, listComments } from './service.ts'

/** The calls under `/watchlists/{id}/cards/{cardId}/comments`. */
export function commentHandlers(ports: CommentPorts) {
  return {
    listComments: async ({ user, params, query }) => {
      return await askTogether(ports.database.read, async (db) => {
        const [, page] = await together(
          authorizeRead(db, user, 'comment.read', params.watchlistId),
          listComments(ports, db, params, query),
        )
        return page
      })
    },
    addComment: repeatable(ports, {
      authorize: authorizeReplay('comment.add'),
      handle: async (once, { user, params, body }) =>
        await addComment(once, user, { ...params, content: body.content }),
    }),
    editComment: repeatable(ports, {
      authorize: authorizeReplay('comment.add'),
      handle: async (once, { user, params, body }) =>
        await editComment(once, user, { ...params, content: body.content }),
    }),
    deleteComment: async ({ user, params }) => await deleteComment(ports, user, params),
  } satisfies Partial<Handlers>
}
