import { fakeHas, fakePassword } from '../base/decoys.ts'

import { CognitoError, commitOrRefuse, refusals } from '../base/errors/refusals.ts'
import type { CodePorts, Pool, SealPorts } from '../base/ports.ts'
import type { Db, PasskeyRow, UserRow } from '../base/tables.ts'
import { codeParameters, sendSignInCode, simulatedDelivery, simulatedPhone } from '../parts/codes/code-delivery.ts'
import { fakePasskey, requestOptions } from '../parts/passkeys/assertion.ts'
import { listPasskeys } from '../parts/passkeys/passkey-store.ts'
import { usableRelyingParty } from '../parts/passkeys/webauthn.ts'
import type { Account } from '../parts/users/account.ts'
import { lockUser } from '../parts/users/user-store.ts'
import { present } from './advance.ts'
import { knownDevice } from './device-step.ts'
import { answerPassword, readPassword } from './password.ts'
import { challenge, type NextChallenge, type Progress, type SignInPorts, type SignInStep } from './session.ts'
import { namedAccount, passwordVerifierParameters, requiredLoginName, requiredPublicValue } from './srp.ts'

/**
 * USER_AUTH: the user, or the app, chooses how to sign in. An available preferred factor is asked for at once,
 * otherwise the choice is offered. Unknown names get the same kind of reply.
 */
export async function startChoice(pool: SignInPorts, parameters: ReadonlyMap<string, string>): Promise<object> {
  const preferred = parameters.get('PREFERRED_CHALLENGE')
  if (isSentByCode(preferred)) await pool.admitMail()
  const candidate = await namedAccount(pool, requiredLoginName(parameters))
  const deviceKey = await knownDevice(pool, candidate.sub, parameters)
  const step = await commitOrRefuse(pool, async (trx): Promise<SignInStep> => {
    const available = await availableFactors(pool, trx, candidate)
    const factor = available.find((name) => name === preferred)
    if (factor === undefined) {
      const progress: Progress = { flow: 'USER_AUTH', proven: [], deviceKey }
      const data = { [TYPED_NAME]: candidate.nameKey }
      const offer = challenge(pool, subjectOf(pool, candidate), progress, { name: 'SELECT_CHALLENGE', data })
      return { ...offer, ChallengeParameters: {}, AvailableChallenges: available }
    }
    const asked = await askFirstFactor(pool, trx, { candidate, factor, given: parameters, deviceKey })
    if (asked instanceof CognitoError || asked.kind === 'signed-in') return asked
    return asked.ChallengeName === factor ? { ...asked, AvailableChallenges: [factor] } : asked
  })
  return await present(pool, step)
}

/** The first factors, in the order in which they are offered. */
const FIRST_FACTORS = ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const
export type FirstFactor = (typeof FIRST_FACTORS)[number]

/** Whether a code is sent for the wanted factor. It counts before the account is looked up, so it does not reveal one. */
export function isSentByCode(wanted: string | undefined): boolean {
  return wanted === 'EMAIL_OTP' || wanted === 'SMS_OTP'
}

/** The account that signs in, which may be unknown. */
export type Candidate = Pick<Account, 'sub' | 'user' | 'nameKey'>

/** One in this many unknown names appears to have a passkey, or a phone. */
const FAKE_SHARE = { WEB_AUTHN: 4, SMS_OTP: 16 }

/**
 * The first factors this name may choose. An unknown name gets a plausible choice that is always the same; a code by
 * mail is offered to all, whether it would be sent or not.
 */
export async function availableFactors(
  pool: Pick<Pool, 'id' | 'keyring' | 'passkeys' | 'relyingParty'>,
  db: Db,
  candidate: Candidate,
): Promise<FirstFactor[]> {
  const passkeys = await passkeysOf(pool, db, candidate)
  const hasPhone = candidate.user
    ? candidate.user.phone_number !== null
    : fakeHas(pool, 'phone', candidate.sub, FAKE_SHARE.SMS_OTP)
  return FIRST_FACTORS.filter((factor) => {
    if (factor === 'WEB_AUTHN') return passkeys.length > 0
    return factor !== 'SMS_OTP' || hasPhone
  })
}

/** The passkeys to ask for: the real ones, or the decoy of an unknown name. None where passkeys are unavailable. */
async function passkeysOf(
  pool: Pick<Pool, 'id' | 'keyring' | 'passkeys' | 'relyingParty'>,
  db: Db,
  { sub, user }: Candidate,
): Promise<PasskeyRow[]> {
  const known = await listPasskeys(db, sub)
  if (!usableRelyingParty(pool)) return []
  if (user) return known
  return fakeHas(pool, 'passkey', sub, FAKE_SHARE.WEB_AUTHN) ? [fakePasskey(pool, sub)] : []
}

