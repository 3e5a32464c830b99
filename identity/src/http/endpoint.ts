import { readTextBody } from '@marquee/platform/http/json-bodies'
import { isClientAbort } from '@marquee/platform/http/unreadable-request'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { CognitoError, refusals } from '../base/errors/refusals.ts'
import { admitCall, admitMail } from '../base/limits/address-limits.ts'
import { type Call, type Pool, withCaller } from '../base/ports.ts'
import { type Operation, serializationFault } from '../base/requests/operation.ts'
import type { SignInResult } from '../base/settings.ts'
import { getCredentialsForIdentity, getId, type IdentityOperation } from '../flows/identity-pool/operations.ts'
import {
  deleteUserAttributes,
  getUserAttributeVerificationCode,
  updateUserAttributes,
  verifyUserAttribute,
} from '../flows/operations/attributes.ts'
import { confirmDevice, forgetDevice, getDevice, listDevices, updateDeviceStatus } from '../flows/operations/devices.ts'
import {
  associateSoftwareToken,
  setUserMfaPreference,
  setUserSettings,
  verifySoftwareToken,
} from '../flows/operations/mfa.ts'
import {
  completeWebAuthnRegistration,
  deleteWebAuthnCredential,
  listWebAuthnCredentials,
  startWebAuthnRegistration,
} from '../flows/operations/passkeys.ts'
import { changePassword, confirmForgotPassword, forgotPassword } from '../flows/operations/password.ts'
import {
  getTokensFromRefreshToken,
  globalSignOut,
  initiateAuth,
  respondToAuthChallenge,
  revokeToken,
} from '../flows/operations/sign-in.ts'
import { confirmSignUp, resendConfirmationCode, signUp } from '../flows/operations/sign-up.ts'
import { adminGetUser, deleteUser, getUser, getUserAuthFactors } from '../flows/operations/users.ts'
import { sendError, sendResult, toCognitoError } from './reply.ts'
import { requireSignature, type SignedRequest } from './signature.ts'

const BODY_LIMIT = 64 * 1024

/** The endpoint of the pool: a POST whose `X-Amz-Target` names the operation. */
export function mountEndpoint(
  app: FastifyInstance,
  pool: Pick<Pool, 'limiter' | 'logger' | 'onSignIn'> & Omit<Parameters<typeof findOperation>[0], keyof Call>,
): void {
  // The body is JSON with any content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readTextBody)

  app.setErrorHandler(async (error, request, reply) => {
    if (isClientAbort(request, error)) {
      pool.logger.debug({ requestId: request.id }, 'the client closed the connection while it sent a request')
      return await sendError(request, reply, serializationFault())
    }
    const refusal = toCognitoError(error)
    const { name } = targetOf(request)
    const result = resultOfRefusal(name, readIfPossible(request.body), refusal)
    if (result) pool.onSignIn(result)
    if (refusal.status >= 500) {
      pool.logger.error({ err: error, requestId: request.id, operation: name }, 'an identity call failed')
    }
    return await sendError(request, reply, refusal)
  })

  const admit = async (request: FastifyRequest): Promise<void> => {
    await admitCall(pool.limiter, targetOf(request).name, request.ip)
  }

  app.post('/', { bodyLimit: BODY_LIMIT, onRequest: admit }, async (request, reply) => {
    const target = targetOf(request)
    const call = {
      ...withCaller(pool, request.raw),
      admitMail: async () => await admitMail(pool.limiter, request.ip),
    }
    const answer = findOperation(call, target)
    if (!answer) throw new CognitoError('UnknownOperationException', `Unknown operation: ${target.name}`)
    const body = typeof request.body === 'string' ? request.body : ''
    const { method, url, headers } = request.raw
    const asked = { method: method ?? '', url: url ?? '', headers, body }
    const read = readBody(body)
    const answered = await answer(asked, read)
    const result = resultOfAnswer(target.name, read, answered)
    if (result) pool.onSignIn(result)
    return await sendResult(request, reply, answered)
  })
}

function targetOf({ headers }: FastifyRequest): Target {
  return readTarget(headers['x-amz-target'])
}

/** The request as far as it was read: a call may be rejected before its body is read. */
function readIfPossible(body: unknown): unknown {
  try {
    return typeof body === 'string' ? readBody(body) : undefined
  } catch {
    return undefined
  }
}

function readBody(body: string): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw serializationFault()
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw serializationFault()
  return parsed
}

const LONGEST_NAME = 100
const IDENTITY_POOL = 'AWSCognitoIdentityService'

/** The operation a request names in `X-Amz-Target`. */
export type Target = { service: 'user-pool' | 'identity-pool'; name: string }

/** The operation is named after the last dot. */
function readTarget(header: string | string[] | undefined): Target {
  const target = typeof header === 'string' ? header : ''
  const name = target.split('.').at(-1)?.slice(0, LONGEST_NAME) ?? ''
  return { service: target === `${IDENTITY_POOL}.${name}` ? 'identity-pool' : 'user-pool', name }
}

