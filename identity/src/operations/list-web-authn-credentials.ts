import { z } from 'zod'

import { listPasskeys } from '../passkeys/passkey-store.ts'
import { presentPasskey } from '../passkeys/present-passkey.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { readPageToken, toPageToken } from '../wire/page-token.ts'
import type { VerifyPorts } from '../base/ports.ts'

const PAGE = 20

const ListWebAuthnCredentials = z.object({
  AccessToken: field.token,
  MaxResults: field.limit(PAGE).optional(),
  NextToken: field.pageToken.optional(),
})

/** The signed-in user's passkeys, at most 20 at a time (identity.md 2.11). */
export const listWebAuthnCredentials = operation(ListWebAuthnCredentials, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const limit = input.MaxResults === undefined || input.MaxResults === 0 ? PAGE : input.MaxResults
  const after = readPageToken(input.NextToken)
  const rows = (await listPasskeys(pool.database.read, user.sub)).filter((row) => row.credential_id > after)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    Credentials: rows.slice(0, limit).map(presentPasskey),
    ...(last && { NextToken: toPageToken(last.credential_id) }),
  }
})
