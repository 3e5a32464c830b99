import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { PUBLIC_URL, type RunningPool } from './a-pool.ts'
import { anotherInstallation } from './another-installation.ts'
import { allow } from './other-tools.ts'
import { aConfirmedUser, type Person, signIn } from './people.ts'
import type { ExternalProvider } from '../base/settings.ts'

/** An external provider: another installation with its hosted sign-in, listening. */
export type RunningProvider = {
  pool: RunningPool
  settings: ExternalProvider
  /** Creates a user at the provider. */
  person: (known?: Partial<Person>) => Promise<Person & { sub: string }>
  stop: () => Promise<void>
}

const SECRET = 'the-secret-of-the-other-marquee-there'

export async function aProvider(): Promise<RunningProvider> {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const client = {
    id: 'the-other-marquee',
    name: 'The other Marquee',
    secret: SECRET,
    redirectUris: [`${PUBLIC_URL}/oauth2/external/callback`],
    logoutUris: [`${PUBLIC_URL}/auth/login`],
  }
  const { pool, stop } = await anotherInstallation({ settings: { publicUrl, oauthClients: [client] } })
  await pool.app.listen({ host: '127.0.0.1', port })
  return {
    pool,
    settings: {
      issuer: `${publicUrl}/identity/${pool.identity.pool.userPoolId}`,
      clientId: client.id,
      clientSecret: SECRET,
      name: 'Film club',
    },
    person: async (known) => await aConfirmedUser(pool, known),
    stop,
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** A browser that keeps the cookie of the flow. */
export type Browser = {
  cookie: string
  get: (path: string, headers?: Record<string, string>) => Promise<{ status: number; location: string }>
  call: (
    method: 'POST' | 'GET' | 'DELETE',
    path: string,
    how?: { body?: object; idToken?: string; headers?: Record<string, string> },
  ) => Promise<{ status: number; body: Record<string, unknown> }>
}

export function aBrowser(pool: RunningPool): Browser {
  const keep = (header: string | string[] | undefined) => {
    const [set] = [header].flat()
    if (set !== undefined) browser.cookie = set.split(';')[0] ?? ''
  }
  const browser: Browser = {
    cookie: '',
    get: async (path, headers = {}) => {
      const reply = await pool.app.inject({ url: path, headers: { cookie: browser.cookie, ...headers } })
      keep(reply.headers['set-cookie'])
      return { status: reply.statusCode, location: String(reply.headers.location) }
    },
    call: async (method, path, { body, idToken, headers } = {}) => {
      const reply = await pool.app.inject({
        method,
        url: `/oauth2/external/${path}`,
        headers: {
          cookie: browser.cookie,
          ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }),
          ...headers,
        },
        ...(body !== undefined && { payload: body }),
      })
      keep(reply.headers['set-cookie'])
      return { status: reply.statusCode, body: reply.json() }
    },
  }
  return browser
}

/** Signs in at the provider and returns our path that the provider redirects to. */
export async function goAndSignIn(
  browser: Browser,
  { pool }: RunningProvider,
  person: Pick<Person, 'email' | 'password'>,
  redirect = '/',
): Promise<string> {
  const { location } = await browser.get(`/oauth2/external/start?redirect=${encodeURIComponent(redirect)}`)
  const { IdToken } = await signIn(pool, person)
  const back = await allow(pool, IdToken, new URL(location))
  return `${back.pathname}${back.search}`
}

/** The whole flow, from our start page to the provider and back. */
export async function comeBack(
  browser: Browser,
  provider: RunningProvider,
  person: Pick<Person, 'email' | 'password'>,
  redirect = '/',
): Promise<void> {
  const { location } = await browser.get(await goAndSignIn(browser, provider, person, redirect))
  if (location !== `${PUBLIC_URL}/auth/external`) throw new Error(`The browser ended at ${location}`)
}
