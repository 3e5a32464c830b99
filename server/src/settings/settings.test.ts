import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { SettingsError } from '@marquee/platform/runtime/settings'

import { readServerSettings, SettingsSchema } from './settings.ts'

test('the defaults are complete', () => {
  expect(readServerSettings({})).toEqual({
    PORT: 3000,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: resolve('data'),
    METRICS_HOST: '127.0.0.1',
    ALLOW_GUESTS: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'on',
    SHUTDOWN_LEAD: 0.5,
    MFA: 'optional',
    DEVICE_TRACKING: 'off',
    PASSKEYS: 'on',
    VERIFICATION: 'code',
    REGISTRATION: 'open',
    REMOTE_POSTERS: 'copy',
    CATALOGUE: 'wikidata',
    WATCH_PROVIDERS: 'off',
    MEDIA_SERVERS: 'off',
    BACKUP_KEEP: 7,
    TMDB_URL: 'https://api.themoviedb.org/3',
    TMDB_IMAGES_URL: 'https://image.tmdb.org/t/p',
    WIKIDATA_URL: 'https://www.wikidata.org/w/api.php',
    WIKIPEDIA_URL: 'https://{language}.wikipedia.org',
  })
})

test('the public URL defaults to localhost with the port', () => {
  expect(readServerSettings({ PORT: '4100' }).PUBLIC_URL).toBe('http://localhost:4100')
  expect(readServerSettings({ PUBLIC_URL: 'https://films.example.org/' }).PUBLIC_URL).toBe('https://films.example.org')
})

test('an empty variable counts as unset', () => {
  expect(readServerSettings({ PORT: '', REDIS_URL: '', DATABASE_URL: '' }).PORT).toBe(3000)
})

