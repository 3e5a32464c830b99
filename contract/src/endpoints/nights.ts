import { z } from 'zod'

import { DrawNumber, DrawSeed, SeedHash } from '../entities/draw-seed.ts'
import { LocalTime, Night, NightAnswer, NightFilms, Nights } from '../entities/night.ts'
import { MAX_NIGHT_NOTE_LENGTH, MAX_NIGHT_PLACE_LENGTH, MAX_NIGHT_TIMES, MAX_RUNTIME_MINUTES } from '../base/limits.ts'
import { endpoint, list, optionalText, text } from '../base/endpoint.ts'

const NightPlan = z.object({
  times: list(LocalTime, { min: 1, max: MAX_NIGHT_TIMES }),
  timeZone: text({ required: 'A time zone is required', max: 64 }),
  place: optionalText(MAX_NIGHT_PLACE_LENGTH),
  note: optionalText(MAX_NIGHT_NOTE_LENGTH),
  maxRuntimeMinutes: z.number().int().min(1).max(MAX_RUNTIME_MINUTES).nullish(),
})
export type NightPlan = z.output<typeof NightPlan>

const errors = ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'] as const

/** A change of a night by a member. */
const change = { reply: Night, errors } as const

export const NIGHT_ENDPOINTS = {
  listNights: endpoint('GET', '/watchlists/:watchlistId/nights', {
    summary:
      'The open night and the planned ones, soonest first, and the movies of nights that wait for your rating; members only',
    reply: Nights,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  listNightFilms: endpoint('GET', '/watchlists/:watchlistId/nights/films', {
    summary: 'The movies of the latest nights, newest first, and who watched them; members only',
    reply: NightFilms,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  planNight: endpoint('POST', '/watchlists/:watchlistId/nights', {
    summary: 'Plan a movie night with one to three proposed times. Members get a mail. Members only',
    status: 201,
    body: NightPlan,
    reply: Night,
    errors,
    limit: 'plan',
    takesKey: true,
  }),
  findCalendar: endpoint('GET', '/watchlists/:watchlistId/calendar', {
    summary: 'Whether you have a calendar address for the movie nights; members only',
    reply: z.object({ since: z.iso.datetime().nullable() }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  makeCalendar: endpoint('PUT', '/watchlists/:watchlistId/calendar', {
    summary: 'A new secret calendar address for the movie nights; your earlier one is void. Members only',
    reply: z.object({ url: z.string() }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  endCalendar: endpoint('DELETE', '/watchlists/:watchlistId/calendar', {
    summary: 'Make your calendar address void; members only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  readCalendar: endpoint('GET', '/calendars/:calendarToken', {
    summary: 'The calendar of movie nights behind a secret address, as an iCalendar file',
    auth: 'none',
    status: 200,
    params: z.object({ calendarToken: text({ required: 'A token is required', max: 128 }) }),
    errors: ['NOT_FOUND'],
    files: ['text/calendar'],
  }),
  openNight: endpoint('POST', '/watchlists/:watchlistId/nights/open', {
    summary: 'Start a movie night without a plan; replies with the open night if there is one. Members only',
    reply: Night,
    errors,
  }),
  getNight: endpoint('GET', '/nights/:nightId', {
    summary: 'One night; members only',
    reply: Night,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  changeNight: endpoint('PUT', '/nights/:nightId', {
    ...change,
    summary: 'Change the plan of a night; answers to times that stay are kept. Members get a mail. Members only',
    body: NightPlan,
    limit: 'plan',
  }),
  fixNightTime: endpoint('PUT', '/nights/:nightId/time', {
    ...change,
    summary: 'Fix one of the proposed times; the others are removed. Members get a mail. Members only',
    body: z.object({ startsAt: z.iso.datetime() }),
    limit: 'plan',
  }),
  answerNight: endpoint('PUT', '/nights/:nightId/answer', {
    ...change,
    summary: 'Answer one of the times, or withdraw the answer with null. Members only',
    body: z.object({ startsAt: z.iso.datetime(), answer: NightAnswer.nullable() }),
    takesKey: true,
  }),
  cancelNight: endpoint('POST', '/nights/:nightId/cancel', {
    ...change,
    summary: 'Cancel a planned night. Members get a mail. Members only',
    limit: 'plan',
  }),
  startNight: endpoint('POST', '/nights/:nightId/start', {
    ...change,
    summary: 'Start a planned night; you are present. Members only',
  }),
  endNight: endpoint('POST', '/nights/:nightId/end', {
    ...change,
    summary: 'End the open night; members only',
  }),
  arriveAtNight: endpoint('PUT', '/nights/:nightId/presence', {
    ...change,
    summary: 'Say that you are here; members only',
  }),
  leaveNight: endpoint('DELETE', '/nights/:nightId/presence', {
    ...change,
    summary: 'Say that you have left; members only',
  }),
  addSeedHash: endpoint('PUT', '/nights/:nightId/seed-hash', {
    summary:
      'Add the hash of a random seed of your device to the prepared draw of the night; for members who are present and guests',
    auth: 'user-or-pass',
    body: z.object({ hash: SeedHash, drawNumber: DrawNumber.optional() }),
    errors: [...errors, 'CONFLICT'],
  }),
  findSeedHashes: endpoint('GET', '/nights/:nightId/draws/:drawNumber/hashes', {
    summary: 'The hashes of a draw of the night, or null until they are closed; for members and guests',
    auth: 'user-or-pass',
    reply: z.object({ hashes: z.array(SeedHash).nullable() }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  addSeed: endpoint('PUT', '/nights/:nightId/seed', {
    summary:
      'Open the seed of your device for the draw of the night, once its hashes are closed; for members who are present and guests',
    auth: 'user-or-pass',
    body: z.object({ seed: DrawSeed, drawNumber: DrawNumber.optional() }),
    errors: [...errors, 'CONFLICT'],
  }),
} as const
