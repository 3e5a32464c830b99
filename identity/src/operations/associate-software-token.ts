import { z } from 'zod'

import { spendQuota } from '../limits/quota.ts'
import { beginTotp } from '../mfa/totp-secret.ts'
import { decide } from '../pool/decide.ts'
import { sealSession } from '../sign-in/session.ts'
import { readSetupSession } from '../sign-in/setup-session.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { Pool, SealPorts, VerifyPorts } from '../base/ports.ts'

const AssociateSoftwareToken = z.object({ AccessToken: field.token.optional(), Session: field.session.optional() })

/**
 * Gives the secret for an authenticator app, to who is signed in or must set up a second factor to be (identity.md
 * 2.11). One that is in force stays so until the new one is verified.
 */
export const associateSoftwareToken = operation(
  AssociateSoftwareToken,
  async (pool: VerifyPorts & SealPorts, input) => {
    if (input.AccessToken !== undefined) {
      const { user } = await authorize(pool, input.AccessToken)
      return { SecretCode: await begin(pool, user.sub) }
    }
    if (input.Session === undefined) throw refusals.missing('Session')
    const { session, user } = await readSetupSession(pool, pool.database.read, input.Session)
    return { SecretCode: await begin(pool, user.sub), Session: sealSession(pool, session) }
  },
)

async function begin(
  pool: Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random'>,
  sub: string,
): Promise<string> {
  return await decide(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'AssociateSoftwareToken', sub)
    return refusal ?? (await beginTotp(pool, trx, sub))
  })
}
