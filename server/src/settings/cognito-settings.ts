import { z } from 'zod'

const setting = (pattern: RegExp, message: string) => z.string().regex(pattern, message).optional()

/** An Amazon Cognito user pool instead of the built-in one, and the key for `AdminGetUser` of the built-in one. */
export const COGNITO_SETTINGS = {
  COGNITO_USER_POOL_ID: setting(
    /^[\w-]{1,50}_[0-9a-zA-Z]{1,20}$/u,
    'Must be the id of a user pool, say eu-west-1_AbC123xyz',
  ).describe('The user pool of [Amazon Cognito](cognito.md) that keeps the accounts, instead of the built-in pool.'),
  COGNITO_CLIENT_ID: setting(/^[\w+]{1,128}$/u, 'Must be the id of an app client of the user pool').describe(
    'The app client of that user pool, without a secret.',
  ),
  COGNITO_REGION: setting(/^[a-z]{2}(?:-[a-z]+)+-\d+$/u, 'Must be a region of AWS, say eu-west-1').describe(
    'The region of that user pool. The id of the pool starts with it.',
  ),
  COGNITO_IDENTITY_POOL_ID: setting(
    /^[a-z]{2}(?:-[a-z]+)+-\d+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u,
    'Must be the id of an identity pool, say eu-west-1:11111111-2222-4333-8444-555555555555',
  ).describe(
    'The identity pool. Without `COGNITO_USER_POOL_ID`: opens an identity pool of this id beside the built-in user pool.',
  ),
  COGNITO_OAUTH_DOMAIN: setting(
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u,
    'Must be a domain alone, say marquee.auth.eu-west-1.amazoncognito.com',
  ).describe(
    'The domain of the hosted pages of that user pool, without `https://`. The login screen then has a button for them.',
  ),
  COGNITO_ENDPOINT: z
    .url({ protocol: /^https?$/u, error: 'Must be an http:// or https:// address' })
    .transform((url) => `${url.replace(/\/+$/u, '')}/`)
    .optional()
    .describe(
      'The address of a user pool that replaces Amazon Cognito, for example `https://accounts.example.org/identity/` of another Marquee.',
    ),
  IDENTITY_ACCESS_KEY_ID: setting(
    /^[\w-]{8,128}$/u,
    'Must be 8 to 128 letters, digits, hyphens or underscores',
  ).describe('An access key of your choice. Requests signed with it may call `AdminGetUser` of the built-in pool.'),
  IDENTITY_SECRET_ACCESS_KEY: z
    .string()
    .min(32, 'Must be at least 32 characters')
    .optional()
    .describe('The secret of that access key, at least 32 characters.'),
}

type CognitoSettings = z.output<z.ZodObject<typeof COGNITO_SETTINGS>>

const POOL = ['COGNITO_USER_POOL_ID', 'COGNITO_CLIENT_ID', 'COGNITO_REGION'] as const
const KEY = ['IDENTITY_ACCESS_KEY_ID', 'IDENTITY_SECRET_ACCESS_KEY'] as const

/** Rejects a partly configured Amazon user pool: it would not be used, and no error would show that it is incomplete. */
export function refuseHalfCognito(value: CognitoSettings, context: z.core.$RefinementCtx<unknown>): void {
  const needs = (name: keyof CognitoSettings, why: string) =>
    context.addIssue({ code: 'custom', path: [name], message: `Is needed with ${why}` })
  // A single identity pool belongs to the built-in user pool.
  const others = [...POOL, 'COGNITO_OAUTH_DOMAIN', 'COGNITO_ENDPOINT'] as const
  const given = others.find((name) => value[name] !== undefined)
  for (const name of POOL) if (given !== undefined && value[name] === undefined) needs(name, given)
  const { COGNITO_USER_POOL_ID: pool, COGNITO_REGION: region } = value
  // The web app takes the region from the id of the pool.
  if (pool !== undefined && region !== undefined && !pool.startsWith(`${region}_`)) {
    context.addIssue({
      code: 'custom',
      path: ['COGNITO_REGION'],
      message: 'Must be the region the user pool id begins with',
    })
  }
  const key = KEY.find((name) => value[name] !== undefined)
  for (const name of KEY) if (key !== undefined && value[name] === undefined) needs(name, key)
}
