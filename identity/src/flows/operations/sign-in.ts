import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, invalidParameter, refusals } from '../../base/errors/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation } from '../../base/requests/operation.ts'
import { readRefreshToken } from '../../parts/tokens/issue.ts'
import { findRefreshToken, findSession } from '../../parts/tokens/session-store.ts'
import { answerDeviceSrp, answerDeviceVerifier } from '../../sign-in/answer-device.ts'
import {
  answerChoice,
  answerChosenPassword,
  answerChosenSrp,
  answerNewPassword,
  answerPasskey,
} from '../../sign-in/answer-first-factor.ts'
import { answerPasswordVerifier } from '../../sign-in/answer-password-verifier.ts'
import { answerCode, answerMfaSetup, answerMfaType, answerSoftwareToken } from '../../sign-in/answer-second-factor.ts'
import type { Answer } from '../../sign-in/answer.ts'
import { answerCustom, startCustom } from '../../sign-in/custom.ts'
import { endSession, endSessionsOf } from '../../sign-in/end-sessions.ts'
import { startChoice } from '../../sign-in/first-factors.ts'
import { startPassword } from '../../sign-in/password.ts'
import { type ChallengeName, CHALLENGES, type SignInPorts } from '../../sign-in/session.ts'
import { startSignedUp } from '../../sign-in/sign-up-session.ts'
import { authorize, refreshSession } from '../../sign-in/signed-in.ts'
import { startSrp } from '../../sign-in/srp.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'keyring' | 'tracksDevices'>

const AUTH_FLOWS = [
  'USER_SRP_AUTH',
  'REFRESH_TOKEN_AUTH',
  'REFRESH_TOKEN',
  'CUSTOM_AUTH',
  'ADMIN_NO_SRP_AUTH',
  'USER_PASSWORD_AUTH',
  'ADMIN_USER_PASSWORD_AUTH',
  'USER_AUTH',
] as const

const InitiateAuth = z.object({
  AuthFlow: field.oneOf(AUTH_FLOWS),
  ClientId: field.clientId,
  AuthParameters: field.parameters,
  Session: field.session.optional(),
  ClientMetadata: field.parameters,
})

/** Begins a sign-in or refreshes one. */
export const initiateAuth = operation(
  InitiateAuth,
  async (
    pool: SignInPorts & Pick<Pool, 'endedSessions' | 'external'>,
    { AuthFlow, AuthParameters, Session, ClientMetadata },
  ) => {
    switch (AuthFlow) {
      case 'USER_SRP_AUTH':
        return await startSrp(pool, AuthParameters)
      case 'REFRESH_TOKEN_AUTH':
      case 'REFRESH_TOKEN':
        return await refresh(pool, AuthParameters)
      case 'ADMIN_NO_SRP_AUTH':
      case 'ADMIN_USER_PASSWORD_AUTH':
        throw invalidParameter('Initiate Auth method not supported.')
      case 'USER_PASSWORD_AUTH':
        return await startPassword(pool, AuthParameters)
      case 'USER_AUTH':
        if (Session === undefined) return await startChoice(pool, AuthParameters)
        return await startSignedUp(pool, AuthParameters, Session)
      case 'CUSTOM_AUTH':
        return await startCustom(pool, AuthParameters, Object.fromEntries(ClientMetadata))
    }
  },
)

// Older clients refresh this way and keep their refresh token, so it is not rotated here.
async function refresh(pool: Ports, parameters: ReadonlyMap<string, string>): Promise<object> {
  const token = parameters.get('REFRESH_TOKEN')
  if (token === undefined) throw refusals.missing('REFRESH_TOKEN')
  const deviceKey = parameters.get('DEVICE_KEY')
  return {
    ChallengeParameters: {},
    AuthenticationResult: await refreshSession(pool, token, { rotate: false, deviceKey }),
  }
}

