import type { BodyInput } from '@marquee/contract/endpoints'
import { VOTE_ENDPOINTS } from '@marquee/contract/endpoints/votes'
import type { Night } from '@marquee/contract/entities/night'
import type { NightVote, NightVoteState } from '@marquee/contract/entities/vote'
import { type QueryKey, queryOptions, replaceEqualDeep, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'
import { useReadAgain } from '#web/api/read-again.ts'
import { callWithPass } from '#web/api/night-pass.ts'

import type { PhoneGuest } from './phone-guests.ts'

/**
 * The reply, with the titles that this tab showed while the vote was open: the server tells nothing of cards that are back in
 * the box.
 */
export function withKnownTitles(before: NightVoteState | undefined, next: NightVoteState): NightVoteState {
  const { vote } = next
  const known = before?.vote
  if (vote === null || vote.closedAt === null || known?.drawNumber !== vote.drawNumber) return next
  const titles = new Map(known.cards.map(({ cardId, title }) => [cardId, title]))
  const cards = vote.cards.map((card) => ({ ...card, title: card.title ?? titles.get(card.cardId) ?? null }))
  return { ...next, vote: { ...vote, cards } }
}

/** Begins the keys of all votes. */
export const NIGHT_VOTES = ['night-vote'] as const

/** The vote of a night, with the user's own ballot. */
export const nightVote = ({ id: nightId }: Pick<Night, 'id'>) =>
  queryOptions({
    queryKey: [...NIGHT_VOTES, nightId],
    queryFn: async ({ signal }) => call(VOTE_ENDPOINTS.findVote, { params: { nightId }, signal }),
    structuralSharing: (before, next): unknown =>
      // Both are states of this query.
      replaceEqualDeep(before, withKnownTitles(before as NightVoteState | undefined, next as NightVoteState)),
  })

/** Reads the vote again when it, who is here, or a card changes. */
export function useLiveVote(night: Night): void {
  useReadAgain(
    night.watchlistId,
    nightVote(night).queryKey,
    (kind) => kind === 'nights-changed' || kind === 'members-changed' || kind.startsWith('card-'),
  )
}

/** The vote as a guest without a phone sees it, with their own ballot. It is read again together with that of the user. */
export const phoneVote = (night: Pick<Night, 'id'>, { guestId, token }: PhoneGuest) =>
  queryOptions({
    queryKey: [...nightVote(night).queryKey, guestId],
    queryFn: async ({ signal }) =>
      callWithPass(token)(VOTE_ENDPOINTS.findVote, { params: { nightId: night.id }, signal }),
  })

/** A step of the vote. After a failure it is read again: it may be closed already. */
function useVoteStep<Input>(queryKey: QueryKey, mutationFn: (input: Input) => Promise<NightVoteState>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (state) => client.setQueryData(queryKey, state),
    onError: () => void client.invalidateQueries({ queryKey }),
  })
}

export type BallotInput = BodyInput<typeof VOTE_ENDPOINTS.castBallot>

export function useCastBallot(night: Night) {
  return useVoteStep(nightVote(night).queryKey, send(VOTE_ENDPOINTS.castBallot, { nightId: night.id }))
}

type Cast = Pick<ReturnType<typeof useCastBallot>, 'mutate' | 'error' | 'isPending' | 'variables'>

/** The casting of ballots as the page of this vote shows it: what became of one for an earlier vote is no news. */
export function castIn({ mutate, variables, error, isPending }: Cast, vote: NightVote | null | undefined) {
  const isOfVote = variables?.drawNumber === vote?.drawNumber
  return { mutate, error: isOfVote ? error : null, isPending: isOfVote && isPending }
}

type PhoneBallot = { guest: PhoneGuest & { nickname: string }; body: BallotInput }

/** Votes for guests without a phone. What became of the last ballot outlives the page of its guest. */
export function useCastPhoneBallot(night: Night) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ guest, body }: PhoneBallot) =>
      callWithPass(guest.token)(VOTE_ENDPOINTS.castBallot, { params: { nightId: night.id }, body }),
    onSuccess: (state, { guest }) => client.setQueryData(phoneVote(night, guest).queryKey, state),
    onError: () => void client.invalidateQueries({ queryKey: nightVote(night).queryKey }),
  })
}

export function useCloseVote(night: Night) {
  return useVoteStep(nightVote(night).queryKey, async (drawNumber: number) =>
    call(VOTE_ENDPOINTS.closeVote, { params: { nightId: night.id }, body: { drawNumber } }),
  )
}

/** Uses a veto of the user on a revealed card. */
export function useVetoCard(night: Night) {
  return useVoteStep(nightVote(night).queryKey, async (cardId: string) =>
    call(VOTE_ENDPOINTS.vetoCard, { params: { nightId: night.id }, body: { cardId } }),
  )
}
