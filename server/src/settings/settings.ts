import { resolve } from 'node:path'

import { z } from 'zod'

import { readPostgresUrl } from '@marquee/platform/database/postgres-url'
import { isNetwork } from '@marquee/platform/network/allowed-networks'
import { parseKey } from '@marquee/platform/runtime/key-file'
import { LOG_LEVELS } from '@marquee/platform/runtime/logger'
import { readSecretFiles } from '@marquee/platform/runtime/secret-files'
import { readSettings } from '@marquee/platform/runtime/settings'

import { BACKUP_SETTINGS } from './backup-settings.ts'
import { CATALOGUE_SETTINGS, refuseTmdbWithoutToken } from './catalogue-settings.ts'
import { COGNITO_SETTINGS, refuseHalfCognito } from './cognito-settings.ts'
import { MEDIA_SETTINGS } from './media-settings.ts'
import { OAuthClients } from './oauth-clients.ts'
import { OIDC_SETTINGS, refuseHalfOidc } from './oidc-settings.ts'

const PORTS = { min: 1, max: 65_535 }

const port = z
  .string()
  .regex(/^\d+$/u, 'Must be a whole number')
  .transform(Number)
  .pipe(z.number().min(PORTS.min).max(PORTS.max))

const MOST_LEAD_SECONDS = 300

const seconds = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/u, 'Must be a number of seconds')
  .transform(Number)
  .pipe(z.number().max(MOST_LEAD_SECONDS))

const onOff = z.enum(['on', 'off'], { error: 'Must be on or off' })

const urlWith = (protocol: RegExp, message: string) => z.url({ protocol, error: message })

const masterKey = z.string().transform((text, context) => {
  const key = parseKey(text)
  if (key) return key
  context.addIssue({ code: 'custom', message: 'Must be 32 bytes in base64' })
  return z.NEVER
})

