import { isIP } from 'node:net'
import { resolve } from 'node:path'

import { z } from 'zod'

import { parseKey } from '@marquee/platform/runtime/key-file'
import { LOG_LEVELS } from '@marquee/platform/runtime/logger'
import { readSecretFiles } from '@marquee/platform/runtime/secret-files'
import { readSettings } from '@marquee/platform/runtime/settings'

import { COGNITO_SETTINGS, refuseHalfCognito } from './cognito-settings.ts'
import { OAuthClients } from './oauth-clients.ts'
import { OIDC_SETTINGS, refuseHalfOidc } from './oidc-settings.ts'

const PORTS = { min: 1, max: 65_535 }

const port = z
  .string()
  .regex(/^\d+$/u, 'Must be a whole number')
  .transform(Number)
  .pipe(z.number().min(PORTS.min).max(PORTS.max))

const onOff = z.enum(['on', 'off'], { error: 'Must be on or off' })

const urlWith = (protocol: RegExp, message: string) => z.url({ protocol, error: message })

const masterKey = z.string().transform((text, context) => {
  const key = parseKey(text)
  if (key) return key
  context.addIssue({ code: 'custom', message: 'Must be 32 bytes in base64' })
  return z.NEVER
})

/** Settings that hold a secret may be given as the path of a file, in a setting of the same name with `_FILE`. */
const SECRETS = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'SMS_WEBHOOK_URL',
  'MASTER_KEYS_PREVIOUS',
  'OAUTH_CLIENTS',
  'OIDC_CLIENT_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'IDENTITY_SECRET_ACCESS_KEY',
] as const

const secretFile = z.string().optional()
const secretFiles = Object.fromEntries(SECRETS.map((name) => [`${name}_FILE`, secretFile])) as Record<
  `${(typeof SECRETS)[number]}_FILE`,
  typeof secretFile
>

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal'])

const trustedProxy = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((proxies) => proxies.every(isNetwork), 'Must be addresses or networks of proxies, separated by commas')

const publicUrl = urlWith(/^https?$/u, 'Must be an http:// or https:// address')
  .refine((url) => isOrigin(url), 'Must be an address alone, without path, query or login')
  .transform((url) => new URL(url).origin)

/** Every setting there is (design, section 1), by the name of its environment variable. */
export const SettingsSchema = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().default('127.0.0.1'),
    PUBLIC_URL: publicUrl.optional(),
    DATA_DIR: z
      .string()
      .default('./data')
      .transform((path) => resolve(path)),
    DATABASE_URL: urlWith(/^postgres(?:ql)?$/u, 'Must be a postgres:// address').optional(),
    REDIS_URL: urlWith(/^rediss?$/u, 'Must be a redis:// or rediss:// address').optional(),
    SMTP_URL: urlWith(/^smtps?$/u, 'Must be an smtp:// or smtps:// address').optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*\S@\S[^\r\n]*$/u, 'Must be a mail address, say Marquee <marquee@example.org>')
      .optional(),
    SMS_WEBHOOK_URL: urlWith(/^https?$/u, 'Must be an http:// or https:// address').optional(),
    MASTER_KEY: masterKey.optional(),
    MASTER_KEY_FILE: z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    MASTER_KEYS_PREVIOUS: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(masterKey))
      .optional(),
    MFA: z.enum(['optional', 'required', 'off'], { error: 'Must be optional, required or off' }).default('optional'),
    DEVICE_TRACKING: onOff.default('off'),
    PASSKEYS: onOff.default('on'),
    CUSTOM_CHALLENGES: z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    S3_BUCKET: z.string().optional(),
    S3_ENDPOINT: urlWith(/^https?$/u, 'Must be an http:// or https:// address').optional(),
    S3_REGION: z.string().optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    TRUSTED_PROXY: trustedProxy.optional(),
    ...secretFiles,
    ...COGNITO_SETTINGS,
    ALLOW_GUESTS: onOff.default('off'),
    OAUTH_CLIENTS: OAuthClients.optional(),
    ...OIDC_SETTINGS,
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `Must be one of ${LOG_LEVELS.join(', ')}` }).default('warn'),
    METRICS_PORT: port.optional(),
    METRICS_HOST: z.string().default('127.0.0.1'),
    RATE_LIMITS: onOff.default('on'),
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    message: 'Is needed with SMTP_URL: the address that mail comes from',
    // Together with all other mistakes, not after them.
    when: () => true,
  })
  .refine(({ S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret }) => (id === undefined) === (secret === undefined), {
    path: ['S3_SECRET_ACCESS_KEY'],
    message: 'Is needed with S3_ACCESS_KEY_ID, and only with it',
    when: () => true,
  })
  .refine(
    ({ S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID }) =>
      S3_BUCKET !== undefined || [S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID].every((value) => value === undefined),
    { path: ['S3_BUCKET'], message: 'Is needed with the other settings of S3', when: () => true },
  )
  .superRefine(refuseHalfCognito, { when: () => true })
  .refine(
    ({ OAUTH_CLIENTS, COGNITO_USER_POOL_ID }) => OAUTH_CLIENTS === undefined || COGNITO_USER_POOL_ID === undefined,
    { path: ['OAUTH_CLIENTS'], message: 'Is for the built-in user pool: register clients at Amazon', when: () => true },
  )
  .refine(({ OIDC_ISSUER, COGNITO_USER_POOL_ID }) => OIDC_ISSUER === undefined || COGNITO_USER_POOL_ID === undefined, {
    path: ['OIDC_ISSUER'],
    message: 'Is for the built-in user pool: set providers up at Amazon',
    when: () => true,
  })
  .superRefine(refuseHalfOidc, { when: () => true })

export type Settings = Omit<z.output<typeof SettingsSchema>, 'PUBLIC_URL'> & { PUBLIC_URL: string }

/** @throws {SettingsError} naming all mistakes together. */
export function readServerSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const { values, mistakes } = readSecretFiles(SECRETS, environment)
  const settings = readSettings(SettingsSchema, values, mistakes)
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}` }
}

function isOrigin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, href } = new URL(url)
  return href === `${origin}/`
}

/** An address, a network in CIDR form, or one of the names for those that are nobody's. */
function isNetwork(text: string): boolean {
  if (PROXY_NAMES.has(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d+$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
