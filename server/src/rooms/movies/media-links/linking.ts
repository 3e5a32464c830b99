import type { MediaAccount, MediaLink, QuickConnect } from '@marquee/contract/entities/media-link'
import { Problem } from '@marquee/contract/problems'
import { isSameUser } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Random } from '@marquee/platform/runtime/random'

import type { User } from '../../club/people/service.ts'
import { changeWatchlist } from '../../club/watchlists/service.ts'
import { askByKey, findKeyGiver, PLEX_OWNER, requireOn, type ServerRow } from '../media-servers/service.ts'
import { ASK_MS, askAs, linkedBy, linkUser, type MediaLinkPorts, type OnPorts, requireKind } from './service.ts'
import { resumeMarks } from './mark-store.ts'
import { changeLink, deleteLink, listWaiting, type ServerKey } from './store.ts'
import { openAttempt, sealAttempt } from './token.ts'

/** Jellyfin ends a code after this time. */
const CODE_LASTS_MS = 10 * MINUTE_MS
const CODE_ENDED = 'This code has expired: start again'
const NO_SUCH_ACCOUNT = 'The media server does not have this account'

/** A code that the member enters in Jellyfin. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server. */
export async function beginQuickConnect(given: MediaLinkPorts, user: User, key: ServerKey): Promise<QuickConnect> {
  const ports = requireOn(given)
  const row = await requireKind(ports, user, key, 'jellyfin')
  const device = deviceOf(ports.random)
  const begun = await askAs(
    ports,
    row,
    device,
    async ({ quickConnect }, version, signal) => await quickConnect?.begin(version, signal),
  )
  if (!begun) throw new Problem('NOT_FOUND')
  const endsAt = ports.clock.now().getTime() + CODE_LASTS_MS
  const attempt = { secret: begun.secret, device, endsAt }
  return {
    code: begun.code,
    attempt: sealAttempt(ports.mediaServers, { ...key, userId: user.userId }, attempt, ports.random),
    endsAt: new Date(endsAt).toISOString(),
  }
}

/** Links the user who has entered the code; null until then. @throws {Problem} as above, also if the code has ended. */
export async function finishQuickConnect(
  given: MediaLinkPorts,
  user: User,
  key: ServerKey,
  sealed: string,
): Promise<MediaLink | null> {
  const ports = requireOn(given)
  const row = await requireKind(ports, user, key, 'jellyfin')
  const linkKey = { ...key, userId: user.userId }
  const attempt = openAttempt(ports.mediaServers, linkKey, sealed)
  if (!attempt || attempt.endsAt <= ports.clock.now().getTime()) throw new Problem('BAD_REQUEST', CODE_ENDED)
  const { secret, device } = attempt
  const signedIn = await askAs(
    ports,
    row,
    device,
    async ({ quickConnect }, _version, signal) => await quickConnect?.finish(secret, signal),
  )
  return signedIn ? await linkUser(ports, user, row, linkedBy(ports, linkKey, signedIn, device)) : null
}

/** Links a user of Emby. The password leaves with one call, and is kept nowhere. @throws {Problem} as above. */
export async function linkWithPassword(
  given: MediaLinkPorts,
  user: User,
  key: ServerKey,
  { name, password }: { name: string; password: string },
): Promise<MediaLink> {
  const ports = requireOn(given)
  const row = await requireKind(ports, user, key, 'emby')
  const device = deviceOf(ports.random)
  const signedIn = await askAs(
    ports,
    row,
    device,
    async ({ signIn }, _version, signal) => await signIn?.(name, password, signal),
  )
  if (!signedIn) throw new Problem('NOT_FOUND')
  return await linkUser(ports, user, row, linkedBy(ports, { ...key, userId: user.userId }, signedIn, device))
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server. */
export async function listMediaAccounts(given: MediaLinkPorts, user: User, key: ServerKey): Promise<MediaAccount[]> {
  const ports = requireOn(given)
  return await accountsOf(ports, await requireKind(ports, user, key, 'plex'))
}

async function accountsOf({ mediaServers }: OnPorts, row: ServerRow): Promise<MediaAccount[]> {
  const accounts = await askByKey(
    mediaServers,
    row,
    ASK_MS,
    async ({ listAccounts }, signal) => await listAccounts?.(signal),
  )
  return accounts ?? []
}

/**
 * Says which account of Plex is the member's. The member who gave the key of the server confirms it, also after a handover; their
 * own is linked at once. @throws {Problem} as above.
 */
export async function claimMediaAccount(
  given: MediaLinkPorts,
  user: User,
  key: ServerKey,
  accountId: string,
): Promise<MediaLink> {
  const ports: OnPorts = requireOn(given)
  const row = await requireKind(ports, user, key, 'plex')
  const account = (await accountsOf(ports, row)).find((one) => one.accountId === accountId)
  if (!account) throw new Problem('BAD_REQUEST', NO_SUCH_ACCOUNT)
  return await linkUser(ports, user, row, (server, before) => ({
    state:
      server.creator_id === user.userId || (before?.state === 'linked' && before.remote_id === accountId)
        ? 'linked'
        : 'waiting',
    remote_id: accountId,
    remote_name: account.name,
    device: null,
    token: null,
    // Plex marks films only for the account whose token it gets, and that is the owner's.
    is_sent: accountId === PLEX_OWNER ? 1 : 0,
  }))
}

/** Confirms or refuses the account of a member, by the member who gave the key of the server. @throws {Problem} NOT_FOUND, also if it does not wait, or no longer; FORBIDDEN. */
export async function answerMediaClaim(
  given: MediaLinkPorts,
  user: User,
  { username, ...key }: ServerKey & { username: string },
  { accountId, isConfirmed }: { accountId: string; isConfirmed: boolean },
): Promise<void> {
  const ports = requireOn(given)
  const item = async (db: AnyDb) => {
    const authorId = await findKeyGiver(db, key)
    return authorId === undefined ? undefined : { authorId }
  }
  await changeWatchlist(ports, user, 'media.confirm', { ...key, item }, async ({ trx, now, at }) => {
    const claim = (await listWaiting(trx, key.watchlistId)).find(
      (one) => one.server_id === key.serverId && isSameUser(one.username, username) && one.remote_id === accountId,
    )
    if (!claim) throw new Problem('NOT_FOUND')
    const linkKey = { ...key, userId: claim.user_id }
    if (!isConfirmed) {
      await deleteLink(trx, linkKey)
      return
    }
    await changeLink(trx, linkKey, { state: 'linked', linked_at: at })
    await resumeMarks(trx, claim, now.getTime())
  })
  ports.wakeMarks()
}

function deviceOf(random: Random): string {
  return `marquee-${random.uuid()}`
}
