import { hash } from 'node:crypto'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Endpoint } from '@marquee/contract/endpoints'
import { z } from 'zod'

import type { JsonSchema } from '../../openapi/document-types.ts'
import { EMPTY_EXPORT } from '../scene.ts'
import type { Chance } from '../simulation/chance.ts'
import { DIRECTORS, GENRES, MOVIES, RUNTIMES, TITLES, WORDS } from './differences.ts'
import type { Knowledge } from './knowledge.ts'

type Fields = Readonly<Record<string, unknown>>
export type Arguments = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Fields
  readonly body: Fields | undefined
}

type Given = { readonly chance: Chance; readonly knowledge: Knowledge; readonly port: number }
type Choose = (given: Given) => unknown

const A_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const DAY = '2031-01-10'
/** After all seeds. */
const LATER = '2098-11-28'
/** So few that a draw often has the hash of a seed that it is sent. */
const SEEDS = ['5e'.repeat(32), 'a1'.repeat(32)]
const HASHES = SEEDS.map((seed) => hash('sha256', Buffer.from(seed, 'hex')))
/** How often an argument is tried again until the contract accepts it. */
const ATTEMPTS = 6

const from =
  (...values: readonly unknown[]): Choose =>
  ({ chance }) =>
    chance.pick(values)
const some = (values: readonly unknown[], { chance }: Given) => values.filter(() => chance.isOneIn(3))

/** Which cards take part in a draw: with the facts of both hidden cards as bounds. */
function filter(given: Given): object {
  const { chance, knowledge } = given
  const genres = some(GENRES, given)
  // Mostly one of those who may be at the night, because all must be.
  const [anyone, active] = [knowledge.of('username').slice(0, 8), knowledge.of('username').slice(0, 3)]
  const usernames = chance.isOneIn(3) ? some(anyone, given) : [chance.pick(active)]
  return {
    ...(chance.isOneIn(2) && { maxRuntime: chance.pick(RUNTIMES), includeUnknownRuntime: chance.isOneIn(2) }),
    ...(chance.isOneIn(2) && genres.length > 0 && { withoutGenres: genres }),
    ...(chance.isOneIn(2) && usernames.length > 0 && { unseenBy: usernames }),
    ...(chance.isOneIn(3) && { watchable: true }),
  }
}

function aFile(given: Given): string {
  const rows = TITLES.filter(() => given.chance.isOneIn(3)).map(
    (title) => `${title},${given.chance.pick([1958, 1979, 1995])}`,
  )
  return Buffer.from(['Title,Year', ...rows, 'Alphaville,1965'].join('\n')).toString('base64')
}

