import * as client from 'openid-client'

import type { ExternalPerson, Provider } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import type { ExternalProvider } from '../../base/settings.ts'
import { ExternalUnavailable } from './flow.ts'

const TIMEOUT_SECONDS = 10
const CLOCK_TOLERANCE_SECONDS = 30
/** A provider that gets a `max_age` must say when the user signed in. If that was longer ago, it asks the user again. */
const MAX_AGE_SECONDS = 10 * 24 * 60 * 60
/** The longest that OpenID Connect Core allows is 255 characters. */
const Subject = field.text({ min: 1, max: 255 })

/** Discovery happens at the first use, so that this server starts without the provider. */
export function openProvider(settings: ExternalProvider, publicUrl: string): Provider {
  const redirectUri = `${publicUrl}/oauth2/external/callback`
  let known: Promise<client.Configuration> | undefined
  /** Whether the provider has said when a user signed in. */
  let saysWhen = false

  async function configuration(): Promise<client.Configuration> {
    known ??= discover(settings)
    try {
      return await known
    } catch (error) {
      known = undefined
      throw new ExternalUnavailable(`${settings.issuer} does not answer as an OpenID Connect provider`, {
        cause: error,
      })
    }
  }

  return {
    settings,
    signInUrl: async ({ state, nonce, verifier }, { again }) => {
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(MAX_AGE_SECONDS),
        ...(again && { prompt: 'login' }),
      })
      return url.href
    },
    personOf: async (url, { state, nonce, verifier }) => {
      const granted = await client.authorizationCodeGrant(await configuration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = granted.claims()
      if (!claims) throw new Error('The provider gave no id token')
      saysWhen ||= claims.auth_time !== undefined
      return readPerson(claims, { saysWhen })
    },
    signOutUrl: async () => {
      // Checks again that the provider responds: a user who is redirected to an unreachable page does not come back.
      known = undefined
      const config = await configuration()
      if (config.serverMetadata().end_session_endpoint === undefined) {
        throw new ExternalUnavailable(`${settings.issuer} has no page to sign out`)
      }
      const back = { post_logout_redirect_uri: `${publicUrl}/auth/login` }
      return client.buildEndSessionUrl(config, back).href
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: ExternalProvider): Promise<client.Configuration> {
  const url = new URL(issuer)
  const proof = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret)
  // The settings allow http only for the local machine.
  // oxlint-disable-next-line typescript/no-deprecated -- marked so by its authors only to stand out
  const insecure = url.protocol === 'http:' ? [client.allowInsecureRequests] : []
  const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  return await client.discovery(url, clientId, metadata, proof, {
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_SECONDS,
  })
}

/** `saysWhen`: the provider says when a user signed in if it is asked. */
function readPerson(claims: client.IDToken, { saysWhen }: { saysWhen: boolean }): ExternalPerson {
  const { iss: issuer, email, email_verified: isVerified } = claims
  // The browser can leave `max_age` out of the address of the provider. Then no answer counts as long ago.
  const authTime = claims.auth_time ?? (saysWhen ? 0 : undefined)
  const { data: subject } = Subject.safeParse(claims.sub)
  if (subject === undefined) throw new Error('The subject of the id token is not one that names a user')
  const name = [claims['preferred_username'], claims['name']].find((text) => typeof text === 'string' && text !== '')
  return {
    issuer,
    subject,
    ...(typeof email === 'string' && isVerified === true && { email }),
    ...(typeof name === 'string' && { name: name.slice(0, 128) }),
    ...(authTime !== undefined && { authTime: authTime + CLOCK_TOLERANCE_SECONDS }),
  }
}
