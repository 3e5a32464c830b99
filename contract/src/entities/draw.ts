import { z } from 'zod'

import { list, text } from '../base/endpoint.ts'
import {
  MAX_DRAW_PICKS,
  MAX_GENRE_LENGTH,
  MAX_GENRES,
  MAX_MEMBERS_PER_WATCHLIST,
  MAX_RUNTIME_MINUTES,
  MAX_USERNAME_LENGTH,
} from '../base/limits.ts'
import { DrawSeed, Hash, hex, SeedHash } from './draw-seed.ts'

/** `cards`: each card alike. `people`: each person alike, then one of their cards. `waiting`: longest wait first. */
export const DRAW_RULES = ['cards', 'people', 'waiting'] as const
export const DrawRule = z.enum(DRAW_RULES)
export type DrawRule = z.infer<typeof DrawRule>

/** For how many draws a card rests after it was put back. */
export const DRAW_RESTS = [0, 1, 3, 5] as const
export const DrawRest = z.literal(DRAW_RESTS)
export type DrawRest = z.infer<typeof DrawRest>

/** `prepared` draws that are not revealed in time become `abandoned`. A newer draw makes a prepared one `replaced`. */
export const DRAW_STATUSES = ['prepared', 'revealed', 'abandoned', 'replaced'] as const
export const DrawStatus = z.enum(DRAW_STATUSES)
export type DrawStatus = z.infer<typeof DrawStatus>

/**
 * Which cards of the box take part. `maxRuntime` is rounded down to steps of 15 minutes. Without `includeUnknownRuntime`, it
 * excludes cards without a runtime.
 */
export const DrawFilter = z.strictObject({
  maxRuntime: z.int().min(1).max(MAX_RUNTIME_MINUTES).optional(),
  includeUnknownRuntime: z.boolean().optional(),
  /** Usernames of people who are at the open night. Cards whose movie one of them has marked as seen take no part. */
  unseenBy: list(text({ required: 'A username is required', max: MAX_USERNAME_LENGTH }), {
    min: 1,
    max: MAX_MEMBERS_PER_WATCHLIST,
  }).optional(),
  withoutGenres: list(text({ required: 'A genre has a name', max: MAX_GENRE_LENGTH }), {
    min: 1,
    max: MAX_GENRES,
  }).optional(),
  /**
   * Only movies on a media server of the watchlist, or on a streaming service of a member who is at the open night. Needs the
   * id of that night, and that the caller is there.
   */
  watchable: z.literal(true).optional(),
})
export type DrawFilter = z.infer<typeof DrawFilter>

/** A device that sent a hash and did not open its seed, so that the draw was prepared again. */
export const AbsentDevice = z.object({ name: z.string(), hash: SeedHash })
export type AbsentDevice = z.infer<typeof AbsentDevice>

/**
 * A person with the tickets of the cards they want. With the rule `cards` there is one entry, without a name. With a filter by
 * facts of the movies no entry has a name.
 */
export const DrawPerson = z.object({
  username: z.string().nullable(),
  weight: z.int().positive(),
  tickets: z.array(Hash).min(1),
})
export type DrawPerson = z.infer<typeof DrawPerson>

const Filter = z.record(z.string(), z.unknown()).nullable()

/** What a commitment commits to. The seed of the server is null until the draw is revealed. */
export const DrawTable = z.object({
  watchlistId: z.string(),
  drawNumber: z.int().positive(),
  rule: DrawRule,
  filter: Filter,
  picks: z.int().positive(),
  people: z.array(DrawPerson),
  serverSeed: DrawSeed.nullable(),
})
export type DrawTable = z.infer<typeof DrawTable>

/** A drawn card. Without a table, it has no ticket, and its odds are known only with the rule `cards`. */
export const DrawPick = z.object({
  ticket: Hash.nullable(),
  cardId: z.string(),
  secret: hex(32).nullable(),
  odds: z.number().positive().max(1).nullable(),
})
export type DrawPick = z.infer<typeof DrawPick>

/**
 * Whether counts are bands: 0, 1 or 5 means none, fewer than 5, and 5 or more. A server of the previous version does not
 * send it.
 */
const IsBand = z.boolean().default(false)

/** Null where the number stays secret: with `watchable`, until the draw is revealed. */
const Eligible = z.int().nonnegative().nullable()

const DrawFacts = z.object({
  drawNumber: z.int().positive(),
  status: DrawStatus,
  rule: DrawRule,
  filter: Filter,
  picks: z.int().positive().max(MAX_DRAW_PICKS),
  /** How many cards took part; 0 if no movie could be watched. Until a draw with a filter is revealed, only the band: 1 or 5. */
  eligible: Eligible,
  isBand: IsBand,
  commitment: Hash.nullable(),
  preparedAt: z.iso.datetime(),
  revealedAt: z.iso.datetime().nullable(),
  /** The username of the member who revealed the draw, or else prepared it. */
  by: z.string(),
  /** The movie night that it belongs to. A server of the previous version does not send it. */
  nightId: z.string().nullable().default(null),
  /** The devices because of which it was replaced. A server of the previous version does not send it. */
  absent: z.array(AbsentDevice).default([]),
})

/**
 * Everything about one draw. `table` is null where the draw cannot be checked: it is not revealed, had too many cards, or was
 * made in one step without seeds. `hashes` is the sorted list of hashes, once it is closed. A revealed draw without hashes is
 * of the older kind: the server knew all seeds before the last was fixed.
 */
export const DrawReceipt = DrawFacts.extend({
  watchlistId: z.string(),
  table: DrawTable.nullable(),
  hashes: z.array(SeedHash).nullable().default(null),
  seeds: z.array(DrawSeed),
  picked: z.array(DrawPick),
})
export type DrawReceipt = z.infer<typeof DrawReceipt>

/** A line of the log. A card has no title if it is in the box again or was deleted. */
export const DrawSummary = DrawFacts.extend({
  seedCount: z.int().nonnegative(),
  cards: z.array(z.object({ cardId: z.string(), title: z.string().nullable() })),
})
export type DrawSummary = z.infer<typeof DrawSummary>

export const DrawsPage = z.object({ draws: z.array(DrawSummary), nextToken: z.string().nullable() })
export type DrawsPage = z.infer<typeof DrawsPage>

export const PreparedDraw = z.object({
  drawNumber: z.int().positive(),
  commitment: Hash.nullable(),
  /** With a filter, only the band: 1 or 5. */
  eligible: Eligible,
  isBand: IsBand,
})
export type PreparedDraw = z.infer<typeof PreparedDraw>

/**
 * The rule of a watchlist, and who would be drawn how likely if each member had a card in the box: who has one is secret. So
 * `people` is empty with the rule `cards`, and with a filter. `resting` cards were put back and take part again after a few
 * draws. With a filter, `eligible` and `resting` are bands: 0, 1 or 5.
 */
export const DrawOdds = z.object({
  rule: DrawRule,
  rest: DrawRest,
  eligible: z.int().nonnegative(),
  resting: z.int().nonnegative(),
  isBand: IsBand,
  people: z.array(z.object({ username: z.string(), weight: z.int().positive(), chance: z.number().positive().max(1) })),
})
export type DrawOdds = z.infer<typeof DrawOdds>
