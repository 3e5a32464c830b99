import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { test as base } from './journey.ts'

/** Another tool that signs users in with their accounts here (RFC 6749 and 7636). */
export type OtherTool = {
  url: string
  /** The value of the setting OAUTH_CLIENTS. */
  registration: string
  /** The target of its sign-in button. */
  signInAt: (serverUrl: string) => string
  signOutAt: (serverUrl: string) => string
  stop: () => Promise<void>
}

const SECRET = randomBytes(32).toString('hex')

/** Journeys with such a tool, whose name is "Film wiki". */
export const test = base.extend<{ tool: OtherTool }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
  tool: async ({}, use) => {
    const tool = await startOtherTool('Film wiki')
    await use(tool)
    await tool.stop()
  },
})

/** Starts the tool. Its page greets the signed-in user by the name from userInfo. */
async function startOtherTool(name: string): Promise<OtherTool> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('hex')
  let server = ''

  const tool = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => `failed: ${String(error)}`)
      .then((text) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text))
      .catch(() => response.destroy())
  })
  tool.listen(0, '127.0.0.1')
  await once(tool, 'listening')
  const url = `http://localhost:${(tool.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage): Promise<string> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/bye') return 'Good bye'
    if (pathname !== '/back') return 'Nothing here'
    if (searchParams.get('state') !== state) return 'This is not my sign-in'
    const refusal = searchParams.get('error')
    if (refusal !== null) return `Not signed in: ${refusal}`
    const reply = await fetch(`${server}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: searchParams.get('code') ?? '',
        redirect_uri: `${url}/back`,
        client_id: 'tool',
        client_secret: SECRET,
        code_verifier: verifier,
      }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const info = await fetch(`${server}/oauth2/userInfo`, { headers: { authorization: `Bearer ${token}` } })
    const { username, email } = (await info.json()) as { username: string; email: string }
    return `Hello ${username}, ${email}`
  }

  return {
    url,
    registration: JSON.stringify([
      { id: 'tool', name, secret: SECRET, redirectUris: [`${url}/back`], logoutUris: [`${url}/bye`] },
    ]),
    signInAt: (serverUrl) => {
      server = serverUrl
      const query = new URLSearchParams({
        client_id: 'tool',
        redirect_uri: `${url}/back`,
        response_type: 'code',
        scope: 'openid email profile',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      return `${serverUrl}/oauth2/authorize?${query.toString()}`
    },
    signOutAt: (serverUrl) => {
      const query = new URLSearchParams({ client_id: 'tool', logout_uri: `${url}/bye` })
      return `${serverUrl}/logout?${query.toString()}`
    },
    stop: async () => {
      const closed = once(tool, 'close')
      tool.close()
      tool.closeAllConnections()
      await closed
    },
  }
}
