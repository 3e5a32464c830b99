import { readAuthConfig } from './api.ts'
import { freePort, type RunningServer } from './server.ts'

/** Two installations: users sign in to `here` with their accounts at `there`. */
export type Pair = { here: RunningServer; there: RunningServer }

const SECRET = 'a-secret-of-both-installations-here'

export async function startPair(
  startWith: (settings: Readonly<Record<string, string>>) => Promise<RunningServer>,
): Promise<Pair> {
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const client = {
    id: 'here',
    name: 'The other Marquee',
    secret: SECRET,
    redirectUris: [`${url}/oauth2/external/callback`],
    logoutUris: [`${url}/auth/login`],
  }
  const there = await startWith({ OAUTH_CLIENTS: JSON.stringify([client]) })
  const { userPoolId } = await readAuthConfig(there.url)
  const here = await startWith({
    PORT: port,
    OIDC_ISSUER: `${there.url}/identity/${userPoolId}`,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: SECRET,
    OIDC_NAME: 'Film club',
  })
  return { here, there }
}
