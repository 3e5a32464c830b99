import { z } from 'zod'

import type { MediaServerKind } from '@marquee/contract/entities/media-server'
import { SECOND_MS } from '@marquee/platform/runtime/durations'

import { JellyfinItem, ProviderIds } from './jellyfin.ts'
import { ItemId, Title, Year } from './movies.ts'
import { textPart } from './multipart.ts'
import { PlexItem } from './plex.ts'
import type { ServerMovie } from './port.ts'

/** What a media server sends to its address, as it came. */
export type RawReport = { readonly contentType: string; readonly body: string }

/** That a user has played a film to its end, or has marked it as played. */
export type Report = {
  /** The id of the server; null if the report does not say. */
  readonly machineId: string | null
  readonly userId: string
  readonly movie: ServerMovie
  /** The length of the film; null if the report does not say. */
  readonly lengthMs: number | null
}

/** Ticks of .NET. */
const TICKS_PER_MS = 10_000
const LONGEST_MS = 100 * 3600 * SECOND_MS

const lengthOf = (ms: number) => (ms > 0 && ms <= LONGEST_MS ? Math.round(ms) : null)
const Ticks = z.coerce
  .number()
  .transform((ticks) => lengthOf(ticks / TICKS_PER_MS))
  .nullable()
  .catch(null)
const Milliseconds = z.number().transform(lengthOf).nullable().catch(null)
/** .NET writes ids of users and items with dashes or without. */
const Guid = ItemId.transform(plainId)
const MachineId = ItemId.transform(plainId).nullable().catch(null)
/** A template may have made a text of it. */
const IsTrue = z.union([z.literal(true), z.string().regex(/^true$/iu)])

const Other = z.unknown().transform((): null => null)

/** The generic destination of Jellyfin's webhook plugin, with all properties. */
const OfJellyfin = z
  .looseObject({
    NotificationType: z.literal('PlaybackStop'),
    ItemType: z.literal('Movie'),
    PlayedToCompletion: IsTrue,
    ServerId: MachineId,
    UserId: Guid,
    ItemId: Guid,
    Name: Title,
    Year: z.coerce
      .number()
      .transform((year) => Year.parse(year))
      .catch(null),
    RunTimeTicks: Ticks,
  })
  .transform(
    ({ ServerId: machineId, UserId: userId, ItemId: itemId, Name: title, Year: year, RunTimeTicks, ...rest }) => {
      const ids = Object.entries(rest).map(([name, id]) => [name.replace(/^Provider_/iu, ''), id])
      const movie: ServerMovie = { itemId, title, year, ...ProviderIds.parse(Object.fromEntries(ids)) }
      return { machineId, userId, movie, lengthMs: RunTimeTicks }
    },
  )

const OfEmby = z
  .object({
    Event: z.enum(['playback.stop', 'item.markplayed']),
    Server: z.object({ Id: MachineId }).nullish().catch(null),
    User: z.object({ Id: Guid }),
    Item: JellyfinItem.and(z.object({ RunTimeTicks: Ticks })),
    PlaybackInfo: z
      .object({ PlayedToCompletion: z.boolean().catch(false) })
      .nullish()
      .catch(null),
  })
  // A user who marks a film by hand plays nothing.
  .refine(({ Event, PlaybackInfo }) => Event === 'item.markplayed' || PlaybackInfo?.PlayedToCompletion === true)
  .transform(({ Server, User, Item: { RunTimeTicks, ...movie } }) => {
    return { machineId: Server?.Id ?? null, userId: User.Id, movie, lengthMs: RunTimeTicks }
  })

/** Plex counts a film as seen after nine tenths of it. The address also gets what the account plays at other servers. */
const OfPlex = z
  .object({
    event: z.literal('media.scrobble'),
    Server: z.object({ uuid: ItemId }),
    Account: z.object({ id: z.int().min(1) }),
    Metadata: PlexItem.and(z.object({ type: z.literal('movie'), duration: Milliseconds })),
  })
  .transform(({ Server, Account, Metadata: { duration, type: _type, ...movie } }) => {
    return { machineId: plainId(Server.uuid), userId: String(Account.id), movie, lengthMs: duration }
  })

const REPORTS: Readonly<Record<MediaServerKind, z.ZodType<Report | null>>> = {
  jellyfin: OfJellyfin.or(Other),
  emby: OfEmby.or(Other),
  plex: OfPlex.or(Other),
}

/** Null for a report of something else; undefined for what is no report at all. */
export function readReport(kind: MediaServerKind, { contentType, body }: RawReport): Report | null | undefined {
  const text = /^multipart\/form-data\b/iu.test(contentType) ? textPart(contentType, body, ['payload', 'data']) : body
  const given = text === undefined ? undefined : parseJson(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  return REPORTS[kind].parse(given)
}

/** The same for ids with and without dashes, in small or capital letters. */
export function plainId(id: string): string {
  return id.replaceAll('-', '').toLowerCase()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
