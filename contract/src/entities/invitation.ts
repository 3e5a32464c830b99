import { z } from 'zod'

/** The reply to the inviter. No other reply has the token, and only its hash is stored. */
export const Invitation = z.object({
  watchlistId: z.string(),
  username: z.string(),
  token: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Invitation = z.infer<typeof Invitation>

const Waiting = z.object({
  watchlistId: z.string(),
  username: z.string(),
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

/**
 * A pending invitation as the members of the watchlist see it. One that went to a mail address has the id of its link, and
 * as `username` the address, shortened for all but its inviter. `isMailRefused` if the mail server does not accept mails to the address.
 */
export const PendingInvitation = Waiting.extend({
  linkId: z.string().optional(),
  isMailRefused: z.boolean().optional(),
})
export type PendingInvitation = z.infer<typeof PendingInvitation>

/** A pending invitation as the invitee sees it. */
export const ReceivedInvitation = Waiting.extend({ watchlistName: z.string() })
export type ReceivedInvitation = z.infer<typeof ReceivedInvitation>
