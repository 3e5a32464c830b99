import { create as contentDisposition } from 'content-disposition'

import { ANSWERED } from '@marquee/platform/http/mount'
import { streamText } from '@marquee/platform/http/stream-text'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { CardPorts } from '../cards/service.ts'
import type { Handlers } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import { type RestorePorts, restoreWatchlist } from './restore.ts'
import { exportWatchlist } from './service.ts'

export function exportHandlers(ports: CardPorts & Pick<RestorePorts, 'parser'>) {
  return {
    exportWatchlist: async ({ user, params, query, reply }) => {
      const access = await authorizeRead(ports.database.read, user, 'watchlist.export', params.watchlistId)
      const { name, type, text } = await exportWatchlist(ports, user, access, query.format)
      await streamText(reply.type(type).header('content-disposition', contentDisposition(name)), text)
      return ANSWERED
    },
    restoreWatchlist: repeatable(ports, {
      // The stored reply has only what the caller sent.
      authorize: async () => undefined,
      handle: async (once, { user, body }) => await restoreWatchlist({ ...once, slices: ports.database }, user, body),
    }),
  } satisfies Partial<Handlers>
}
