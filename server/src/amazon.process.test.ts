import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { freePort } from '@marquee/platform/testing/free-port'
import { ANY_ENGINE } from '@marquee/platform/testing/each-database'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { clientOf } from './testing/api-client.ts'
import { type ServerProcess, startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

const KEY = { id: 'MARQUEE-TEST', secret: 'a secret that two servers of one test know' }
const IDENTITY_POOL = 'us-east-1:11111111-2222-4333-8444-555555555555'

type Config = { auth: Record<string, unknown>; features: Record<string, boolean> }
type Invitation = { username: string }

describe.each<'SQLite' | 'PostgreSQL'>(ANY_ENGINE)('accounts on Amazon Cognito, on %s', (engine) => {
  let folder: string
  let pool: ServerProcess
  let app: ServerProcess
  let auth: Config['auth']

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marquee-amazon-'))
    const here = async (name: string) => ({
      PORT: String(await freePort()),
      DATA_DIR: join(folder, name),
      ...(engine === 'PostgreSQL' && { DATABASE_URL: await freshPostgresUrl() }),
    })
    // The pool of another Marquee plays the one of Amazon.
    pool = await startServer({
      ...(await here('pool')),
      COGNITO_IDENTITY_POOL_ID: IDENTITY_POOL,
      IDENTITY_ACCESS_KEY_ID: KEY.id,
      IDENTITY_SECRET_ACCESS_KEY: KEY.secret,
    })
    ;({ auth } = await configOf(pool))
    app = await startServer({
      ...(await here('app')),
      COGNITO_USER_POOL_ID: String(auth['userPoolId']),
      COGNITO_CLIENT_ID: String(auth['userPoolClientId']),
      COGNITO_REGION: 'us-east-1',
      COGNITO_IDENTITY_POOL_ID: IDENTITY_POOL,
      COGNITO_ENDPOINT: String(auth['userPoolEndpoint']),
      COGNITO_OAUTH_DOMAIN: 'films.auth.example.org',
      AWS_ACCESS_KEY_ID: KEY.id,
      AWS_SECRET_ACCESS_KEY: KEY.secret,
    })
  })
  afterAll(async () => {
    await app.end('SIGTERM')
    await pool.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  const register = async (name: string) => await signUp({ url: pool.url, dataDir: join(folder, 'pool'), name })

  test('users of the pool sign in, and can invite other users of the pool, who get a mail', async () => {
    const ana = clientOf(app, await register('ana'))
    await register('Ben')
    const { body: watchlist } = await ana<Watchlist>('POST', '/watchlists', { name: 'Friday films' })

    const invited = await ana<Invitation>('POST', `/watchlists/${watchlist.id}/invitations`, { username: 'bEN' })
    const unknown = await ana<{ type: string }>('POST', `/watchlists/${watchlist.id}/invitations`, { username: 'Zoe' })
    const account = await ana<{ type: string; message: string }>('GET', '/account/recovery-codes')

    expect(watchlist.ownerId).toBe('ana')
    expect([invited.status, invited.body.username]).toEqual([201, 'Ben'])
    expect([unknown.status, unknown.body.type]).toEqual([404, 'NOT_FOUND'])
    expect([account.status, account.body.message]).toEqual([
      404,
      'Accounts are kept by Amazon Cognito here, which does not offer this',
    ])
    await expect.poll(async () => await readdir(join(folder, 'app', 'outbox')).catch(() => [])).toHaveLength(1)
  })

  test('the built-in pool is off, and the web app gets the settings of the other pool', async () => {
    const { auth: given, features } = await configOf(app)
    const identity = await fetch(`${app.url}/identity/`, { method: 'POST', body: '{}' })
    const page = await fetch(`${app.url}/config.json`)

    expect(given).toMatchObject({
      userPoolId: auth['userPoolId'],
      userPoolClientId: auth['userPoolClientId'],
      userPoolEndpoint: auth['userPoolEndpoint'],
      identityPoolId: IDENTITY_POOL,
      identityPoolEndpoint: auth['userPoolEndpoint'],
      allowGuestAccess: false,
      loginWith: {
        oauth: {
          domain: 'films.auth.example.org',
          redirectSignIn: [`${app.url}/auth/login`],
          redirectSignOut: [`${app.url}/auth/login`],
          responseType: 'code',
        },
      },
    })
    expect(features).toMatchObject({ accountService: false, guests: false, hostedPages: true })
    expect(identity.status).toBe(404)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(new URL(String(auth['userPoolEndpoint'])).origin)
    expect(policy).toContain('https://films.auth.example.org')
  })

  // The last one: it ends the pool.
  test('known users continue and unknown users are not found while the pool cannot be reached', async () => {
    const token = await register('cleo')
    const cleo = clientOf(app, token)
    const { body: watchlist } = await cleo<Watchlist>('POST', '/watchlists', { name: 'Friday films' })
    await pool.end('SIGTERM')

    const lists = await cleo<Watchlist[]>('GET', '/watchlists')
    const invited = await fetch(`${app.url}/api/watchlists/${watchlist.id}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"username":"dora"}',
    })

    expect(lists.body.map(({ name }) => name)).toEqual(['Friday films'])
    expect(invited.status).toBe(503)
    expect(Number(invited.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

async function configOf({ url }: ServerProcess): Promise<Config> {
  return (await (await fetch(`${url}/config.json`)).json()) as Config
}
