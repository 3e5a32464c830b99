import { resolve } from 'node:path'

import { z } from 'zod'

import { parseKey } from '@marquee/platform/runtime/key-file'
import { LOG_LEVELS } from '@marquee/platform/runtime/logger'
import { readSettings } from '@marquee/platform/runtime/settings'

const PORTS = { min: 1, max: 65_535 }

/** A setting whose engine is not built yet: silence would let somebody believe that it is in use. */
const notYet = (what: string) => z.never({ error: `${what} is not supported yet: remove this setting` }).optional()

const onOff = z.enum(['on', 'off'], { error: 'Must be on or off' })

const urlWith = (protocol: RegExp, message: string) => z.url({ protocol, error: message })

const masterKey = z.string().transform((text, context) => {
  const key = parseKey(text)
  if (key) return key
  context.addIssue({ code: 'custom', message: 'Must be 32 bytes in base64' })
  return z.NEVER
})

const publicUrl = urlWith(/^https?$/u, 'Must be an http:// or https:// address')
  .refine((url) => isOrigin(url), 'Must be an address alone, without path, query or login')
  .transform((url) => new URL(url).origin)

/** Every setting there is (design, section 1), by the name of its environment variable. */
export const SettingsSchema = z
  .object({
    PORT: z
      .string()
      .regex(/^\d+$/u, 'Must be a whole number')
      .transform(Number)
      .pipe(z.number().min(PORTS.min).max(PORTS.max))
      .default(3000),
    HOST: z.string().default('127.0.0.1'),
    PUBLIC_URL: publicUrl.optional(),
    DATA_DIR: z
      .string()
      .default('./data')
      .transform((path) => resolve(path)),
    DATABASE_URL: urlWith(/^postgres(?:ql)?$/u, 'Must be a postgres:// address').optional(),
    REDIS_URL: notYet('Redis'),
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
    S3_BUCKET: notYet('S3'),
    S3_ENDPOINT: notYet('S3'),
    S3_REGION: notYet('S3'),
    S3_ACCESS_KEY_ID: notYet('S3'),
    S3_SECRET_ACCESS_KEY: notYet('S3'),
    COGNITO_USER_POOL_ID: notYet('Amazon Cognito'),
    COGNITO_CLIENT_ID: notYet('Amazon Cognito'),
    COGNITO_REGION: notYet('Amazon Cognito'),
    COGNITO_IDENTITY_POOL_ID: notYet('Amazon Cognito'),
    COGNITO_OAUTH_DOMAIN: notYet('Amazon Cognito'),
    ALLOW_GUESTS: onOff.default('off').refine((guests) => guests === 'off', 'Guests are not supported yet'),
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `Must be one of ${LOG_LEVELS.join(', ')}` }).default('warn'),
    RATE_LIMITS: onOff.default('on'),
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    message: 'Is needed with SMTP_URL: the address that mail comes from',
    // Together with all other mistakes, not after them.
    when: () => true,
  })

export type Settings = Omit<z.output<typeof SettingsSchema>, 'PUBLIC_URL'> & { PUBLIC_URL: string }

/** @throws {SettingsError} naming all mistakes together. */
export function readServerSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const settings = readSettings(SettingsSchema, environment)
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}` }
}

function isOrigin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, href } = new URL(url)
  return href === `${origin}/`
}