/** Values of fields whose schema does not say what makes sense. */
const PLAUSIBLE: Readonly<Record<string, Choose>> = {
  title: from(...TITLES),
  originalTitle: from(...TITLES, null),
  q: ({ chance }) => [chance.pick(WORDS), ...(chance.isOneIn(4) ? [chance.pick(WORDS)] : [])].join(' '),
  genre: from(...GENRES),
  genres: (given) => some(GENRES, given),
  directors: (given) => some(DIRECTORS, given),
  runtimeMinutes: from(...RUNTIMES, null),
  maxRuntimeMinutes: from(...RUNTIMES, null),
  maxRuntime: from(...RUNTIMES),
  decade: from(1950, 1970, 1990),
  year: from(1958, 1979, 1995),
  movie: from(...MOVIES, null),
  tmdb: from('426', '949', '1'),
  imdb: from('tt0052357', 'tt0113277'),
  filter: (given) => (given.chance.isOneIn(4) ? undefined : filter(given)),
  image: from('https://example.org/poster.jpg', 'https://example.org/other.jpg'),
  imageData: from(A_PIXEL),
  fileName: from('films.csv'),
  fileData: aFile,
  seed: from(...SEEDS),
  seeds: ({ chance }) => [chance.pick(SEEDS)],
  hash: from(...HASHES),
  hashes: ({ chance }) => [chance.pick(HASHES)],
  picks: from(1, 1, 3),
  times: from([`${LATER}T20:00`], [`${LATER}T20:00`, `${LATER}T21:00`]),
  startsAt: from(`${LATER}T20:00:00.000Z`),
  timeZone: from('UTC'),
  seenOn: from(DAY, null),
  from: from(DAY),
  to: from(DAY),
  stars: from(1, 3.5, 5, null),
  ownRating: from(1, 3.5),
  averageRating: from(1, 3.5),
  content: from('Tonight?', 'Vertigo Harbour?'),
  name: from('Films', 'Chat'),
  nickname: from('Mia', 'Lea'),
  email: from('gina@example.org'),
  language: from('en', 'de'),
  code: ({ chance, knowledge }) => chance.pick([...knowledge.of('joinCode'), ...knowledge.of('code'), 'ABC234']),
  url: ({ chance, port }) =>
    chance.pick([
      `http://chat.example:${port}/another`,
      'http://127.0.0.1:9/film',
      'https://www.themoviedb.org/movie/426',
    ]),
  openUrl: from('https://media.example', null),
  endpoint: ({ port }) => `http://push.example:${port}/another`,
  p256dh: from('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: from('x'.repeat(22)),
  password: from('Correct-Horse-7'),
  country: from('DE', 'DE', null),
  services: from([11], [11, 8], []),
  cards: (given) => some(given.knowledge.of('cardId'), given).join(','),
  scores: ({ chance, knowledge }) =>
    Object.fromEntries(knowledge.of('shortlist').map((id) => [id, chance.below(3)] as const)),
  veto: ({ chance, knowledge }) => (chance.isOneIn(3) ? chance.pick(knowledge.of('shortlist')) : null),
  rows: from([0], [0, 1]),
  calendarToken: ({ chance, knowledge }) => chance.pick(knowledge.of('url'))?.split('/').at(-1)?.split('.')[0],
  source: from('wikidata'),
  upTo: ({ chance, knowledge }) =>
    chance.pick(knowledge.of('notificationId')) ?? 'ffffffff-0000-7000-8000-000000000000',
}

/** A value that the schema may accept; undefined where an optional one is left out. */
function valueOf(name: string, schema: JsonSchema, given: Given): unknown {
  const { chance, knowledge } = given
  const known = knowledge.of(name)
  const plausible = PLAUSIBLE[name]
  if (plausible && !(known.length > 0 && name.endsWith('Id'))) return plausible(given)
  if (schema.anyOf) return valueOf(name, chance.pick(schema.anyOf) ?? {}, given)
  if (schema.enum) return chance.pick(schema.enum)
  const type = typeof schema.type === 'object' ? chance.pick(schema.type) : schema.type
  if (type === 'object') return fieldsOf(schema, given)
  if (type === 'array') return [valueOf(name, schema.items ?? {}, given)]
  if (type === 'boolean') return chance.isOneIn(2)
  if (type === 'null') return null
  if (known.length > 0) {
    const value = chance.pick(known)
    return type === 'integer' || type === 'number' ? Number(value) : value
  }
  if (type !== 'integer' && type !== 'number') return schema['const'] ?? 'none'
  const [least, most] = [Number(schema['minimum'] ?? 1), Number(schema['maximum'] ?? 20)]
  return least + chance.below(Math.min(Math.max(most - least, 0), 20) + 1)
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, given: Given): Fields {
  const fields: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (!required.includes(name) && given.chance.isOneIn(2)) continue
    const value = valueOf(name, schema, given)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

const schemas = new Map<z.ZodObject, JsonSchema>()

function schemaOf(type: z.ZodObject): JsonSchema {
  const known = schemas.get(type) ?? (z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  schemas.set(type, known)
  return known
}

/** Arguments that the contract accepts, if some are found soon. */
function accepted(type: z.ZodObject, given: Given, present: (fields: Fields) => Fields): Fields {
  let fields: Fields = {}
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    fields = present(fieldsOf(schemaOf(type), given))
    if (type.safeParse(fields).success) break
  }
  return fields
}

/** Plausible arguments of a call, from what its caller knows. */
export function argumentsFor(name: EndpointName, given: Given): Arguments {
  const { path, query, body }: Endpoint = ENDPOINTS[name]
  const params = [...path.matchAll(/:(\w+)/gu)].map(([, parameter = '']) => {
    const plausible = PLAUSIBLE[parameter]?.(given)
    const known = given.chance.pick(given.knowledge.of(parameter)) ?? '00000000-0000-4000-8000-000000000000'
    return [parameter, typeof plausible === 'string' ? plausible : known] as const
  })
  return {
    params: Object.fromEntries(params),
    query: query ? accepted(query, given, asText) : {},
    body: name === 'restoreWatchlist' ? EMPTY_EXPORT : body && accepted(body, given, (fields) => fields),
  }
}

/** Objects are JSON in a query. */
function asText(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  )
}
