import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

import { invalidParameter, refusals } from '../base/errors/refusals.ts'
import type { Pool, SealPorts } from '../base/ports.ts'
import * as field from '../base/requests/fields.ts'
import { readRequest } from '../base/requests/operation.ts'
import { requireUnexpired, sealedToken } from '../base/sealed/sealed-token.ts'
import {
  claimSignature,
  type Handshake,
  type PasswordOwner,
  readPublicValue,
  saltHex,
  sessionKey,
  startHandshake,
} from '../base/srp/srp.ts'
import { type Account, resolveAccount } from '../parts/users/account.ts'
import { fingerprintOf, passwordSecretOf } from '../parts/users/password.ts'
import { FLOWS, SIGN_IN_SECONDS, type SignInFlow } from './session.ts'

const LoginName = z.object({ Username: field.username })

/** The first step of a password sign-in. It does not reveal whether the user exists or may sign in. */
export async function startSrp(
  pool: SealPorts & Pick<Pool, 'database'>,
  parameters: ReadonlyMap<string, string>,
): Promise<object> {
  const typed = requiredLoginName(parameters)
  const A = requiredPublicValue(parameters)
  const account = await namedAccount(pool, typed)
  const ChallengeParameters = passwordVerifierParameters(pool, account, { A, flow: 'USER_SRP_AUTH' })
  return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters }
}

/** @throws InvalidParameterException without one. */
export function requiredLoginName(parameters: ReadonlyMap<string, string>): string {
  const typed = parameters.get('USERNAME')
  if (typed === undefined) throw refusals.missing('USERNAME')
  return typed
}

/** The account of a login name. @throws InvalidParameterException for an impossible name. */
export async function namedAccount(pool: Pick<Pool, 'database' | 'id' | 'keyring'>, typed: string): Promise<Account> {
  return await resolveAccount(pool, readRequest(LoginName, { Username: typed }).Username)
}

/** The client's public value. @throws InvalidParameterException when it is missing or unsafe. */
export function requiredPublicValue(parameters: ReadonlyMap<string, string>): bigint {
  const text = parameters.get('SRP_A')
  if (text === undefined) throw refusals.missing('SRP_A')
  const A = readPublicValue(text)
  if (A === undefined) throw invalidParameter('SRP_A is not a valid public value.')
  return A
}

/**
 * The parameters of PASSWORD_VERIFIER. An unknown name gets them too, always with the same salt and id; no password
 * answers them.
 */
export function passwordVerifierParameters(
  pool: SealPorts,
  { sub, user }: Pick<Account, 'sub' | 'user'>,
  { A, flow }: { A: bigint; flow: SignInFlow },
): Record<string, string> {
  const { salt, verifier } = passwordSecretOf(pool, sub, user)
  const { B, handshake } = startHandshake(A, verifier, pool.random)
  return {
    SALT: saltHex(salt),
    SECRET_BLOCK: makeSecretBlock(pool, 'secret-block', { sub, fingerprint: fingerprintOf(salt), flow, handshake }),
    SRP_B: B,
    USERNAME: sub,
    USER_ID_FOR_SRP: sub,
  }
}

const TIMESTAMP =
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2} \d\d:\d\d:\d\d \w{3,5} \d{4}$/u

/** The proof of a password, or of the secret of a device. */
export type Claim = { username: string; secretBlock: Buffer; signature: Buffer; timestamp: string }

/** @throws InvalidParameterException naming what is missing. */
export function readClaim(responses: ReadonlyMap<string, string>): Claim {
  const required = (name: string) => {
    const value = responses.get(name)
    if (value === undefined) throw refusals.missing(name)
    return value
  }
  const timestamp = required('TIMESTAMP')
  // Only the format matters: it is part of the signed text, and browsers with a wrong clock must get in.
  if (!TIMESTAMP.test(timestamp)) {
    throw invalidParameter('TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.')
  }
  return {
    username: required('USERNAME'),
    secretBlock: Buffer.from(required('PASSWORD_CLAIM_SECRET_BLOCK'), 'base64'),
    signature: Buffer.from(required('PASSWORD_CLAIM_SIGNATURE'), 'base64'),
    timestamp,
  }
}

/** Whether the claim is signed with the secret of the verifier, and the handshake started with the same verifier. */
export async function isProof(
  claim: Claim,
  state: SecretBlock,
  { owner, salt, verifier }: { owner: PasswordOwner; salt: Uint8Array; verifier: Uint8Array },
): Promise<boolean> {
  const key = await sessionKey(state, verifier)
  if (!key) return false
  const expected = claimSignature(key, owner, claim)
  const isSigned = claim.signature.length === expected.length && timingSafeEqual(claim.signature, expected)
  return isSigned && state.fingerprint === fingerprintOf(salt)
}

const bytes = z.codec(z.base64(), z.instanceof(Buffer), {
  decode: (text) => Buffer.from(text, 'base64'),
  encode: (buffer) => buffer.toString('base64'),
})

const Content = z.object({
  sub: z.string(),
  /** Binds the handshake to the password at its start. */
  fingerprint: z.string(),
  /** The flow that continues when the proof is right. */
  flow: z.enum(FLOWS),
  A: bytes,
  b: bytes,
  u: bytes,
})

/** A block of a password is not accepted for a device, nor the other way round. */
const BLOCKS = {
  'device-block': sealedToken({
    kind: 'device-block',
    schema: Content,
    lifetime: SIGN_IN_SECONDS,
    encoding: 'base64',
  }),
  'secret-block': sealedToken({
    kind: 'secret-block',
    schema: Content,
    lifetime: SIGN_IN_SECONDS,
    encoding: 'base64',
  }),
} as const
type BlockKind = keyof typeof BLOCKS

export type SecretBlock = NonNullable<ReturnType<(typeof BLOCKS)[BlockKind]['open']>>

/**
 * The state of an SRP sign-in between its two steps, sealed, as the client carries it. All fields have the same length
 * for known and unknown users.
 */
export function makeSecretBlock(
  pool: SealPorts,
  kind: BlockKind,
  { handshake, ...content }: { sub: string; fingerprint: string; flow: SignInFlow; handshake: Handshake },
): string {
  return BLOCKS[kind].seal(pool, { ...content, ...handshake })
}

/** Opens a block. @throws NotAuthorizedException when it was altered, is another client's, or is too old. */
export function readSecretBlock(
  pool: Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring'>,
  kind: BlockKind,
  sealed: Uint8Array,
): SecretBlock {
  const block = BLOCKS[kind].openAtAnyAge(pool, sealed)
  if (!block) throw refusals.invalidSession()
  requireUnexpired(pool, block)
  return block
}

/** Clients send the id they got or the name the user typed. Only the sealed state is trusted. */
export async function isSameUser(
  pool: Pick<Pool, 'database' | 'id' | 'keyring'>,
  named: string,
  sub: string,
): Promise<boolean> {
  return named === sub || (await resolveAccount(pool, named)).sub === sub
}
