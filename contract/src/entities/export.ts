import { z } from 'zod'

import { optionalText, text } from '../base/endpoint.ts'
import {
  EARLIEST_TIME,
  MAX_COMMENT_LENGTH,
  MAX_RESTORED_CARDS,
  MAX_RESTORED_ENTRIES,
  MAX_RESTORED_WANTS,
  MAX_URL_LENGTH,
  MAX_USERNAME_LENGTH,
  MAX_WATCHLIST_DESCRIPTION_LENGTH,
  MAX_WATCHLIST_NAME_LENGTH,
} from '../base/limits.ts'
import { Country } from './streaming-service.ts'
import { CardContent, WrittenContent } from './card-content.ts'
import { CardStatus, StatusChange } from './card.ts'
import { Comment } from './comment.ts'
import { Member } from './watchlist.ts'

export const EXPORT_FORMATS = ['json', 'csv', 'letterboxd'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const ExportedComment = Comment.omit({ commentId: true, cardId: true })

/** A card of the feed, or one of the caller's own in the box. `imageUrl` is the original address of the poster. */
const ExportedCard = z.object({
  ...CardContent.shape,
  imageUrl: z.string(),
  status: CardStatus,
  creatorId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  statusChanges: z.array(StatusChange),
  /** As on the card: absent in the box, and if only the creator wants it. */
  wantedBy: z.array(z.string()).optional(),
  /** All comments, newest first. */
  comments: z.array(ExportedComment),
})
export type ExportedCard = z.infer<typeof ExportedCard>

/**
 * A watchlist as a file. Cards are in the order they were added. It has no ids and no time of its own, so two exports of
 * the same watchlist are equal.
 */
export const WatchlistExport = z.object({
  format: z.enum(['marquee-watchlist']),
  /** Always 1 so far. */
  version: z.number().int().min(1).max(1),
  watchlist: z.object({
    name: z.string(),
    description: z.string().nullable(),
    isPrivate: z.boolean(),
    ownerId: z.string(),
    createdAt: z.iso.datetime(),
    members: z.array(Member),
    /** The address of its image here; absent without one. */
    imageUrl: z.string().optional(),
    /** In which the members watch; absent without one. */
    country: Country.optional(),
  }),
  cards: z.array(ExportedCard),
})
export type WatchlistExport = z.infer<typeof WatchlistExport>

const username = text({ required: 'A username is required', max: MAX_USERNAME_LENGTH })
/** As exports write it, because times are compared as text. The server refuses times that are far in the future, too. */
const time = z.iso
  .datetime({ precision: 3 })
  .refine((value) => value >= EARLIEST_TIME, `There are no times before ${EARLIEST_TIME.slice(0, 10)}`)

/** Reads a list up to its first fault: a large file may have millions. */
function listOf<T extends z.ZodType>(item: T, max = Infinity) {
  return z.array(z.unknown()).transform((values, context): z.output<T>[] => {
    if (values.length > max) {
      context.addIssue({ code: 'custom', message: `There are more than ${max}` })
      return z.NEVER
    }
    const items: z.output<T>[] = []
    for (const [index, value] of values.entries()) {
      const { data, error } = item.safeParse(value)
      if (error) {
        const [fault] = error.issues
        context.addIssue({ code: 'custom', path: [index, ...(fault?.path ?? [])], message: fault?.message })
        return z.NEVER
      }
      items.push(data)
    }
    return items
  })
}

/** A card of a file, within the limits of what users write. */
export const RestorableCard = z
  .object({
    ...WrittenContent.shape,
    imageUrl: text({ max: MAX_URL_LENGTH }),
    status: CardStatus,
    creatorId: username,
    createdAt: time,
    updatedAt: time,
    statusChanges: listOf(z.object({ status: CardStatus, changedBy: username, changedAt: time }), MAX_RESTORED_ENTRIES),
    wantedBy: listOf(username, MAX_RESTORED_ENTRIES).optional(),
    comments: listOf(
      z.object({
        content: text({ required: 'A comment has text', max: MAX_COMMENT_LENGTH }),
        authorId: username,
        createdAt: time,
        updatedAt: time,
      }),
    ),
  })
  .refine(
    ({ status, statusChanges }) => statusChanges[0]?.status === 'SUGGESTED' && statusChanges.at(-1)?.status === status,
    { path: ['statusChanges'], message: 'A history begins in the box and ends with the status of the card' },
  )
export type RestorableCard = z.output<typeof RestorableCard>

/** A JSON export that a watchlist is restored from, within the limits of what users write. */
export const RestorableExport = z.object({
  ...WatchlistExport.pick({ format: true, version: true }).shape,
  watchlist: z.object({
    name: text({ required: 'Watchlist name is required', max: MAX_WATCHLIST_NAME_LENGTH }),
    description: optionalText(MAX_WATCHLIST_DESCRIPTION_LENGTH),
    isPrivate: z.boolean(),
    createdAt: time,
    members: listOf(z.object({ username, joinedAt: time })),
    imageUrl: text({ max: MAX_URL_LENGTH }).optional(),
    country: Country.optional(),
  }),
  cards: listOf(RestorableCard, MAX_RESTORED_CARDS).refine(
    (cards) => cards.reduce((sum, { wantedBy = [] }) => sum + wantedBy.length, 0) <= MAX_RESTORED_WANTS,
    `There are more than ${MAX_RESTORED_WANTS} names in wantedBy`,
  ),
})
export type RestorableExport = z.output<typeof RestorableExport>
