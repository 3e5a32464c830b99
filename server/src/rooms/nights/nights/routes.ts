import { ANSWERED } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { WatchOptions } from '../../movies/availability/service.ts'
import type { CardPorts } from '../../movies/cards/service.ts'
import type { Handlers } from '../../club/people/service.ts'
import { authorizeRead, authorizeReplay } from '../../club/watchlists/service.ts'
import { listNightFilms, listUnrated } from './presence/attendance.ts'
import { endCalendar, findCalendar, makeCalendar, readCalendar } from './plan/feed.ts'
import {
  addSeed,
  addSeedHash,
  arriveAtNight,
  endNight,
  findSeedHashes,
  getNight,
  leaveNight,
  listNights,
  type NightPorts,
  openNight,
  startNight,
} from './service.ts'
import { authorizeNightRead } from './night/passes.ts'
import { answerNight, cancelNight, changeNight, fixNightTime, planNight } from './plan/plans.ts'
import { nightKeyOf } from './night/present.ts'
import { getVote } from './vote/read-vote.ts'
import { getVetoBudget, setVetoBudget, vetoCard } from './vote/vetoes.ts'
import { castBallot, closeVote, openVote } from './vote/votes.ts'

/** The shortlist of a night and the votes on it. */
function voteHandlers(ports: CardPorts & WatchOptions) {
  return {
    findVote: async ({ user, params }) => await getVote(ports, user, params.nightId),
    openVote: async ({ user, params, body }) => await openVote(ports, user, params.nightId, body),
    castBallot: async ({ user, params, body }) => await castBallot(ports, user, params.nightId, body),
    closeVote: async ({ user, params, body }) => await closeVote(ports, user, params.nightId, body.drawNumber),
    vetoCard: repeatable(ports, {
      authorize: async (db, { user, params }) =>
        await authorizeNightRead(db, user, 'night.vote', nightKeyOf(params.nightId)),
      handle: async (once, { user, params, body }) => await vetoCard(once, user, params.nightId, body.cardId),
    }),
    getVetoBudget: async ({ user, params }) => ({ vetoBudget: await getVetoBudget(ports, user, params.watchlistId) }),
    setVetoBudget: async ({ user, params, body }) =>
      await setVetoBudget(ports, user, params.watchlistId, body.vetoBudget),
  } satisfies Partial<Handlers>
}

/** Movie nights of a watchlist: their plan, their answers, who is present, and their votes. */
export function nightHandlers(ports: NightPorts & CardPorts & WatchOptions) {
  return {
    listNights: async ({ user, params }) => {
      const access = await authorizeRead(ports.database.read, user, 'night.read', params.watchlistId)
      return { nights: await listNights(ports, user, access), unrated: await listUnrated(ports, user, access) }
    },
    listNightFilms: async ({ user, params }) => {
      const access = await authorizeRead(ports.database.read, user, 'night.read', params.watchlistId)
      return { films: await listNightFilms(ports, access) }
    },
    planNight: repeatable(ports, {
      authorize: authorizeReplay('night.plan'),
      handle: async (once, { user, params, body }) => await planNight(once, user, params.watchlistId, body),
    }),
    openNight: async ({ user, params }) => await openNight(ports, user, params.watchlistId),
    getNight: async ({ user, params }) => await getNight(ports, user, params.nightId),
    changeNight: async ({ user, params, body }) => await changeNight(ports, user, params.nightId, body),
    fixNightTime: async ({ user, params, body }) => await fixNightTime(ports, user, params.nightId, body.startsAt),
    answerNight: repeatable(ports, {
      authorize: async (db, { user, params }) =>
        await authorizeNightRead(db, user, 'night.answer', nightKeyOf(params.nightId)),
      handle: async (once, { user, params, body }) => await answerNight(once, user, params.nightId, body),
    }),
    cancelNight: async ({ user, params }) => await cancelNight(ports, user, params.nightId),
    startNight: async ({ user, params }) => await startNight(ports, user, params.nightId),
    endNight: async ({ user, params }) => await endNight(ports, user, params.nightId),
    ...calendarHandlers(ports),
    ...presenceHandlers(ports),
    ...voteHandlers(ports),
  } satisfies Partial<Handlers>
}

/** The feed of nights for calendar programs. */
function calendarHandlers(ports: NightPorts) {
  return {
    findCalendar: async ({ user, params }) => ({ since: await findCalendar(ports, user, params.watchlistId) }),
    makeCalendar: async ({ user, params }) => ({ url: await makeCalendar(ports, user, params.watchlistId) }),
    endCalendar: async ({ user, params }) => await endCalendar(ports, user, params.watchlistId),
    readCalendar: async ({ params, reply }) => {
      const text = await readCalendar(ports, params.calendarToken)
      // Not awaited: the reply is thenable, and settles when all is sent.
      void reply.type('text/calendar; charset=utf-8').send(text)
      return ANSWERED
    },
  } satisfies Partial<Handlers>
}

/** Who is at a night, and the seeds of their devices. */
function presenceHandlers(ports: NightPorts & CardPorts) {
  return {
    arriveAtNight: async ({ user, params }) => await arriveAtNight(ports, user, params.nightId),
    leaveNight: async ({ user, params }) => await leaveNight(ports, user, params.nightId),
    addSeedHash: async ({ user, params, body }) => await addSeedHash(ports, user, params.nightId, body),
    findSeedHashes: async ({ user, params }) => ({
      hashes: await findSeedHashes(ports, user, params.nightId, params.drawNumber),
    }),
    addSeed: async ({ user, params, body }) => await addSeed(ports, user, params.nightId, body),
  } satisfies Partial<Handlers>
}
