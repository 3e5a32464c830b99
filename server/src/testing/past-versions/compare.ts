import { openSession } from '../sign-up.ts'
import type { ServerProcess } from '../server-process.ts'
import { ask } from './client.ts'
import { differencesOf } from './differences.ts'
import { fetchPictures, type Recording } from './recording.ts'

/** Asks a server everything again that a past version was asked. Returns what it answers otherwise. */
export async function compareWith(recording: Recording, server: Pick<ServerProcess, 'url'>): Promise<string[]> {
  const tokens = new Map<string | null, string>()
  const differences: string[] = []
  for (const [name, refreshToken] of Object.entries(recording.refreshTokens)) {
    tokens.set(name, (await openSession(server.url, name)).idToken)
    const profile = await ask(server, await renew(server.url, refreshToken), { path: '/profile' })
    const before = recording.seen.find(({ as, path }) => as === name && path === '/profile')
    differences.push(...differencesOf(before?.body, profile.body, `the earlier session of ${name}`))
  }
  for (const { as, path, status, body } of recording.seen) {
    const reply = await ask(server, tokens.get(as), { path })
    const where = `${path} as ${as ?? 'no one'}`
    differences.push(...differencesOf({ status, body }, { ...reply }, where))
  }
  if (recording.personalToken !== null) {
    const { status } = await ask(server, recording.personalToken, { path: '/watchlists' })
    differences.push(...differencesOf(200, status, 'the personal token'))
  }
  return [...differences, ...differencesOf(recording.pictures, await fetchPictures(server, recording.seen), 'pictures')]
}

/** The id token of a session that was opened earlier. */
async function renew(url: string, refreshToken: string): Promise<string | undefined> {
  const { auth } = (await (await fetch(`${url}/config.json`)).json()) as {
    auth: { userPoolClientId: string; userPoolEndpoint: string }
  }
  const reply = await fetch(auth.userPoolEndpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      ClientId: auth.userPoolClientId,
      AuthParameters: { REFRESH_TOKEN: refreshToken },
    }),
  })
  const result = (await reply.json()) as { AuthenticationResult?: { IdToken: string } }
  return result.AuthenticationResult?.IdToken
}