/** The destination of a first-factor code; undefined when the user cannot sign in with it. */
function reachable(user: UserRow | undefined): Pick<UserRow, 'email' | 'phone_number'> | undefined {
  const mayGet = user?.status === 'CONFIRMED' && user.enabled === 1 && user.email_verified === 1
  return mayGet ? user : undefined
}

/** The subject of a challenge. */
export function subjectOf(pool: Pick<Pool, 'id' | 'keyring'>, { sub, user }: Candidate): Pick<UserRow, 'sub' | 'salt'> {
  return user ?? { sub, salt: fakePassword(pool, sub).salt }
}

const CHALLENGE_BYTES = 32

/** In the data of a session at WEB_AUTHN: the challenge for the passkey, base64url. */
export const PASSKEY_CHALLENGE = 'challenge'

/** In the data of a session with a choice: the name that was typed, in the form in which names are compared. */
export const TYPED_NAME = 'name'

type Asked = {
  candidate: Candidate
  factor: FirstFactor
  /** Parameters sent with the choice: PASSWORD or SRP_A save a round trip. */
  given: ReadonlyMap<string, string>
  deviceKey: string | undefined
}

/** Asks for the chosen first factor, or accepts it at once if it was sent. */
export async function askFirstFactor(pool: SignInPorts, trx: Db, asked: Asked): Promise<SignInStep> {
  const { candidate, factor, given, deviceKey } = asked
  const progress: Progress = { flow: 'USER_AUTH', proven: [], deviceKey }
  const subject = subjectOf(pool, candidate)
  switch (factor) {
    case 'PASSWORD': {
      const password = given.get('PASSWORD')
      if (password === undefined) return challenge(pool, subject, progress, { name: 'PASSWORD' })
      return await answerPassword(pool, trx, candidate, { password: readPassword(password), progress })
    }
    case 'PASSWORD_SRP': {
      if (!given.has('SRP_A')) return challenge(pool, subject, progress, { name: 'PASSWORD_SRP' })
      const A = requiredPublicValue(given)
      const parameters = passwordVerifierParameters(pool, candidate, { A, flow: progress.flow })
      return challenge(pool, subject, progress, { name: 'PASSWORD_VERIFIER', parameters })
    }
    case 'EMAIL_OTP':
    case 'SMS_OTP':
      return await askCode(pool, trx, { candidate, factor, progress })
    case 'WEB_AUTHN':
      return await askPasskey(pool, trx, candidate, progress)
  }
}

/** Sends a code, or pretends to: the reply does not reveal which. */
async function askCode(
  pool: CodePorts & Pick<Pool, 'clientId' | 'id'>,
  trx: Db,
  { candidate, factor, progress }: { candidate: Candidate; factor: 'EMAIL_OTP' | 'SMS_OTP'; progress: Progress },
): Promise<CognitoError | NextChallenge> {
  const { sub } = candidate
  const user = reachable(await lockUser(trx, sub))
  const medium = factor === 'EMAIL_OTP' ? 'EMAIL' : 'SMS'
  const to = (medium === 'EMAIL' ? user?.email : user?.phone_number) ?? undefined
  const refusal = await sendSignInCode(pool, trx, { sub, medium, to, isFirst: true })
  if (refusal) return refusal
  const simulated = medium === 'EMAIL' ? simulatedDelivery(pool, candidate) : simulatedPhone(pool, candidate)
  const parameters =
    to === undefined
      ? { CODE_DELIVERY_DELIVERY_MEDIUM: medium, CODE_DELIVERY_DESTINATION: simulated.Destination }
      : codeParameters(medium, to)
  return challenge(pool, subjectOf(pool, candidate), progress, { name: factor, parameters })
}

async function askPasskey(
  pool: SealPorts & Pick<Pool, 'passkeys' | 'relyingParty'>,
  trx: Db,
  candidate: Candidate,
  progress: Progress,
): Promise<CognitoError | NextChallenge> {
  const party = usableRelyingParty(pool)
  if (!party) return refusals.invalidSession()
  const toSign = pool.random.bytes(CHALLENGE_BYTES).toString('base64url')
  const passkeys = await passkeysOf(pool, trx, candidate)
  return challenge(pool, subjectOf(pool, candidate), progress, {
    name: 'WEB_AUTHN',
    parameters: { CREDENTIAL_REQUEST_OPTIONS: await requestOptions(party, passkeys, toSign) },
    data: { [PASSKEY_CHALLENGE]: toSign, [TYPED_NAME]: candidate.nameKey },
  })
}
