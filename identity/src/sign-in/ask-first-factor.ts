import { codeParameters, sendSignInCode } from '../mfa/sign-in-code.ts'
import { usableRelyingParty } from '../passkeys/relying-party.ts'
import { requestOptions } from '../passkeys/request-options.ts'
import type { Db } from '../tables.ts'
import { simulatedDelivery, simulatedPhone } from '../users/code-delivery.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'
import { answerPassword, readPassword } from './answer-password.ts'
import { type Candidate, type FirstFactor, passkeysOf, reachable, subjectOf } from './first-factors.ts'
import type { Progress } from './session.ts'
import { passwordVerifierParameters, requiredPublicValue } from './srp-challenge.ts'
import { challenge, type NextChallenge, type SignInStep } from './step.ts'
import type { SignInPorts } from './step.ts'
import type { CodePorts, Pool, SealPorts } from '../base/ports.ts'

const CHALLENGE_BYTES = 32

/** In the data of a session at WEB_AUTHN: what the passkey is to sign, base64url. */
export const PASSKEY_CHALLENGE = 'challenge'

/** In the data of a session with a choice: the name that was typed, in the form in which names are compared. */
export const TYPED_NAME = 'name'

type Asked = {
  candidate: Candidate
  factor: FirstFactor
  /** What came along with the choice: PASSWORD or SRP_A spare a round. */
  given: ReadonlyMap<string, string>
  deviceKey: string | undefined
}

/** Asks for the first factor that was chosen, or takes it at once if it came along (identity.md 2.8). */
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

/** Sends a code, or seems to: what is said of it does not tell which. */
async function askCode(
  pool: CodePorts & Pick<Pool, 'clientId' | 'id'>,
  trx: Db,
  { candidate, factor, progress }: { candidate: Candidate; factor: 'EMAIL_OTP' | 'SMS_OTP'; progress: Progress },
): Promise<CognitoError | NextChallenge> {
  const { sub, user } = candidate
  const medium = factor === 'EMAIL_OTP' ? 'EMAIL' : 'SMS'
  const to = (medium === 'EMAIL' ? reachable(user)?.email : reachable(user)?.phone_number) ?? undefined
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
