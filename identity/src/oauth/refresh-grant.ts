import { readRefreshToken } from '../tokens/refresh-token.ts'
import { renewSession } from '../tokens/refresh.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { findGrant } from './grant-store.ts'
import { invalidGrant, invalidRequest, OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'
import { presentTokens, type TokenReply } from './present-tokens.ts'
import { readScopes } from './scopes.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'
import type { OAuthClient } from '../base/settings.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'keyring' | 'tracksDevices'>

/**
 * New tokens for a refresh token, which is replaced: many clients have no secret, so a stolen one must show. Fewer scopes
 * may be asked for than were granted, never more.
 */
export async function refreshGrant(pool: Ports, client: OAuthClient, form: Parameters): Promise<TokenReply> {
  const text = form.get('refresh_token')
  if (text === undefined) throw invalidRequest('refresh_token is missing')
  const asked = form.get('scope')
  const scopes = asked === undefined ? undefined : readScopes(asked)
  if (asked !== undefined && !scopes) throw invalidScope()
  const token = readRefreshToken(text)
  const grant = token && (await findGrant(pool.database.read, token.sub, token.originJti))
  if (grant?.client_id !== client.id) throw invalidGrant()
  const granted = grant.scope.split(' ')
  // Before the token is replaced: who is refused is not told of another one.
  if (scopes?.some((scope) => !granted.includes(scope))) throw invalidScope()
  const { user, session, next } = await renew(pool, text, client.id)
  const scope = scopes?.join(' ') ?? grant.scope
  return await presentTokens(pool, { user, session, refreshToken: next }, { scope })
}

async function renew(pool: Ports, text: string, clientId: string) {
  try {
    const { user, session, next } = await renewSession(pool, text, { rotate: true, deviceKey: undefined, clientId })
    return { user, session, next: next?.text ?? text }
  } catch (error) {
    throw error instanceof CognitoError ? invalidGrant() : error
  }
}

function invalidScope(): OAuthError {
  return new OAuthError('invalid_scope', 'This was not granted')
}
