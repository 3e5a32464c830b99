import { z } from 'zod'

import { text } from '../base/endpoint.ts'
import { MAX_NICKNAME_LENGTH } from '../base/limits.ts'
import { Card } from './card.ts'

export const NIGHT_STATES = ['planned', 'open', 'ended', 'cancelled'] as const
export type NightState = (typeof NIGHT_STATES)[number]

export const NIGHT_ANSWERS = ['in', 'maybe', 'out'] as const
export const NightAnswer = z.enum(NIGHT_ANSWERS)
export type NightAnswer = z.infer<typeof NightAnswer>

/** A time on the clock of the night's time zone, without offset: `2026-11-27T20:00`. */
export const LocalTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/u, 'This is not a date with a time')

/** A proposed time. `localTime` is `startsAt` on the clock of the night's time zone. */
const NightTime = z.object({
  startsAt: z.iso.datetime(),
  localTime: LocalTime,
  answers: z.array(z.object({ username: z.string(), answer: NightAnswer })),
})
export type NightTime = z.infer<typeof NightTime>

const Present = z.object({ username: z.string(), since: z.iso.datetime() })

/** The name that a person without an account chooses. */
export const Nickname = text({ required: 'A name is required', max: MAX_NICKNAME_LENGTH })

/** A person without an account who is at the open night. */
export const NightGuest = z.object({ guestId: z.string(), nickname: z.string(), since: z.iso.datetime() })
export type NightGuest = z.infer<typeof NightGuest>

/**
 * An evening of a watchlist. It is planned first, or started at once and then has no times. A single time is fixed; with
 * two or three, members still choose. `present` are the members who are here, `guests` the others, both in the order they
 * arrived. With `joinCode` more guests can join; it is null until a member lets guests in. Only a few can join from one
 * address unless `allowsManyGuests`.
 */
export const Night = z.object({
  id: z.string(),
  watchlistId: z.string(),
  state: z.enum(NIGHT_STATES),
  times: z.array(NightTime),
  timeZone: z.string().nullable(),
  place: z.string().nullable(),
  note: z.string().nullable(),
  maxRuntimeMinutes: z.number().int().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  present: z.array(Present),
  guests: z.array(NightGuest),
  joinCode: z.string().nullable(),
  allowsManyGuests: z.boolean().default(false),
})
export type Night = z.infer<typeof Night>

/**
 * A movie that was accepted in a night, and who watched it. Names stay after a member leaves. A server of the version before
 * sends no `poster`.
 */
export const NightFilm = z.object({
  nightId: z.string(),
  cardId: z.string(),
  title: z.string(),
  poster: Card.pick({ imageUrl: true, posterState: true }).nullable().default(null),
  acceptedAt: z.iso.datetime(),
  watchedBy: z.array(z.string()),
})
export type NightFilm = z.infer<typeof NightFilm>

export const NightFilms = z.object({ films: z.array(NightFilm) })

/** `unrated` are movies that the caller watched in nights, and has neither rated nor declined to rate. */
export const Nights = z.object({
  nights: z.array(Night),
  unrated: z.array(NightFilm.pick({ cardId: true, title: true })),
})

/** A night that has started, as its guests see it. `startsAt` is when it was started, whatever its plan said. */
export const NightAsGuest = z.object({
  id: z.string(),
  watchlistName: z.string(),
  state: z.enum(['open', 'ended']),
  startsAt: z.iso.datetime(),
  timeZone: z.string().nullable(),
  place: z.string().nullable(),
  present: z.array(Present),
  guests: z.array(NightGuest),
})
export type NightAsGuest = z.infer<typeof NightAsGuest>
