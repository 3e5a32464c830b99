import { resolve } from 'node:path'

import { expect, test } from 'vitest'

import { SettingsError } from '@marquee/platform/runtime/settings'

import { readServerSettings, SettingsSchema } from './settings.ts'

test('without any setting the server has all it needs', () => {
  expect(readServerSettings({})).toEqual({
    PORT: 3000,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: resolve('data'),
    ALLOW_GUESTS: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'on',
    MFA: 'optional',
    DEVICE_TRACKING: 'off',
    PASSKEYS: 'on',
  })
})

test('the public address follows the port, unless it is given', () => {
  expect(readServerSettings({ PORT: '4100' }).PUBLIC_URL).toBe('http://localhost:4100')
  expect(readServerSettings({ PUBLIC_URL: 'https://films.example.org/' }).PUBLIC_URL).toBe('https://films.example.org')
})

test('an empty variable counts as none', () => {
  expect(readServerSettings({ PORT: '', REDIS_URL: '', DATABASE_URL: '' }).PORT).toBe(3000)
})

test('all mistakes are told together', () => {
  const wrong = {
    PORT: 'eighty',
    PUBLIC_URL: 'films.example.org',
    DATABASE_URL: 'mysql://db',
    SMTP_URL: 'smtp://mail.example.org',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'redis://cache',
    S3_BUCKET: 'posters',
    COGNITO_REGION: 'eu-west-1',
  }

  const read = () => readServerSettings(wrong)

  expect(read).toThrow(SettingsError)
  for (const name of [...Object.keys(wrong).filter((key) => key !== 'SMTP_URL'), 'MAIL_FROM']) {
    expect(read).toThrow(new RegExp(`^ {2}${name}: .`, 'mu'))
  }
})

test.each([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '3000.5'],
  ['PUBLIC_URL', 'https://films.example.org/marquee'],
  ['PUBLIC_URL', 'https://films.example.org?x=1'],
  ['PUBLIC_URL', 'https://user@films.example.org'],
  ['PUBLIC_URL', 'ftp://films.example.org'],
  ['SMTP_URL', 'mail.example.org'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org'],
  ['ALLOW_GUESTS', 'yes'],
  ['RATE_LIMITS', 'sometimes'],
  ['MFA', 'on'],
  ['DEVICE_TRACKING', 'always'],
  ['PASSKEYS', 'required'],
  ['SMS_WEBHOOK_URL', 'sms.example.org'],
])('%s=%s is refused', (name, value) => {
  expect(() => readServerSettings({ [name]: value })).toThrow(new RegExp(`^ {2}${name}: `, 'mu'))
})

const UNBUILT = Object.keys(SettingsSchema.shape).filter((name) => /^(?:REDIS|S3|COGNITO)_/u.test(name))

test.each([...UNBUILT.map((name): [string, string] => [name, 'anything']), ['ALLOW_GUESTS', 'on']] satisfies [
  string,
  string,
][])('%s is not passed over in silence while nothing uses it', (name, value) => {
  expect(() => readServerSettings({ [name]: value })).toThrow(/ yet/u)
})

test('no setting of the design is missing', () => {
  expect(Object.keys(SettingsSchema.shape).toSorted()).toEqual(
    [
      'PORT HOST PUBLIC_URL DATA_DIR DATABASE_URL REDIS_URL SMTP_URL MASTER_KEY MASTER_KEY_FILE MASTER_KEYS_PREVIOUS MAIL_FROM',
      'S3_BUCKET S3_ENDPOINT S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY',
      'COGNITO_USER_POOL_ID COGNITO_CLIENT_ID COGNITO_REGION COGNITO_IDENTITY_POOL_ID COGNITO_OAUTH_DOMAIN',
      'ALLOW_GUESTS LOG_LEVEL RATE_LIMITS MFA DEVICE_TRACKING PASSKEYS CUSTOM_CHALLENGES SMS_WEBHOOK_URL',
    ]
      .flatMap((line) => line.split(' '))
      .toSorted(),
  )
})
