import { z } from 'zod'

/**
 * That a member has a user at a media server.
 *
 * - `waiting` the member who gave the key of the server has not confirmed yet that the account is theirs
 * - `linked` a film that this user plays to its end is marked as seen
 * - `ended` the server no longer accepts the link, so nothing is marked there until the member links again
 */
export const MediaLink = z.object({
  serverId: z.string(),
  state: z.enum(['waiting', 'linked', 'ended']),
  /** The name of the user at the server. */
  name: z.string(),
  /** Whether films that the member marks as seen are marked at the server, too. */
  isSent: z.boolean(),
  linkedAt: z.iso.datetime(),
})
export type MediaLink = z.infer<typeof MediaLink>

/** That a member says which account of a Plex server is theirs. Waits for the member who gave its key. */
export const MediaClaim = z.object({
  serverId: z.string(),
  username: z.string(),
  /** The account, and its name. */
  accountId: z.string(),
  name: z.string(),
})
export type MediaClaim = z.infer<typeof MediaClaim>

/**
 * The address to which a media server reports what was played, without its secret. `taken` are reports that marked a film,
 * `unlinked` those of users that no member has linked, and `unmatched` those of films that no card of the feed has.
 */
export const MediaHook = z.object({
  serverId: z.string(),
  madeAt: z.iso.datetime(),
  lastAt: z.iso.datetime().nullable(),
  taken: z.number().int().min(0),
  unlinked: z.number().int().min(0),
  unmatched: z.number().int().min(0),
})
export type MediaHook = z.infer<typeof MediaHook>

/**
 * The links of the caller. `claims` are those of servers whose key the caller gave. Only the owner of the watchlist sees
 * `hooks`. Both are empty for others.
 */
export const MediaLinks = z.object({
  links: z.array(MediaLink),
  claims: z.array(MediaClaim),
  hooks: z.array(MediaHook),
})
export type MediaLinks = z.infer<typeof MediaLinks>

/** A code that the member enters in Jellyfin until `endsAt`. `attempt` is what the call that looks for the answer takes. */
export const QuickConnect = z.object({ code: z.string(), attempt: z.string(), endsAt: z.iso.datetime() })
export type QuickConnect = z.infer<typeof QuickConnect>

/** An account that a Plex server knows. */
export const MediaAccount = z.object({ accountId: z.string(), name: z.string() })
export type MediaAccount = z.infer<typeof MediaAccount>

export const MediaAccounts = z.object({ accounts: z.array(MediaAccount) })

/** An address with its secret, which no other reply has. */
export const NewMediaHook = z.object({ url: z.url() })