const RespondToAuthChallenge = z.object({
  ChallengeName: field.oneOf(CHALLENGES),
  ClientId: field.clientId,
  Session: field.session.optional(),
  ChallengeResponses: field.parameters,
  ClientMetadata: field.parameters,
})

/** Answers the current challenge of a sign-in. */
export const respondToAuthChallenge = operation(RespondToAuthChallenge, async (pool: SignInPorts, input) => {
  const answer = ANSWERS.get(input.ChallengeName)
  const { Session: session, ChallengeResponses: responses } = input
  const clientMetadata = Object.fromEntries(input.ClientMetadata)
  if (answer) return await answer(pool, { session, responses, clientMetadata })
  if (input.Session === undefined) throw refusals.missing('Session')
  throw refusals.invalidSession()
})

const GetTokensFromRefreshToken = z.object({
  ClientId: field.clientId,
  RefreshToken: field.token,
  DeviceKey: field.deviceKey.optional(),
})

/** New id and access token, and a new refresh token in place of the given one. */
export const getTokensFromRefreshToken = operation(GetTokensFromRefreshToken, async (pool: Ports, input) => ({
  AuthenticationResult: await refreshSession(pool, input.RefreshToken, { rotate: true, deviceKey: input.DeviceKey }),
}))

const RevokeToken = z.object({ ClientId: field.clientId, Token: field.token })
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u

/**
 * Ends the session of a refresh token of this client, also of a rotated-out one. An unknown token is not an error.
 */
export const revokeToken = operation(
  RevokeToken,
  async (pool: Pick<Pool, 'clock' | 'database' | 'endedSessions'>, input) => {
    if (JWT.test(input.Token)) {
      throw new CognitoError('UnsupportedTokenTypeException', 'Unsupported token type')
    }
    const token = readRefreshToken(input.Token)
    if (!token) return {}
    const key = { sub: token.sub, origin_jti: token.originJti, token_hash: token.hash }
    const session = await findSession(pool.database.read, token.sub, token.originJti)
    if (session?.client_id !== input.ClientId || !(await findRefreshToken(pool.database.read, key))) return {}
    const now = pool.clock.now().toISOString()
    await pool.database.transaction(async (trx) => await endSession(trx, token.sub, token.originJti, now))
    pool.endedSessions.add([token.originJti])
    return {}
  },
)

const GlobalSignOut = z.object({ AccessToken: field.token })

/** Ends every session of the user. */
export const globalSignOut = operation(
  GlobalSignOut,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'onSessionsEnded'>, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const now = pool.clock.now().toISOString()
    const ended = await pool.database.transaction(async (trx) => {
      await recordEvent(pool, trx, user, 'signed-out-everywhere')
      return await endSessionsOf(pool, trx, user.sub, { now })
    })
    pool.endedSessions.add(ended)
    return {}
  },
)

/** The function that judges each challenge. Other challenges are never issued, so no session is ever at one. */
const ANSWERS: ReadonlyMap<ChallengeName, Answer> = new Map<ChallengeName, Answer>([
  ['CUSTOM_CHALLENGE', answerCustom],
  ['DEVICE_PASSWORD_VERIFIER', answerDeviceVerifier],
  ['DEVICE_SRP_AUTH', answerDeviceSrp],
  ['EMAIL_OTP', answerCode('EMAIL_OTP')],
  ['MFA_SETUP', answerMfaSetup],
  ['NEW_PASSWORD_REQUIRED', answerNewPassword],
  ['PASSWORD', answerChosenPassword],
  ['PASSWORD_SRP', answerChosenSrp],
  ['PASSWORD_VERIFIER', answerPasswordVerifier],
  ['SELECT_CHALLENGE', answerChoice],
  ['SELECT_MFA_TYPE', answerMfaType],
  ['SMS_MFA', answerCode('SMS_MFA')],
  ['SMS_OTP', answerCode('SMS_OTP')],
  ['SOFTWARE_TOKEN_MFA', answerSoftwareToken],
  ['WEB_AUTHN', answerPasskey],
])