/** Operations for other servers of the installation, by signed requests. */
const ADMIN_OPERATIONS: ReadonlyMap<string, typeof adminGetUser> = new Map([['AdminGetUser', adminGetUser]])

const IDENTITY_POOL_OPERATIONS: ReadonlyMap<string, IdentityOperation> = new Map([
  ['GetCredentialsForIdentity', getCredentialsForIdentity],
  ['GetId', getId],
])

/** Answers a request whose body has been parsed. */
export type Answer = (request: SignedRequest, body: unknown) => Promise<object>

/**
 * The operation of a request; undefined for an unknown one. Administrator operations and those of the identity pool
 * exist only where they are enabled.
 */
export function findOperation(
  pool: OperationPorts & Pick<Pool, 'adminKey' | 'identityPool'>,
  { service, name }: Target,
): Answer | undefined {
  const { identityPool, adminKey } = pool
  if (service === 'identity-pool') {
    const run = IDENTITY_POOL_OPERATIONS.get(name)
    return run && identityPool && (async (_request, body) => await run(pool, identityPool, body))
  }
  const administer = ADMIN_OPERATIONS.get(name)
  if (administer && adminKey) {
    return async (request, body) => {
      requireSignature(request, adminKey, pool.clock)
      return await administer(pool, body)
    }
  }
  const run = OPERATIONS.get(name)
  return run && (async (_request, body) => await run(pool, body))
}

const CALLS = new Set(['InitiateAuth', 'RespondToAuthChallenge'])
const LIMITS: ReadonlySet<string> = new Set(['LimitExceededException', 'TooManyRequestsException'])
const LOCKED_OUT = refusals.lockedOut().message

/** Whether a call is part of a sign-in; a refresh is not. `body` is undefined if it was not read. */
function isPart(operation: string, body: unknown): boolean {
  if (!CALLS.has(operation)) return false
  const flow = typeof body === 'object' && body !== null && 'AuthFlow' in body ? body.AuthFlow : undefined
  return !(typeof flow === 'string' && flow.startsWith('REFRESH_TOKEN'))
}

/** The sign-in result of a reply, if it has one. */
function resultOfAnswer(operation: string, body: unknown, answer: object): SignInResult | undefined {
  return isPart(operation, body) && 'AuthenticationResult' in answer ? 'signed-in' : undefined
}

/** The sign-in result of a refusal, if it has one. */
function resultOfRefusal(operation: string, body: unknown, refusal: CognitoError): SignInResult | undefined {
  if (!isPart(operation, body)) return undefined
  if (refusal.status >= 500) return 'failed'
  if (LIMITS.has(refusal.type)) return 'limited'
  return refusal.message === LOCKED_OUT ? 'locked-out' : 'refused'
}

/** Every operation by the name clients put after the last dot of `X-Amz-Target`. */
const BY_NAME = {
  AssociateSoftwareToken: associateSoftwareToken,
  ChangePassword: changePassword,
  CompleteWebAuthnRegistration: completeWebAuthnRegistration,
  ConfirmDevice: confirmDevice,
  ConfirmForgotPassword: confirmForgotPassword,
  ConfirmSignUp: confirmSignUp,
  DeleteUser: deleteUser,
  DeleteUserAttributes: deleteUserAttributes,
  DeleteWebAuthnCredential: deleteWebAuthnCredential,
  ForgetDevice: forgetDevice,
  ForgotPassword: forgotPassword,
  GetDevice: getDevice,
  GetTokensFromRefreshToken: getTokensFromRefreshToken,
  GetUser: getUser,
  GetUserAttributeVerificationCode: getUserAttributeVerificationCode,
  GetUserAuthFactors: getUserAuthFactors,
  GlobalSignOut: globalSignOut,
  InitiateAuth: initiateAuth,
  ListDevices: listDevices,
  ListWebAuthnCredentials: listWebAuthnCredentials,
  ResendConfirmationCode: resendConfirmationCode,
  RespondToAuthChallenge: respondToAuthChallenge,
  RevokeToken: revokeToken,
  SetUserMFAPreference: setUserMfaPreference,
  SetUserSettings: setUserSettings,
  SignUp: signUp,
  StartWebAuthnRegistration: startWebAuthnRegistration,
  UpdateDeviceStatus: updateDeviceStatus,
  UpdateUserAttributes: updateUserAttributes,
  VerifySoftwareToken: verifySoftwareToken,
  VerifyUserAttribute: verifyUserAttribute,
}

/** The ports of all operations together. */
type OperationPorts = typeof BY_NAME extends Record<string, Operation<infer Ports>> ? Ports : never

export const OPERATION_NAMES = Object.keys(BY_NAME)
const OPERATIONS: ReadonlyMap<string, Operation<OperationPorts>> = new Map(Object.entries(BY_NAME))
