import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { freePort } from '@marquee/platform/testing/free-port'
import type { BrowserContext } from '@playwright/test'

import { readAuthConfig } from './api.ts'
import { PROGRAM_ENV, type RunningServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type StartWith = (settings: Readonly<Record<string, string>>) => Promise<RunningServer>

const KEY = { id: 'MARQUEE-JOURNEY', secret: 'what the two servers of a journey both know' }
const IDENTITY_POOL = 'us-east-1:11111111-2222-4333-8444-555555555555'

/** Settings of a server whose user pool replaces Amazon's. */
export const STAND_IN = {
  COGNITO_IDENTITY_POOL_ID: IDENTITY_POOL,
  IDENTITY_ACCESS_KEY_ID: KEY.id,
  IDENTITY_SECRET_ACCESS_KEY: KEY.secret,
}

/** Settings of a server that uses the user pool of another one. */
export async function accountsAt(pool: RunningServer): Promise<Record<string, string>> {
  const { userPoolId, userPoolClientId, userPoolEndpoint } = await readAuthConfig(pool.url)
  return {
    COGNITO_USER_POOL_ID: userPoolId,
    COGNITO_CLIENT_ID: userPoolClientId,
    COGNITO_REGION: 'us-east-1',
    COGNITO_IDENTITY_POOL_ID: IDENTITY_POOL,
    COGNITO_ENDPOINT: userPoolEndpoint,
    AWS_ACCESS_KEY_ID: KEY.id,
    AWS_SECRET_ACCESS_KEY: KEY.secret,
  }
}

const DOMAIN = 'films.auth.example.org'
const CLIENT = 'films'
/** A scope of Amazon's, which Marquee's own pool does not grant. */
const ADMIN_SCOPE = 'aws.cognito.signin.user.admin'

/** Starts a pool with hosted sign-in pages, and an app that uses its accounts. */
export async function startWithHostedPages(startWith: StartWith): Promise<{ pool: RunningServer; app: RunningServer }> {
  const port = String(await freePort())
  const login = `http://localhost:${port}/auth/login`
  const client = { id: CLIENT, name: 'Marquee for films', redirectUris: [login], logoutUris: [login] }
  const pool = await startWith({ ...STAND_IN, OAUTH_CLIENTS: JSON.stringify([client]) })
  const app = await startWith({
    ...(await accountsAt(pool)),
    PORT: port,
    COGNITO_IDENTITY_POOL_ID: '',
    COGNITO_CLIENT_ID: CLIENT,
    COGNITO_OAUTH_DOMAIN: DOMAIN,
  })
  return { pool, app }
}

/** Sends requests for the pool's domain to the pool, because Cognito clients require https. */
export async function serveHostedPages(context: BrowserContext, pool: RunningServer): Promise<void> {
  await context.route(`https://${DOMAIN}/**`, async (route) => {
    const asked = new URL(route.request().url())
    const scope = asked.searchParams.get('scope')
    if (scope !== null) asked.searchParams.set('scope', scope.replace(ADMIN_SCOPE, '').trim())
    const response = await route.fetch({ url: `${pool.url}${asked.pathname}${asked.search}`, maxRedirects: 0 })
    const headers = { ...response.headers(), 'access-control-allow-origin': '*' }
    await route.fulfill({ response, headers })
  })
}

/** Two installations: users sign in to `here` with their accounts at `there`. */
export type Pair = { here: RunningServer; there: RunningServer }

const PROVIDER_SECRET = 'a-secret-of-both-installations-here'

export async function startPair(startWith: StartWith): Promise<Pair> {
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const client = {
    id: 'here',
    name: 'The other Marquee',
    secret: PROVIDER_SECRET,
    redirectUris: [`${url}/oauth2/external/callback`],
    logoutUris: [`${url}/auth/login`],
  }
  const there = await startWith({ OAUTH_CLIENTS: JSON.stringify([client]) })
  const { userPoolId } = await readAuthConfig(there.url)
  const here = await startWith({
    PORT: port,
    OIDC_ISSUER: `${there.url}/identity/${userPoolId}`,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: PROVIDER_SECRET,
    OIDC_NAME: 'Film club',
  })
  return { here, there }
}

/** Runs a command of the operator (`npm run marquee --`) and returns its output. */
export async function runCommand(server: RunningServer, ...words: readonly string[]): Promise<string> {
  const env = { ...PROGRAM_ENV, ...server.settings() }
  const { MARQUEE_COMMAND: command = 'server/src/cli/marquee.ts' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...words], {
    cwd: root,
    env,
  })
  return stdout.trim()
}
