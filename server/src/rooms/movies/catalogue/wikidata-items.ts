import { z } from 'zod'

import { parseAnswer } from './client.ts'

/** The classes (P31) that count as a film. */
export const FILM_CLASSES = [
  'Q11424', // film
  'Q24869', // feature film
  'Q202866', // animated film
  'Q29168811', // animated feature film
  'Q20650540', // anime film
  'Q506240', // television film
  'Q93204', // documentary film
  'Q24862', // short film
  'Q226730', // silent film
  'Q229390', // 3D film
]

/** The original language (P364) is an item. These are the codes of the languages that most films are in. */
const LANGUAGES: Readonly<Record<string, string>> = {
  Q1860: 'en',
  Q188: 'de',
  Q150: 'fr',
  Q1321: 'es',
  Q652: 'it',
  Q5146: 'pt',
  Q5287: 'ja',
  Q9176: 'ko',
  Q7850: 'zh',
  Q9192: 'zh',
  Q727694: 'zh',
  Q9186: 'yue',
  Q1568: 'hi',
  Q5885: 'ta',
  Q8097: 'te',
  Q36236: 'ml',
  Q9610: 'bn',
  Q9168: 'fa',
  Q13955: 'ar',
  Q9288: 'he',
  Q256: 'tr',
  Q7737: 'ru',
  Q8798: 'uk',
  Q809: 'pl',
  Q9056: 'cs',
  Q9067: 'hu',
  Q7913: 'ro',
  Q9129: 'el',
  Q7411: 'nl',
  Q9027: 'sv',
  Q9035: 'da',
  Q9043: 'no',
  Q1412: 'fi',
  Q294: 'is',
  Q9217: 'th',
  Q9199: 'vi',
  Q9240: 'id',
}

const MINUTES_PER_UNIT: Readonly<Record<string, number>> = { Q7727: 1, Q25235: 60, Q11574: 1 / 60 }

/** MediaWiki writes an empty object as `[]`. */
function objectOf<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (Array.isArray(value) ? {} : value), schema)
}

/** The statements with a property. One whose value is unknown has no `datavalue`. */
function statements<T>(value: z.ZodType<T>) {
  return z
    .array(
      z.object({
        rank: z.enum(['preferred', 'normal', 'deprecated']),
        mainsnak: z.object({ datavalue: z.object({ value }).optional() }),
      }),
    )
    .default([])
    .transform((list) => {
      const valid = list.filter(({ rank, mainsnak }) => rank !== 'deprecated' && mainsnak.datavalue)
      const preferred = valid.filter(({ rank }) => rank === 'preferred')
      const best = preferred.length > 0 ? preferred : valid
      return best.flatMap(({ mainsnak }) => (mainsnak.datavalue ? [mainsnak.datavalue.value] : []))
    })
}

const text = statements(z.string())
const items = statements(z.object({ id: z.string() }).transform(({ id }) => id))
const years = statements(
  z.object({ time: z.string(), precision: z.number() }).transform(({ time, precision }) => {
    const YEAR_PRECISION = 9
    return precision >= YEAR_PRECISION ? Number(time.slice(0, 5)) : null
  }),
)
const durations = statements(
  z.object({ amount: z.string(), unit: z.string() }).transform(({ amount, unit }) => {
    const minutes = MINUTES_PER_UNIT[unit.slice(unit.lastIndexOf('/') + 1)]
    return minutes === undefined ? null : Math.round(Number(amount) * minutes)
  }),
)
const titles = statements(z.object({ text: z.string(), language: z.string() }))

const Claims = z
  .object({
    P31: items,
    P57: items,
    P136: items,
    P345: text,
    P364: items,
    P577: years,
    P1476: titles,
    P2047: durations,
    P4947: text,
    P6127: text,
  })
  .transform((claims) => {
    const [title] = claims.P1476
    const [languageItem = ''] = claims.P364
    const releases = claims.P577.filter((year) => year !== null)
    return {
      classes: claims.P31,
      directors: claims.P57,
      genres: claims.P136,
      year: releases.length > 0 ? Math.min(...releases) : null,
      runtimeMinutes: claims.P2047.find((minutes) => minutes !== null) ?? null,
      originalTitle: title?.text ?? null,
      language: LANGUAGES[languageItem] ?? title?.language ?? null,
      ids: { imdb: claims.P345[0], tmdb: claims.P4947[0], letterboxd: claims.P6127[0] },
    }
  })

export const Terms = objectOf(z.record(z.string(), z.object({ value: z.string() })).default({}))

/** An item with the statements that a card needs. An id without an item is `missing`. */
export const FilmItem = z.object({
  id: z.string(),
  missing: z.unknown().optional(),
  labels: Terms,
  aliases: objectOf(z.record(z.string(), z.array(z.object({ value: z.string() }))).default({})),
  sitelinks: objectOf(z.record(z.string(), z.object({ title: z.string() })).default({})),
  claims: objectOf(Claims.prefault({})),
})
export type FilmItem = z.output<typeof FilmItem>

const ItemsAnswer = z.object({ entities: z.record(z.string(), FilmItem) })

/** What `wbgetentities` answered. Items have all their statements, so this belongs in a thread. @throws {SourceUnavailable} */
export function readFilmItems(body: Uint8Array): FilmItem[] {
  const { entities } = parseAnswer('wikidata', Buffer.from(body.buffer, body.byteOffset, body.byteLength), ItemsAnswer)
  return Object.values(entities)
}

export function isFilm({ missing, claims }: FilmItem): boolean {
  if (missing !== undefined) return false
  return claims.classes.some((id) => FILM_CLASSES.includes(id)) || claims.ids.tmdb !== undefined
}
