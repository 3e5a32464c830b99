import { z } from 'zod'
// Through `z.core`, bundlers would keep all of zod with its texts in every language.
import { $ZodCheckMaxLength as MaxLength, $ZodCheckMinLength as MinLength } from 'zod/v4/core'

import { CARDS_PAGE_SIZE, MAX_IMAGE_BYTES, MAX_PAGE_SIZE, MAX_USERNAME_LENGTH } from './limits.ts'
import type { ProblemKey } from './problems.ts'
import type { RateLimitName } from './rate-limits.ts'

/** The largest request body. A larger one is rejected unread. */
export const MAX_BODY_BYTES = 64 * 1024

/** The largest base64 data URL of an image of MAX_IMAGE_BYTES, with its header. */
const MAX_DATA_URL_LENGTH = Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 100

/** The same for calls with an image. Larger than the largest image, so that the error can name the limit. */
export const MAX_IMAGE_BODY_BYTES = MAX_DATA_URL_LENGTH * 2

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One call of the product API. `path` is relative to `/api`, with `:name` parameters. `status` is the success status;
 * 204 has no body. `errors` are those beyond the errors of every call (SERVER_ERROR, TOO_MANY_REQUESTS, and UNAUTHORIZED if
 * it needs a sign-in). Calls without a `limit` count as reads. Calls with `takesKey` honour an `Idempotency-Key`. Calls with
 * `revalidates` have an `ETag` and answer 304. Calls with `files` answer with a file to save: JSON, or one of these types.
 * An event stream has `events` instead of `reply`. `takesImage` is the field of
 * the body that may hold an image as a data URL; such a call also counts under `upload`. A `rawBody` is parsed under limits, because it may be large.
 */
export type Endpoint = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  /**
   * `required`: a sign-in or a personal token, whose scope `read` is for GET. `sign-in`: no personal token. `user-or-pass`:
   * as `required`, and open to those passes of the night in the path whose role `ACCESS` names. `by-link`: as `required`, and
   * open to guests if the installation allows them.
   */
  readonly auth: 'required' | 'sign-in' | 'user-or-pass' | 'by-link' | 'none'
  readonly status: 200 | 201 | 204
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly reply?: z.ZodType
  readonly errors: readonly ProblemKey[]
  readonly limit?: RateLimitName
  readonly takesImage?: string
  readonly bodyLimit?: number
  readonly rawBody?: true
  readonly takesKey?: true
  readonly revalidates?: true
  readonly files?: readonly string[]
  readonly events?: z.ZodType
}

type Definition = Omit<Endpoint, 'method' | 'path' | 'auth' | 'status'> & Partial<Pick<Endpoint, 'auth' | 'status'>>

type NameIn<P> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsIn<P> = [NameIn<P>] extends [never]
  ? unknown
  : { readonly params: z.ZodObject<Pick<typeof PARAMETERS, NameIn<P> & keyof typeof PARAMETERS>> }

type Defaults<M, P, D> = {
  readonly auth: 'required'
  readonly status: D extends { readonly reply: z.ZodType } | { readonly events: z.ZodType } ? 200 : 204
} & (M extends 'GET' ? unknown : { readonly limit: 'write' }) &
  ParamsIn<P>

type Defined<M, P, D> = { readonly method: M; readonly path: P } & Omit<Defaults<M, P, D>, keyof D> & D

/** A path with a name that `PARAMETERS` lacks needs `params`. */
type Missing<P> =
  NameIn<P> extends keyof typeof PARAMETERS ? unknown : { readonly params: z.ZodObject<Record<NameIn<P>, z.ZodType>> }

/**
 * Defines a call. Without `auth` it needs a sign-in. Without `status` it answers 200 if it replies, and 204 if not. Without a
 * `limit` only GET counts as a read, any other call as a write. Without `params` the names in the path have their schemas of
 * `PARAMETERS`.
 */
export function endpoint<const M extends Method, const P extends string, const D extends Definition>(
  method: M,
  path: P,
  definition: D & Missing<P>,
): Defined<M, P, D> {
  return {
    method,
    path,
    auth: 'required',
    status: definition.reply || definition.events ? 200 : 204,
    ...(method !== 'GET' && { limit: 'write' }),
    params: definition.params ?? paramsIn(path),
    ...definition,
  } as Defined<M, P, D>
}

/** For an endpoint whose body may hold an image in this field. */
export function takesImage<const Field extends string>(field: Field) {
  return { takesImage: field, bodyLimit: MAX_IMAGE_BODY_BYTES } as const
}

export const id = z.string().regex(/^[\w-]{1,64}$/u, 'This is not an identifier')

/** Zod also checks the length of values that are not strings, and comparing some of them throws. */
const isString = ({ value }: { value: unknown }) => typeof value === 'string'

/**
 * Trimmed text of at most `max` characters. `required` is the error for empty text. PostgreSQL cannot store NUL. All checks are
 * added at once, because each addition makes a new schema.
 */
export function text({ required, max }: { required?: string; max?: number } = {}) {
  return z.string().check(
    z.refine((value: string) => !value.includes('\u0000'), 'Null characters are not allowed'),
    z.trim(),
    ...(required === undefined
      ? []
      : [new MinLength({ check: 'min_length', minimum: 1, when: isString, error: () => required })]),
    ...(max === undefined ? [] : [new MaxLength({ check: 'max_length', maximum: max, when: isString })]),
  )
}

/** Text as it was entered, for what may begin or end with a space. */
export function exactText(max: number) {
  return z.string().check(new MaxLength({ check: 'max_length', maximum: max, when: isString }))
}

/** A list of `min` to `max` items. As with `text`, other values are not asked for their length. */
export function list<Item extends z.ZodType>(item: Item, { min = 0, max }: { min?: number; max: number }) {
  return z
    .array(item)
    .refine(({ length }) => length >= min && length <= max, `Give ${min} to ${max} of them`)
    .meta({ minItems: min, maxItems: max })
}

const username = text({ required: 'A username is required', max: MAX_USERNAME_LENGTH })

/** The id of a night begins with the id of its watchlist. */
export const nightId = z.string().regex(/^[\w-]{1,64}_[\da-f-]{36}$/u, 'This is not an identifier')

/** The schemas of names in paths. */
const PARAMETERS = {
  watchlistId: id,
  cardId: id,
  commentId: id,
  deviceId: id,
  importId: id,
  linkId: id,
  notificationId: id,
  serverId: id,
  sessionId: id,
  tokenId: id,
  wantId: id,
  webhookId: id,
  nightId,
  drawNumber: z.coerce.number().int().min(1).max(2_147_483_647),
  username,
}

function paramsIn(path: string): z.ZodObject | undefined {
  const names = path.match(/(?<=:)\w+/gu) as (keyof typeof PARAMETERS)[] | null
  return names ? z.object(Object.fromEntries(names.map((name) => [name, PARAMETERS[name]]))) : undefined
}

/** One to `max` ids of cards, separated by commas. */
export function cardIds(max: number) {
  return text({ max: max * 65 })
    .transform((list) => list.split(','))
    .pipe(z.array(id).max(max))
}

export const UsernameBody = z.object({ username })
export const WatchlistIdBody = z.object({ watchlistId: id })
export const ImageBody = z.object({ imageData: text({ required: 'An image is required' }) })

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(CARDS_PAGE_SIZE),
  nextToken: text({ required: 'A token is required', max: 512 }).optional(),
})

/** Trimmed text; null if it is empty. */
export function optionalText(maxLength: number) {
  return text({ max: maxLength })
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? null : value))
}
