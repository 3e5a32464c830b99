import { readPublicValue, startHandshake } from '../srp/handshake.ts'
import { saltHex } from '../srp/verifier.ts'
import type { Account } from '../users/account.ts'
import { fingerprintOf, passwordSecretOf } from '../users/password-verifier.ts'
import { invalidParameter, refusals } from '../wire/refusals.ts'
import { makeSecretBlock } from './secret-block.ts'
import type { SignInFlow } from './session.ts'
import type { SealPorts } from '../base/ports.ts'

/** The client's public value. @throws InvalidParameterException when there is none, or none that is safe. */
export function requiredPublicValue(parameters: ReadonlyMap<string, string>): bigint {
  const text = parameters.get('SRP_A')
  if (text === undefined) throw refusals.missing('SRP_A')
  const A = readPublicValue(text)
  if (A === undefined) throw invalidParameter('SRP_A is not a valid public value.')
  return A
}

/**
 * What PASSWORD_VERIFIER asks (identity.md 3.3). An unknown name is asked too, with the same salt and id every time,
 * which no password answers.
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
