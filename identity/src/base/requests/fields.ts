import { z } from 'zod'

import { isUuid, isVisibleName, NAME_LIMIT, nameKey } from '../names.ts'

/** The internal message of a wrong JSON type; the client gets a SerializationException. */
export const WRONG_TYPE = 'wrong type'

const NULL_MEMBER = 'Member must not be null'
const NO_NUL = 'Member must not contain NUL characters'
const tooShort = (limit: number) => `Member must have length greater than or equal to ${limit}`
const tooLong = (limit: number) => `Member must have length less than or equal to ${limit}`
const mismatch = (pattern: string) => `Member must satisfy regular expression pattern: ${pattern}`

type Constraints = { min?: number; max?: number; pattern?: RegExp; shown?: string }

const typeError = (issue: { input?: unknown }) => (issue.input === undefined ? NULL_MEMBER : WRONG_TYPE)
const string = z.string({ error: typeError })

/**
 * A string with the constraint messages of Cognito's model. A separate schema checks the type first: zod checks the
 * length of any value that has one, and comparing such a length may throw.
 */
export function text({ min = 0, max, pattern, shown }: Constraints = {}) {
  let checked = z.string().refine((value) => !value.includes('\0'), NO_NUL)
  if (min > 0) checked = checked.min(min, tooShort(min))
  if (max !== undefined) checked = checked.max(max, tooLong(max))
  if (pattern !== undefined) checked = checked.regex(pattern, mismatch(shown ?? ''))
  return string.pipe(checked)
}

export const clientId = text({ min: 1, max: 128, pattern: /^[\w+]+$/u, shown: String.raw`[\w+]+` })

export const userPoolId = text({
  min: 1,
  max: 55,
  pattern: /^[\w-]+_[0-9a-zA-Z]+$/u,
  shown: String.raw`[\w-]+_[0-9a-zA-Z]+`,
})

const FEDERATED_ID = { pattern: /^[\w-]+:[0-9a-f-]+$/u, shown: String.raw`[\w-]+:[0-9a-f-]+` }
export const identityPoolId = text({ min: 1, max: 55, ...FEDERATED_ID })
export const identityId = text({ min: 1, max: 55, ...FEDERATED_ID })

const NAME_PATTERN = mismatch(String.raw`[\p{L}\p{M}\p{S}\p{N}\p{P}]+`)

export const username = string.pipe(
  z.string().trim().min(1, tooShort(1)).max(NAME_LIMIT, tooLong(NAME_LIMIT)).refine(isVisibleName, NAME_PATTERN),
)

/** The name of a new user, who may not look like the id of another. */
export const newUsername = username.pipe(z.string().refine((name) => !isUuid(nameKey(name)), NAME_PATTERN))

/** Spaces are allowed inside a password, as on Amazon's live service, but not at its ends. */
export const password = text({ max: 256, pattern: /^(\S(.*\S)?)?$/su, shown: String.raw`^[\S]+.*[\S]+$` })

export const code = text({ min: 1, max: 2048, pattern: /^\S+$/u, shown: String.raw`[\S]+` })

export const token = text({ max: 16_384, pattern: /^[A-Za-z0-9\-_=.]+$/u, shown: '[A-Za-z0-9-_=.]+' })

export const session = text({ min: 20, max: 2048 })

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: (issue) =>
      typeof issue.input === 'string' ? `Member must satisfy enum value set: [${values.join(', ')}]` : typeError(issue),
  })
}

/** Of an authenticator app. */
export const userCode = text({ min: 6, max: 6, pattern: /^[0-9]+$/u, shown: '[0-9]+' })

export const friendlyName = text({ max: 131_072 }).transform((name) => name.slice(0, 100))

export const deviceKey = text({
  min: 1,
  max: 55,
  pattern: /^[\w-]+_[0-9a-f-]+$/u,
  shown: String.raw`[\w-]+_[0-9a-f-]+`,
})
export const deviceName = text({ min: 1, max: 1024 })
export const base64Text = text({ min: 1, max: 1024, pattern: /^[A-Za-z0-9+/]+={0,2}$/u, shown: '[A-Za-z0-9+/]+=*' })
/** The page size; 0 means the maximum. */
export function limit(max: number) {
  return z
    .int({ error: typeError })
    .min(0, 'Member must have value greater than or equal to 0')
    .max(max, `Member must have value less than or equal to ${max}`)
}
/** Of a passkey, base64url. */
export const credentialId = text({ min: 1, max: 2048, pattern: /^[\w-]+$/u, shown: String.raw`[\w-]+` })
export const pageToken = text({ min: 1, max: 2048, pattern: /^\S+$/u, shown: String.raw`[\S]+` })
export const attributeName = text({ min: 1, max: 32 })

export const flag = z.boolean({ error: typeError })

export const attributes = z.array(
  z.object({ Name: attributeName, Value: text({ max: 2048 }).optional() }, { error: typeError }),
  { error: typeError },
)

/** Named strings; null counts as absent, since the legacy library sends it, and no name has a special meaning. */
export const parameters = z
  .unknown()
  .optional()
  .transform((value, context): ReadonlyMap<string, string> => {
    if (value === undefined) return new Map()
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const entries = Object.entries(value).filter(([, entry]) => entry !== null)
      if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return new Map(entries)
    }
    context.addIssue({ code: 'custom', message: WRONG_TYPE })
    return z.NEVER
  })
