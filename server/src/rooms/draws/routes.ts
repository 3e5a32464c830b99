import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../club/people/service.ts'
import { authorizeReplay } from '../club/watchlists/service.ts'
import type { DrawPorts } from './ports.ts'
import { closeSeedHashes, revealedOrConflict } from './reveal.ts'
import { getDraw, getOdds, listDraws, prepareDraw, revealDraw, revealRandomCard, setRule } from './service.ts'

/** The calls that draw cards from the box, in one step or two. */
export function drawHandlers(ports: DrawPorts) {
  return {
    revealRandomCard: repeatable(ports, {
      authorize: authorizeReplay('card.reveal'),
      handle: async (once, { user, params }) => await revealRandomCard(once, user, params.watchlistId),
    }),
    prepareDraw: repeatable(ports, {
      authorize: authorizeReplay('card.reveal'),
      handle: async (once, { user, params, body }) =>
        await prepareDraw(once, user, params.watchlistId, { ...body, filter: body.filter ?? null }),
    }),
    closeSeedHashes: async ({ user, params, body }) => await closeSeedHashes(ports, user, params, body.hashes),
    revealDraw: repeatable(ports, {
      authorize: authorizeReplay('card.reveal'),
      handle: async (once, { user, params, body }) => await revealDraw(once, user, params, body.seeds),
      // The transaction of a conflict is committed, so it is stored like a reply.
      replay: (stored) => revealedOrConflict(stored as Parameters<typeof revealedOrConflict>[0]),
    }),
    listDraws: async ({ user, params, query }) => await listDraws(ports, user, { ...params, ...query }),
    getDraw: async ({ user, params }) => await getDraw(ports, user, params),
    getDrawOdds: async ({ user, params, query }) =>
      await getOdds(ports, user, params.watchlistId, query.filter ?? null),
    setDrawRule: async ({ user, params, body }) => await setRule(ports, user, params.watchlistId, body),
  } satisfies Partial<Handlers>
}
