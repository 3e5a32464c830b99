import type { Pool } from '../pool/pool.ts'
import { readPublicValue, startHandshake } from '../srp/handshake.ts'
import { saltHex } from '../srp/verifier.ts'
import { resolveAccount } from '../users/account.ts'
import { fakePassword } from '../users/fake-user.ts'
import { fingerprintOf, openVerifier } from '../users/password-verifier.ts'
import * as field from '../wire/fields.ts'
import { readRequest } from '../wire/read-request.ts'
import { invalidParameter, refusals } from '../wire/refusals.ts'
import { z } from 'zod'

import { makeSecretBlock } from './secret-block.ts'

const LoginName = z.object({ Username: field.username })

/**
 * The first step of a password sign-in (identity.md 3.3). An unknown name gets a challenge too, the same salt and id
 * every time, which no password answers; whether the user may sign in is told only after the password is proven.
 */
export async function startSrp(pool: Pool, parameters: ReadonlyMap<string, string>): Promise<object> {
  const typed = parameters.get('USERNAME')
  if (typed === undefined) throw refusals.missing('USERNAME')
  const publicValue = parameters.get('SRP_A')
  if (publicValue === undefined) throw refusals.missing('SRP_A')
  const A = readPublicValue(publicValue)
  if (A === undefined) throw invalidParameter('SRP_A is not a valid public value.')
  const { Username } = readRequest(LoginName, { Username: typed })

  const { sub, user } = await resolveAccount(pool, Username)
  const { salt, verifier } = user ? { salt: user.salt, verifier: openVerifier(pool, user) } : fakePassword(pool, sub)
  const { B, handshake } = startHandshake(A, verifier, pool.random)
  return {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: {
      SALT: saltHex(salt),
      SECRET_BLOCK: makeSecretBlock(pool, { sub, fingerprint: fingerprintOf(salt), handshake }),
      SRP_B: B,
      USERNAME: sub,
      USER_ID_FOR_SRP: sub,
    },
  }
}
