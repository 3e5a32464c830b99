import type { Reply } from '@marquee/contract/endpoints'
import type { SCREEN_ENDPOINTS } from '@marquee/contract/endpoints/screens'
import type { PairedScreen } from '@marquee/contract/entities/night-screen'
import { MAX_NIGHT_SCREENS, SCREEN_CODE_MINUTES } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import type { Principal, User } from '../../../club/people/service.ts'
import { authorizeRead, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { changeBehindLock, requireNight } from '../night/change.ts'
import { randomCode, readCode } from './codes.ts'
import { endPass, findPass, listScreenPasses, type PassRow } from '../night/pass-store.ts'
import { insertNewPass, newSecret, tokenOf } from '../night/passes.ts'
import { nightIdOf, nightKeyOf } from '../night/present.ts'
import { deleteExpiredPairings, findPairing, insertPairing, savePaired } from './screen-store.ts'
import { requirePresence } from '../vote/latest-vote.ts'

type Screens = typeof SCREEN_ENDPOINTS

/** A code for a screen to show, and the secret of its later pass. The server stores only a hash of the secret. */
export async function requestScreen({
  database,
  clock,
  random,
}: Pick<WatchlistPorts, 'database' | 'clock' | 'random'>): Promise<Reply<Screens['requestScreen']>> {
  const now = clock.now()
  const secret = newSecret(random)
  const row = { secret_hash: hashOfSecret(secret), expires_at: codeExpiry(now) }
  return await database.transaction(async (trx) => {
    for (;;) {
      const code = randomCode(random)
      // Codes rarely collide: there are as many of them as a guesser would have to try.
      if (await insertPairing(trx, { ...row, code }, now.toISOString())) {
        return { code, secret, expiresAt: row.expires_at }
      }
    }
  })
}

/** The pass of a screen, once it has a night. @throws {Problem} NOT_FOUND if the code expired or is another screen's. */
export async function findScreenPass(
  { database, clock }: Pick<WatchlistPorts, 'database' | 'clock'>,
  { code, secret }: { code: string; secret: string },
): Promise<Reply<Screens['findScreenPass']>> {
  const row = await findPairing(database.read, code, clock.now().toISOString())
  if (row?.secret_hash !== hashOfSecret(secret)) throw new Problem('NOT_FOUND')
  const { watchlist_id, night_id: id, pass_id: screenId } = row
  if (watchlist_id === null || id === null || screenId === null) return { pass: null }
  const night = { watchlist_id, id }
  return { pass: { nightId: nightIdOf(night), screenId, token: tokenOf(night, secret) } }
}

/**
 * Shows the open night on the screen with this code.
 * @throws {Problem} NOT_FOUND if no screen waits with this code; FORBIDDEN; BAD_REQUEST if the night is not open, the caller
 * is not there, or it has too many screens.
 */
export async function pairScreen(
  ports: WatchlistPorts,
  user: User,
  nightId: string,
  given: string,
): Promise<PairedScreen> {
  const code = readCode(given)
  return await changeBehindLock(
    ports,
    user,
    'night.showScreen',
    nightId,
    async (trx, key, { row, now, requireState, happened }) => {
      requireState('open')
      await requirePresence(trx, key, user)
      const waiting = await findPairing(trx, code, now)
      const screens = await listScreenPasses(trx, key)
      const paired = screens.find(({ id }) => id === waiting?.pass_id)
      if (paired) return presentScreen(paired)
      if (!waiting) throw new Problem('NOT_FOUND', 'No screen shows this code')
      if (screens.length >= MAX_NIGHT_SCREENS) {
        throw new Problem('BAD_REQUEST', `A movie night cannot have more than ${MAX_NIGHT_SCREENS} screens`)
      }
      const pass = { kind: 'screen', name: null, createdBy: user.username, now } as const
      const id = await insertNewPass(trx, ports, row, { ...pass, tokenHash: waiting.secret_hash })
      const expires_at = codeExpiry(ports.clock.now())
      if (!(await savePaired(trx, code, key, { pass_id: id, expires_at }))) {
        throw new Problem('NOT_FOUND', 'No screen shows this code')
      }
      happened('screen.paired')
      return { screenId: id, by: user.username, since: now }
    },
  )
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function listScreens(
  { database: { read } }: Pick<WatchlistPorts, 'database'>,
  user: User,
  nightId: string,
): Promise<PairedScreen[]> {
  const key = nightKeyOf(nightId)
  await authorizeRead(read, user, 'night.showScreen', key.watchlistId)
  await requireNight(read, key)
  return (await listScreenPasses(read, key)).map(presentScreen)
}

/** Makes the pass of a screen void. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function endScreen(
  ports: WatchlistPorts,
  user: Principal,
  nightId: string,
  screenId: string,
): Promise<void> {
  await changeBehindLock(ports, user, 'night.endScreen', nightId, async (trx, key, { now, happened }) => {
    if (user.pass && user.userId !== screenId) throw new Problem('FORBIDDEN')
    if ((await findPass(trx, key, { id: screenId }))?.kind !== 'screen') throw new Problem('NOT_FOUND')
    await endPass(trx, key, screenId, now)
    happened('screen.ended')
  })
}

/** Removes the codes that no screen shows any more. */
export async function sweepScreenCodes({ database, clock }: Pick<WatchlistPorts, 'database' | 'clock'>): Promise<void> {
  await database.transaction(async (trx) => await deleteExpiredPairings(trx, clock.now().toISOString()))
}

function codeExpiry(now: Date): string {
  return new Date(now.getTime() + SCREEN_CODE_MINUTES * MINUTE_MS).toISOString()
}

function presentScreen({ id, created_by: by, created_at: since }: PassRow): PairedScreen {
  return { screenId: id, by: by ?? '', since }
}