test('all mistakes are reported together', () => {
  const wrong = {
    PORT: 'eighty',
    PUBLIC_URL: 'films.example.org',
    DATABASE_URL: 'mysql://db',
    SMTP_URL: 'smtp://mail.example.org',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'http://cache',
    S3_ENDPOINT: 'minio:9000',
    TRUSTED_PROXY: 'nginx',
    COGNITO_USER_POOL_ID: 'my pool',
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
  ['MAIL_FROM', 'marquee'],
  ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org'],
  ['ALLOW_GUESTS', 'yes'],
  ['RATE_LIMITS', 'sometimes'],
  ['SHUTDOWN_LEAD', 'soon'],
  ['SHUTDOWN_LEAD', '-1'],
  ['MFA', 'on'],
  ['DEVICE_TRACKING', 'always'],
  ['PASSKEYS', 'required'],
  ['VERIFICATION', 'on'],
  ['REGISTRATION', 'on'],
  ['SMS_WEBHOOK_URL', 'sms.example.org'],
  ['REDIS_URL', 'localhost:6379'],
  ['S3_ENDPOINT', 's3.example.org'],
  ['VAPID_SUBJECT', 'http://films.example.org'],
  ['TRUSTED_PROXY', '1'],
  ['TRUSTED_PROXY', '10.0.0.0/33'],
  ['TRUSTED_PROXY', '10.0.0.1, proxy.example.org'],
  ['DATABASE_URL_FILE', '/nowhere/database-url'],
  ['COGNITO_USER_POOL_ID', 'AbC123xyz'],
  ['COGNITO_CLIENT_ID', 'a client'],
  ['COGNITO_REGION', 'Ireland'],
  ['COGNITO_IDENTITY_POOL_ID', 'eu-west-1:pool'],
  ['COGNITO_OAUTH_DOMAIN', 'https://marquee.auth.eu-west-1.amazoncognito.com'],
  ['COGNITO_ENDPOINT', 'cognito.example.org'],
  ['IDENTITY_ACCESS_KEY_ID', 'a key'],
  ['IDENTITY_SECRET_ACCESS_KEY', 'too short'],
  ['CATALOGUE', 'imdb'],
  ['WATCH_PROVIDERS', 'justwatch'],
  ['MEDIA_SERVERS', 'on'],
  ['MEDIA_SERVERS', '192.168.1.0/24,home'],
  ['MEDIA_SERVERS', '192.168.1.0/33'],
  ['TMDB_TOKEN', 'two words'],
  ['TMDB_URL', 'https://api.themoviedb.org/4'],
  ['TMDB_IMAGES_URL', 'https://image.tmdb.org'],
  ['WIKIDATA_URL', 'https://www.wikidata.org'],
  ['WIKIPEDIA_URL', 'https://en.wikipedia.org'],
  ['WIKIPEDIA_URL', '{language}'],
])('%s=%s is rejected', (name, value) => {
  expect(() => readServerSettings({ [name]: value })).toThrow(new RegExp(`^ {2}${name}: `, 'mu'))
})

test('proxies are trusted by address, network, or the name of private networks', () => {
  expect(readServerSettings({ TRUSTED_PROXY: 'loopback, 10.0.0.0/8,2001:db8::1' }).TRUSTED_PROXY).toEqual([
    'loopback',
    '10.0.0.0/8',
    '2001:db8::1',
  ])
})

test.each([
  [{ S3_BUCKET: 'posters', S3_ACCESS_KEY_ID: 'key' }, 'S3_SECRET_ACCESS_KEY'],
  [{ S3_REGION: 'eu-west-1' }, 'S3_BUCKET'],
])('incomplete S3 settings are rejected', (given, missing) => {
  expect(() => readServerSettings(given)).toThrow(new RegExp(`^ {2}${missing}: Is needed`, 'mu'))
})

test('the TMDB catalogue and watch providers need a token', () => {
  expect(() => readServerSettings({ CATALOGUE: 'tmdb' })).toThrow(/^ {2}TMDB_TOKEN: Is needed with CATALOGUE=tmdb$/mu)
  expect(() => readServerSettings({ WATCH_PROVIDERS: 'tmdb' })).toThrow(
    /^ {2}TMDB_TOKEN: Is needed with WATCH_PROVIDERS=tmdb$/mu,
  )
})

describe('a secret in a file', () => {
  const inFile = async (content: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-secret-'))
    onTestFinished(async () => await rm(folder, { recursive: true }))
    const path = join(folder, 'secret')
    await writeFile(path, content)
    return path
  }

  test('a secret in a file is read without the final line break', async () => {
    const path = await inFile('postgres://marquee:secret@db/marquee\n')

    expect(readServerSettings({ DATABASE_URL_FILE: path }).DATABASE_URL).toBe('postgres://marquee:secret@db/marquee')
  })

  test('an invalid, empty or duplicate secret in a file is reported with all other mistakes, without its value', async () => {
    const wrong = {
      DATABASE_URL_FILE: await inFile('mysql://secret'),
      REDIS_URL_FILE: await inFile(' \n'),
      SMTP_URL: 'smtp://mail',
      SMTP_URL_FILE: await inFile('smtp://mail'),
      PORT: 'x',
    }

    const read = () => readServerSettings(wrong)

    expect(read).toThrow(/ {2}REDIS_URL_FILE: .* is empty/u)
    expect(read).toThrow(/ {2}SMTP_URL_FILE: Must not be set together with SMTP_URL/u)
    expect(read).toThrow(/ {2}DATABASE_URL: .*/u)
    expect(read).toThrow(/ {2}PORT: /u)
    expect(read).not.toThrow(/secret@|mysql/u)
  })
})

test('the list of settings is complete', () => {
  expect(Object.keys(SettingsSchema.shape).toSorted()).toEqual(
    [
      'BACKUP_EVERY BACKUP_KEEP',
      'PORT HOST PUBLIC_URL DATA_DIR DATABASE_URL REDIS_URL SMTP_URL MASTER_KEY MASTER_KEY_FILE MASTER_KEYS_PREVIOUS MAIL_FROM',
      'S3_BUCKET S3_ENDPOINT S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY TRUSTED_PROXY REMOTE_POSTERS',
      'DATABASE_URL_FILE REDIS_URL_FILE SMTP_URL_FILE SMS_WEBHOOK_URL_FILE MASTER_KEYS_PREVIOUS_FILE',
      'S3_ACCESS_KEY_ID_FILE S3_SECRET_ACCESS_KEY_FILE',
      'COGNITO_USER_POOL_ID COGNITO_CLIENT_ID COGNITO_REGION COGNITO_IDENTITY_POOL_ID COGNITO_OAUTH_DOMAIN',
      'COGNITO_ENDPOINT IDENTITY_ACCESS_KEY_ID IDENTITY_SECRET_ACCESS_KEY IDENTITY_SECRET_ACCESS_KEY_FILE',
      'OAUTH_CLIENTS OAUTH_CLIENTS_FILE OIDC_ISSUER OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_CLIENT_SECRET_FILE OIDC_NAME',
      'ALLOW_GUESTS LOG_LEVEL RATE_LIMITS SHUTDOWN_LEAD MFA DEVICE_TRACKING PASSKEYS VERIFICATION REGISTRATION CUSTOM_CHALLENGES',
      'SMS_WEBHOOK_URL VAPID_SUBJECT',
      'METRICS_PORT METRICS_HOST',
      'CATALOGUE WATCH_PROVIDERS TMDB_TOKEN TMDB_TOKEN_FILE TMDB_URL TMDB_IMAGES_URL WIKIDATA_URL WIKIPEDIA_URL MEDIA_SERVERS',
    ]
      .flatMap((line) => line.split(' '))
      .toSorted(),
  )
})

const ON_AMAZON = {
  COGNITO_USER_POOL_ID: 'eu-west-1_AbC123xyz',
  COGNITO_CLIENT_ID: '4nq0client',
  COGNITO_REGION: 'eu-west-1',
}

test('an Amazon user pool is configured by id, client and region', () => {
  expect(readServerSettings(ON_AMAZON)).toMatchObject(ON_AMAZON)
})

test.each(Object.keys(ON_AMAZON))(
  'an Amazon user pool without %s is rejected with the name of the missing setting',
  (name) => {
    expect(() => readServerSettings({ ...ON_AMAZON, [name]: '' })).toThrow(
      new RegExp(`^ {2}${name}: Is needed with COGNITO_`, 'mu'),
    )
  },
)

test.each([
  ['COGNITO_OAUTH_DOMAIN', 'marquee.auth.eu-west-1.amazoncognito.com'],
  ['COGNITO_ENDPOINT', 'http://127.0.0.1:4100/identity'],
])('%s without a user pool is rejected', (name, value) => {
  expect(() => readServerSettings({ [name]: value })).toThrow(/COGNITO_USER_POOL_ID: Is needed with/u)
})

test('a region other than that of the user pool is rejected', () => {
  expect(() => readServerSettings({ ...ON_AMAZON, COGNITO_REGION: 'us-east-1' })).toThrow(/^ {2}COGNITO_REGION: /mu)
})

test('an identity pool can be set without an Amazon user pool', () => {
  const id = 'us-east-1:11111111-2222-4333-8444-555555555555'

  expect(readServerSettings({ COGNITO_IDENTITY_POOL_ID: id }).COGNITO_IDENTITY_POOL_ID).toBe(id)
})

test('a key for administrative calls without its secret is rejected', () => {
  expect(() => readServerSettings({ IDENTITY_ACCESS_KEY_ID: 'MARQUEEKEY' })).toThrow(
    /IDENTITY_SECRET_ACCESS_KEY: Is needed with IDENTITY_ACCESS_KEY_ID/u,
  )
})

test('an incomplete user pool is reported with all other mistakes', () => {
  const read = () => readServerSettings({ COGNITO_CLIENT_ID: '4nq0client', PORT: 'eighty' })

  expect(read).toThrow(/^ {2}PORT: /mu)
  expect(read).toThrow(/^ {2}COGNITO_USER_POOL_ID: Is needed with COGNITO_CLIENT_ID/mu)
  expect(read).toThrow(/^ {2}COGNITO_REGION: Is needed with COGNITO_CLIENT_ID/mu)
})

test.each([
  ['6h', 21_600_000],
  ['1d', 86_400_000],
])('BACKUP_EVERY=%s is an interval of %i milliseconds', (BACKUP_EVERY, everyMs) => {
  expect(readServerSettings({ BACKUP_EVERY }).BACKUP_EVERY).toBe(everyMs)
})

test.each([
  [{ BACKUP_EVERY: '1' }, 'Must be a number of hours or days'],
  [{ BACKUP_EVERY: '0h' }, 'Must be a number of hours or days'],
  [{ BACKUP_KEEP: '0' }, 'BACKUP_KEEP'],
])('the backup settings %j are rejected', (environment, reason) => {
  expect(() => readServerSettings(environment)).toThrow(reason)
})
