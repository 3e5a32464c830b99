import type { BodyInput } from '@marquee/contract/endpoints'
import { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import { VOTE_ENDPOINTS } from '@marquee/contract/endpoints/votes'
import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import type { NightAsGuest } from '@marquee/contract/entities/night'
import type { NightVoteState } from '@marquee/contract/entities/vote'
import { queryOptions, replaceEqualDeep, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { z } from 'zod'

import { mayBeDone } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { answerDraw } from '#web/api/draw.ts'
import { hexOf, useAttempt } from '#web/api/idempotency.ts'
import { callWithPass, followNight, readPass, savePass } from '#web/api/night-pass.ts'
import { useChange } from '#web/api/read-again.ts'
import { waitOnTimer, withRetries } from '#web/api/retry.ts'

import { withKnownTitles } from './vote-queries.ts'

const STORAGE_KEY = 'marquee.nightPass'
const DEVICE_KEY = 'marquee.guestDevice'
const GuestPass = z.object({
  token: z.string(),
  nightId: z.string(),
  guestId: z.string(),
  code: z.string(),
  /** The user whose account has what the guest did. */
  savedTo: z.string().optional(),
})

/** What this browser keeps of a night where its user is a guest. */
export type GuestPass = z.infer<typeof GuestPass>

/** The code as it is shown: typed codes may be in lower case or have spaces. */
export function plainCode(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/gu, '')
}

export const keptPass = () => readPass(STORAGE_KEY, GuestPass)
export const keepPass = (pass: GuestPass | undefined) => savePass(STORAGE_KEY, pass)

/** The name of this browser among guests, so that a removed one does not come back. Without storage it has none. */
function deviceName(): string | undefined {
  try {
    const name = localStorage.getItem(DEVICE_KEY) ?? hexOf(crypto.getRandomValues(new Uint8Array(16)))
    localStorage.setItem(DEVICE_KEY, name)
    return name
  } catch {
    return undefined
  }
}

type GuestNightData = { night: NightAsGuest; state: NightVoteState }

/** The night and its latest vote, as the guest sees them. */
export const guestNight = (pass: GuestPass) =>
  queryOptions({
    queryKey: ['guest-night', pass.token],
    queryFn: async ({ signal }) => {
      const input = { params: { nightId: pass.nightId }, signal }
      const [night, state] = await Promise.all([
        callWithPass(pass.token)(NIGHT_GUEST_ENDPOINTS.getNightAsGuest, input),
        callWithPass(pass.token)(VOTE_ENDPOINTS.findVote, input),
      ])
      return { night, state }
    },
    structuralSharing: (before, next): unknown => {
      // Both are data of this query.
      const [known, read] = [before as GuestNightData | undefined, next as GuestNightData]
      return replaceEqualDeep(known, { ...read, state: withKnownTitles(known?.state, read.state) })
    },
  })

/** Reads the night again when it changes, and when the pass has ended. Takes part in its draws with this device. */
export function useLiveGuestNight(pass: GuestPass): void {
  const client = useQueryClient()
  const { token, nightId } = pass
  useEffect(
    () =>
      followNight(token, nightId, (request) => {
        void client.invalidateQueries({ queryKey: ['guest-night', token] })
        if (request !== undefined) answerDraw(callWithPass(token), nightId, request)
      }),
    [client, token, nightId],
  )
}

/** Joins as a guest. `memberOf` is the watchlist of a user who is a member: what they do is their own at once. */
export function useJoinNight(username: string | undefined) {
  const attempt = useAttempt()
  return useMutation({
    mutationFn: async ({
      code,
      nickname,
    }: Pick<BodyInput<typeof NIGHT_GUEST_ENDPOINTS.joinNight>, 'code' | 'nickname'>): Promise<{
      pass: GuestPass
      memberOf: string | undefined
    }> => {
      const body = { code: plainCode(code), nickname, device: deviceName() }
      return attempt(JSON.stringify(body), async (idempotencyKey) => {
        const { token, guest, night } = await call(NIGHT_GUEST_ENDPOINTS.joinNight, { body, idempotencyKey })
        const pass = { token, nightId: night.id, guestId: guest.guestId, code: body.code }
        keepPass(pass)
        const memberOf = username === undefined ? undefined : await claimAsMember(pass).catch(unlessLost)
        return { pass, memberOf }
      })
    },
  })
}

export function useGuestBallot(pass: GuestPass) {
  return useChange(
    async (body: BodyInput<typeof VOTE_ENDPOINTS.castBallot>) =>
      callWithPass(pass.token)(VOTE_ENDPOINTS.castBallot, { params: { nightId: pass.nightId }, body }),
    guestNight(pass).queryKey,
  )
}

/** Uses the veto of the guest on a revealed card. */
export function useGuestVeto(pass: GuestPass) {
  return useChange(
    async (cardId: string) =>
      callWithPass(pass.token)(VOTE_ENDPOINTS.vetoCard, { params: { nightId: pass.nightId }, body: { cardId } }),
    guestNight(pass).queryKey,
  )
}

/** Leaves the night. A pass that is void already is left, too. */
export function useLeaveAsGuest(pass: GuestPass) {
  const { nightId, guestId } = pass
  return useMutation({
    mutationFn: async () =>
      callWithPass(pass.token)(NIGHT_GUEST_ENDPOINTS.removeGuest, { params: { nightId, guestId } }),
  })
}

const claimNight = async ({ token }: GuestPass) => call(NIGHT_GUEST_ENDPOINTS.claimNight, { body: { token } })

/** A claim that may be done may have ended the pass. The next try joins with the same key, and claims again. */
function unlessLost(error: unknown): undefined {
  if (mayBeDone(error)) throw error
}

/** Claims for a member. Others have chosen the name that their friends see, and a claim would replace it. */
async function claimAsMember(pass: GuestPass): Promise<string | undefined> {
  const lists = await call(WATCHLIST_ENDPOINTS.listWatchlists)
  // The id of a night begins with that of its watchlist.
  if (!lists.some(({ id }) => pass.nightId.startsWith(`${id}_`))) return undefined
  const retrying = { wait: waitOnTimer, signal: undefined }
  const { isMember, watchlistId } = await withRetries(async () => claimNight(pass), retrying)
  return isMember ? watchlistId : undefined
}

/** Keeps what the guest did, as the signed-in user. */
export function useClaim(pass: GuestPass) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => claimNight(pass),
    onSuccess: async ({ isMember }) => {
      if (!isMember) await client.invalidateQueries({ queryKey: guestNight(pass).queryKey })
    },
  })
}
