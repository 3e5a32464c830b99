import { z } from 'zod'

import { ReceivedInvitation } from './invitation.ts'
import { Watchlist } from './watchlist.ts'

/** How many of the codes that stand in for an authenticator app can still be used. */
export const RecoveryCodeCount = z.object({ left: z.number().int().min(0) })

/** New recovery codes, shown this once; the ones before them are void. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })

/** What a passkey may be called: as long as fits a line. */
export const MAX_PASSKEY_NAME_LENGTH = 60

/** A passkey of one's own, by the id that browsers know it by. */
export const Passkey = z.object({
  passkeyId: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** When it signed in last; null until it has. */
  usedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const Passkeys = z.object({ passkeys: z.array(Passkey) })

/** A sign-in that still holds. `client` is coarse, such as `Firefox on Windows`, and empty where it is not known. */
export const Session = z.object({
  sessionId: z.string(),
  client: z.string(),
  signedInAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
  /** Whether it is the one that asks. */
  isThisOne: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const Sessions = z.object({ sessions: z.array(Session) })

/** Something that was done to the account, the last time `at`. `kind` may be one that is not known yet. */
export const SecurityEvent = z.object({
  eventId: z.string(),
  kind: z.string(),
  client: z.string(),
  at: z.iso.datetime(),
  /** How often: what anybody can try stands in one line a day. */
  times: z.number().int().positive(),
})
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const SecurityEventsPage = z.object({ events: z.array(SecurityEvent), nextToken: z.string().nullable() })
export type SecurityEventsPage = z.infer<typeof SecurityEventsPage>

/** A card one put into a watchlist. One that is still in the box stays its secret and is not listed. */
const OwnCard = z.object({
  cardId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** The original address of the poster, or the address of the uploaded image. */
  imageUrl: z.string(),
  status: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

const OwnComment = z.object({
  commentId: z.string(),
  cardId: z.string(),
  content: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

/** Everything that is kept of a person, for them to keep: no secrets, and of others no more than they see anyway. */
export const DataExport = z.object({
  exportedAt: z.iso.datetime(),
  account: z.record(z.string(), z.unknown()).nullable(),
  profile: z.object({
    username: z.string(),
    avatarUrl: z.string().nullable(),
    currentWatchlistId: z.string().nullable(),
  }),
  invitations: z.array(ReceivedInvitation),
  watchlists: z.array(Watchlist.extend({ cards: z.array(OwnCard), comments: z.array(OwnComment) })),
})
export type DataExport = z.infer<typeof DataExport>