/** A setting with a secret may be set as the path of a file, in a variable of the same name with `_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'SMS_WEBHOOK_URL',
  'MASTER_KEYS_PREVIOUS',
  'OAUTH_CLIENTS',
  'OIDC_CLIENT_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'TMDB_TOKEN',
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
  .refine(
    (proxies) => proxies.every((proxy) => PROXY_NAMES.has(proxy) || isNetwork(proxy)),
    'Must be addresses or networks of proxies, separated by commas',
  )

const publicUrl = urlWith(/^https?$/u, 'Must be an http:// or https:// address')
  .refine((url) => isOrigin(url), 'Must be an address alone, without path, query or login')
  .transform((url) => new URL(url).origin)

/** All settings, by environment variable. The descriptions make `docs/settings.md`. */
export const SettingsSchema = z
  .object({
    PORT: port.prefault('3000').describe('The port to listen on.'),
    HOST: z.string().default('127.0.0.1').describe('The address to listen on. `0.0.0.0` listens on all addresses.'),
    PUBLIC_URL: publicUrl
      .optional()
      .describe(
        'The address that users open. Links in mails start with it, and tokens contain it: a change signs out all users. With `https://`, browsers use only TLS for this host and its subdomains, for one year. Without it: `http://localhost:PORT`.',
      ),
    DATA_DIR: z
      .string()
      .default('./data')
      .transform((path) => resolve(path))
      .describe('The folder for the embedded database, images, keys, backups and the outbox.'),
    DATABASE_URL: z
      .string()
      .refine(readPostgresUrl, 'Must be a postgres:// address; target_session_attrs may be read-write or primary')
      .optional()
      .describe(
        '`postgres://…`: PostgreSQL 15 or later instead of the embedded database. It may name [several hosts](operating.md#failover).',
      ),
    REDIS_URL: urlWith(/^rediss?$/u, 'Must be a redis:// or rediss:// address')
      .optional()
      .describe(
        '`redis://…` or `rediss://…`: Redis or Valkey. Several processes share live events and rate limits through it.',
      ),
    SMTP_URL: urlWith(/^smtps?$/u, 'Must be an smtp:// or smtps:// address')
      .optional()
      .describe(
        '`smtp://…` or `smtps://…`: the mail server. Without it, mails go to the terminal and to `DATA_DIR/outbox`.',
      ),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*\S@\S[^\r\n]*$/u, 'Must be a mail address, say Marquee <marquee@example.org>')
      .optional()
      .describe('The sender of mails, for example `Marquee <marquee@example.org>`. Required with `SMTP_URL`.'),
    SMS_WEBHOOK_URL: urlWith(/^https?$/u, 'Must be an http:// or https:// address')
      .optional()
      .describe(
        'The SMS gateway. Marquee posts text messages to it as JSON `{"to": "+49…", "text": "…"}`. After any reply but 2xx it retries with the same `Idempotency-Key`. Without it, text messages go to the terminal and to `DATA_DIR/outbox`.',
      ),
    MASTER_KEY: masterKey.optional().describe('The master key itself, 32 bytes in base64, instead of a file.'),
    MASTER_KEY_FILE: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe(
        'The file of the master key. Only its owner may be able to read it. It has one key in base64 per line; the first is in use. Without it: `DATA_DIR/keys/master.key`, which the first start creates.',
      ),
    MASTER_KEYS_PREVIOUS: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(masterKey))
      .optional()
      .describe(
        'Earlier master keys, separated by commas. They still decrypt what they encrypted ([key rotation](security/stored.md#key-rotation)).',
      ),
    MFA: z
      .enum(['optional', 'required', 'off'], { error: 'Must be optional, required or off' })
      .default('optional')
      .describe('The second factor at sign-in. `optional`: each user decides. `required`: each user must set one up.'),
    VERIFICATION: z
      .enum(['code', 'link'], { error: 'Must be code or link' })
      .default('code')
      .describe(
        'What the mail that confirms a sign-up holds: a code to type, or a link to a page with a button. With Amazon Cognito: which of the two the pool sends.',
      ),
    REGISTRATION: z
      .enum(['open', 'invited', 'closed'], { error: 'Must be open, invited or closed' })
      .default('open')
      .describe(
        'Who may create an account. `invited`: visitors with a [join link](product/rules.md#join-links) that is open, each with one use of it. `closed`: no visitor. The first account is created with the URL that the first start prints, or with `npm run marquee -- users create`.',
      ),
    DEVICE_TRACKING: onOff
      .default('off')
      .describe(
        '`on`: a device on which a user has signed in gets a secret of its own. It replaces the second factor until the user forgets the device.',
      ),
    PASSKEYS: onOff
      .default('on')
      .describe(
        '`off`: users cannot create passkeys or sign in with them. Passkeys need `localhost`, or `https://` and a host name in `PUBLIC_URL`. A change of that name makes them useless.',
      ),
    CUSTOM_CHALLENGES: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe('The path of an ES module with [custom sign-in challenges](custom-challenges.md).'),
    S3_BUCKET: z
      .string()
      .optional()
      .describe(
        'The bucket of an S3-compatible store that keeps the images, instead of `DATA_DIR/images`. It needs no public access.',
      ),
    S3_ENDPOINT: urlWith(/^https?$/u, 'Must be an http:// or https:// address')
      .optional()
      .describe('The address of the store, unless it is Amazon S3. The bucket is then part of the path.'),
    S3_REGION: z.string().optional().describe('The region of the bucket. Without it: `us-east-1`.'),
    S3_ACCESS_KEY_ID: z
      .string()
      .optional()
      .describe('The access key for the bucket. Without it, the AWS SDK looks for credentials in its usual places.'),
    S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of that access key.'),
    REMOTE_POSTERS: z
      .enum(['copy', 'direct'], { error: 'Must be copy or direct' })
      .default('copy')
      .describe(
        'Where posters given by their address are shown from. `copy`: the server copies them to the image store, and pages load images from this server only. `direct`: browsers load them from their address. Use it where the server cannot reach other hosts.',
      ),
    VAPID_SUBJECT: urlWith(/^(?:https|mailto)$/u, 'Must be an https:// or mailto: address')
      .optional()
      .describe(
        'Where the operators of push services reach you: an `https://` or `mailto:` address. Without it: `PUBLIC_URL` if it starts with `https://`, else an address that does not exist.',
      ),
    TRUSTED_PROXY: trustedProxy
      .optional()
      .describe(
        'The proxies in front, by address or network, separated by commas. `loopback`, `linklocal` and `uniquelocal` name such networks. Only these proxies may set `X-Forwarded-For` and `X-Forwarded-Proto`. Required behind a proxy: otherwise all clients share one rate limit.',
      ),
    ...secretFiles,
    ...COGNITO_SETTINGS,
    ALLOW_GUESTS: onOff
      .default('off')
      .describe(
        '`on`: visitors without an account may read a watchlist by its link, unless it is private. It also opens an identity pool, which gives guests an identity.',
      ),
    OAUTH_CLIENTS: OAuthClients.optional().describe(
      '[Other tools](other-tools.md) that sign users in with their Marquee accounts: a list in JSON.',
    ),
    ...OIDC_SETTINGS,
    ...CATALOGUE_SETTINGS,
    ...MEDIA_SETTINGS,
    ...BACKUP_SETTINGS,
    LOG_LEVEL: z
      .enum(LOG_LEVELS, { error: `Must be one of ${LOG_LEVELS.join(', ')}` })
      .default('warn')
      .describe('The least severe level that is logged.'),
    METRICS_PORT: port.optional().describe('The port of `/metrics` for Prometheus. Without it there are no metrics.'),
    METRICS_HOST: z
      .string()
      .default('127.0.0.1')
      .describe('The address of `/metrics`. Use one that the public cannot reach.'),
    RATE_LIMITS: onOff.default('on').describe('`off` switches all rate limits off. For load tests only.'),
    SHUTDOWN_LEAD: seconds
      .default(0.5)
      .describe(
        'Seconds in which a process that was asked to end still takes connections, while `/readyz` fails. Behind a load balancer: longer than it takes to notice.',
      ),
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    message: 'Is needed with SMTP_URL: the address that mail comes from',
    // Checked here, so that it is reported with all other mistakes.
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
  .refine(({ REGISTRATION, COGNITO_USER_POOL_ID }) => REGISTRATION === 'open' || COGNITO_USER_POOL_ID === undefined, {
    path: ['REGISTRATION'],
    message: 'Is for the built-in user pool: set it up at Amazon',
    when: () => true,
  })
  .superRefine(refuseHalfOidc, { when: () => true })
  .superRefine(refuseTmdbWithoutToken, { when: () => true })

export type Settings = Omit<z.output<typeof SettingsSchema>, 'PUBLIC_URL'> & { PUBLIC_URL: string }

/** @throws {SettingsError} with all mistakes. */
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

/** The contact for push services if the settings name none. Apple refuses `localhost`. */
export function vapidSubjectOf(publicUrl: string): string {
  return publicUrl.startsWith('https://') ? publicUrl : 'mailto:operator@marquee.invalid'
}
