import { z } from 'zod'

/**
 * An open join link as members see it. Its creator and the owner get the token, unless the master key has changed since, or an
 * earlier version made the link.
 */
export const JoinLink = z.object({
  id: z.string(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  maxUses: z.number().int(),
  uses: z.number().int(),
  token: z.string().nullish(),
})
export type JoinLink = z.infer<typeof JoinLink>

/** The reply to the member who made the link. Only the hash of the token is stored. */
export const NewJoinLink = JoinLink.extend({ token: z.string() })
export type NewJoinLink = z.infer<typeof NewJoinLink>

export const LINK_CREATORS = ['members', 'owner'] as const
export type LinkCreators = (typeof LINK_CREATORS)[number]

/** The open links of a watchlist, newest first, and who may make them. */
export const JoinLinks = z.object({ creators: z.enum(LINK_CREATORS), links: z.array(JoinLink) })
export type JoinLinks = z.infer<typeof JoinLinks>

/** What a visitor with the link sees before joining. `watchlist` is null unless the link is open. */
export const JoinLinkPreview = z.object({
  state: z.enum(['open', 'used-up', 'expired', 'revoked']),
  watchlist: z
    .object({ name: z.string(), imageUrl: z.string().nullable(), invitedBy: z.string(), memberCount: z.number().int() })
    .nullable(),
})
export type JoinLinkPreview = z.infer<typeof JoinLinkPreview>
