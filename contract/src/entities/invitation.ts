import { z } from 'zod'

/** What the inviter gets, once: the token stands in no other reply and is kept only as a hash. */
export const Invitation = z.object({
  watchlistId: z.string(),
  username: z.string(),
  token: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Invitation = z.infer<typeof Invitation>

/** An invitation that waits, as the members of the watchlist see it. */
export const PendingInvitation = z.object({
  watchlistId: z.string(),
  username: z.string(),
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type PendingInvitation = z.infer<typeof PendingInvitation>

/** An invitation that waits, as the invited person sees it. */
export const ReceivedInvitation = PendingInvitation.extend({ watchlistName: z.string() })
export type ReceivedInvitation = z.infer<typeof ReceivedInvitation>
