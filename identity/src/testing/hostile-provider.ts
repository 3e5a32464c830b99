import { createHash, type webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { ExternalProvider } from '../base/settings.ts'

const CLIENT_ID = 'marquee-there'
const KID = 'key-1'

type Claims = Record<string, unknown>
type Keys = Record<'privateKey' | 'strangers', webcrypto.CryptoKey>
/** Makes the id token from valid claims; `sign` signs as the provider does. */
type Forge = (claims: Claims, sign: (claims: Claims) => Promise<string>, keys: Keys) => Promise<string>

/** A provider whose replies the test chooses, listening. */
export type HostileProvider = {
  settings: ExternalProvider
  /** Signs a user in at the URL the browser was redirected to; returns our callback path with the answer. */
  signIn: (location: string, forge?: Forge, back?: Record<string, string | undefined>) => string
  /** The forms sent to the token endpoint. */
  asked: URLSearchParams[]
  stop: () => Promise<void>
}

export async function aHostileProvider(): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys: Keys = { privateKey, strangers: (await generateKeyPair('RS256')).privateKey }
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: KID, alg: 'RS256', use: 'sig' }] }
  const asked: URLSearchParams[] = []
  const grants = new Map<string, () => Promise<object>>()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void answer(String(request.url), Buffer.concat(chunks).toString('utf8')).then((body) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(body))
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(path: string, body: string): Promise<object> {
    if (path === '/jwks') return jwks
    if (path === '/token') {
      const form = new URLSearchParams(body)
      asked.push(form)
      return (await grants.get(form.get('code') ?? '')?.()) ?? { error: 'invalid_grant' }
    }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  return {
    settings: { issuer, clientId: CLIENT_ID, clientSecret: 'a-secret-of-thirty-two-characters', name: 'Elsewhere' },
    signIn: (location, forge = async (claims, sign) => await sign(claims), back = {}) => {
      const given = new URL(location).searchParams
      const now = Math.floor(new Date().getTime() / 1000)
      const claims = {
        iss: issuer,
        sub: createHash('sha256').update(location).digest('hex'),
        aud: CLIENT_ID,
        iat: now,
        exp: now + 300,
        nonce: given.get('nonce'),
      }
      const sign = async (signed: Claims) =>
        await new SignJWT(signed).setProtectedHeader({ alg: 'RS256', kid: KID }).sign(privateKey)
      const code = createHash('sha256').update(`${location} ${grants.size}`).digest('hex')
      grants.set(code, async () => ({
        access_token: 'of-no-interest',
        token_type: 'Bearer',
        id_token: await forge(claims, sign, keys),
      }))
      const answered: Record<string, string | undefined> = {
        code,
        state: given.get('state') ?? '',
        iss: issuer,
        ...back,
      }
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(answered)) if (value !== undefined) query.set(name, value)
      return `/oauth2/external/callback?${query.toString()}`
    },
    asked,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
