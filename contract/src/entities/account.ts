import { z } from 'zod'

import { Want } from './card.ts'
import { ImportRow, MovieImport } from './import.ts'
import { PendingInvitation, ReceivedInvitation } from './invitation.ts'
import { JoinLink } from './join-link.ts'
import { CardContent } from './card-content.ts'
import { MediaLink } from './media-link.ts'
import { MediaServer } from './media-server.ts'
import { Movie } from './movie.ts'
import { MovieRequest, RequestServer } from './movie-request.ts'
import { Night } from './night.ts'
import { Notification } from './notification.ts'
import { NotificationSettings } from './notification-settings.ts'
import { Profile } from './profile.ts'
import { Viewing } from './viewing.ts'
import { PersonalToken } from './personal-token.ts'
import { PushDevice } from './push.ts'
import { OwnBallot, OwnVeto } from './vote.ts'
import { Watchlist } from './watchlist.ts'
import { Webhook } from './webhook.ts'

/** How many recovery codes are unused. */
export const RecoveryCodeCount = z.object({ left: z.number().int().min(0) })

/** New recovery codes, shown once. Earlier codes are void. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })

export const MAX_PASSKEY_NAME_LENGTH = 60

/** A passkey of the caller. `passkeyId` is the credential id. */
export const Passkey = z.object({
  passkeyId: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** The last sign-in with it; null if there was none. */
  usedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const Passkeys = z.object({ passkeys: z.array(Passkey) })

/** An active session. `client` is coarse, such as `Firefox on Windows`, or empty if unknown. */
export const Session = z.object({
  sessionId: z.string(),
  client: z.string(),
  signedInAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
  /** Whether this session made the call. */
  isThisOne: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const Sessions = z.object({ sessions: z.array(Session) })

/** An event of the account; `at` is the last time. A newer server may send a `kind` that the browser does not know. */
export const SecurityEvent = z.object({
  eventId: z.string(),
  kind: z.string(),
  client: z.string(),
  at: z.iso.datetime(),
  /** How often it happened. Attempts by signed-out callers are one event per day. */
  times: z.number().int().positive(),
})
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const SecurityEventsPage = z.object({ events: z.array(SecurityEvent), nextToken: z.string().nullable() })
export type SecurityEventsPage = z.infer<typeof SecurityEventsPage>

/** A card that the caller added. Cards in the box are not exported. */
const OwnCard = z.object({
  cardId: z.string(),
  ...CardContent.shape,
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

const OwnViewing = Viewing.omit({ username: true }).extend({ cardId: z.string() })

/** A row of a file that the caller imported, without what it was compared with. */
const OwnImportRow = ImportRow.pick({
  file: true,
  row: true,
  title: true,
  isSeen: true,
  stars: true,
  isChosen: true,
}).extend({
  movie: Movie,
  /** The day on which the file says that the movie was seen. */
  seenOn: z.string().nullable(),
})

/** `accountId` is the user at the server. */
const OwnMediaLink = MediaLink.extend({ accountId: z.string() })

/** A media server that the caller connected, without its key. */
const OwnMediaServer = MediaServer.pick({ serverId: true, kind: true, name: true, openUrl: true }).extend({
  host: z.string(),
  createdAt: z.iso.datetime(),
})

/** A movie that the caller asked for, if its card is in the feed. `sentAt` is null until the server has it. */
const OwnMovieRequest = MovieRequest.extend({ tmdbId: z.string(), sentAt: z.iso.datetime().nullable() })

/** All data stored about the caller, without secrets. Of other users it has what the caller can see anyway. */
export const DataExport = z.object({
  exportedAt: z.iso.datetime(),
  account: z.record(z.string(), z.unknown()).nullable(),
  profile: Profile.pick({ username: true, avatarUrl: true, currentWatchlistId: true, language: true, services: true }),
  invitations: z.array(ReceivedInvitation),
  /** Personal access tokens, without the tokens themselves. */
  personalTokens: z.array(PersonalToken),
  notifications: z.array(Notification.pick({ kind: true, watchlistId: true, by: true, createdAt: true, isRead: true })),
  /** The devices that get push messages. */
  pushDevices: z.array(PushDevice),
  notificationSettings: NotificationSettings,
  /** Imports into all watchlists, also into those that the caller has left. */
  imports: z.array(MovieImport.extend({ rows: z.array(OwnImportRow) })),
  watchlists: z.array(
    Watchlist.extend({
      cards: z.array(OwnCard),
      comments: z.array(OwnComment),
      /** What the caller wants besides their own cards. */
      wants: z.array(Want),
      viewings: z.array(OwnViewing),
      nights: z.array(Night),
      ballots: z.array(OwnBallot),
      vetoes: z.array(OwnVeto),
      /** The open join links that the user created. */
      joinLinks: z.array(JoinLink),
      /** The pending invitations that the user sent. */
      sentInvitations: z.array(PendingInvitation),
      mediaLinks: z.array(OwnMediaLink),
      mediaServers: z.array(OwnMediaServer),
      /** The server that the user connected so that movies can be asked for, without its key. */
      requestServers: z.array(RequestServer.pick({ askers: true, seenAt: true }).extend({ host: z.string() })),
      movieRequests: z.array(OwnMovieRequest),
      /** The webhooks that the user created, without their secrets. */
      webhooks: z.array(Webhook),
    }),
  ),
})
export type DataExport = z.infer<typeof DataExport>
