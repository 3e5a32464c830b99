import type { BrowserContext } from '@playwright/test'

import { freePort, type RunningServer } from './server.ts'
import { accountsAt, STAND_IN } from './stand-in.ts'

const DOMAIN = 'films.auth.example.org'
const CLIENT = 'films'
/** Amazon's own, which another Marquee gives no tool. */
const ADMIN_SCOPE = 'aws.cognito.signin.user.admin'

/** A pool with sign-in pages of its own, and an installation whose accounts are there. */
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

/** Clients of Cognito's know https alone: what the browser asks of the pool's domain, the pool is asked here. */
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
