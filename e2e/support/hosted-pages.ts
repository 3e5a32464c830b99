import type { BrowserContext } from '@playwright/test'

import { freePort, type RunningServer } from './server.ts'
import { accountsAt, STAND_IN } from './stand-in.ts'

const DOMAIN = 'films.auth.example.org'
const CLIENT = 'films'
/** A scope of Amazon's, which Marquee's own pool does not grant. */
const ADMIN_SCOPE = 'aws.cognito.signin.user.admin'

/** Starts a pool with hosted sign-in pages, and an app that uses its accounts. */
export async function startWithHostedPages(
  startWith: (settings: Readonly<Record<string, string>>) => Promise<RunningServer>,
): Promise<{ pool: RunningServer; app: RunningServer }> {
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
