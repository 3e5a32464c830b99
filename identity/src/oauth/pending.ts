import { z } from 'zod'

import { sealedToken } from '../sealed/sealed-token.ts'
import { SCOPES } from './scopes.ts'

/** Long enough for signing up, waiting for the mail, and signing in. */
const LIFETIME_SECONDS = 30 * 60

const Content = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  state: z.string().optional(),
  nonce: z.string().optional(),
  challenge: z.string(),
  /** The person must have signed in at this time (seconds since 1970) or later. */
  signedInSince: z.number(),
})

/**
 * An authorization that waits for the user's answer. The browser carries it through the screens, so the server keeps
 * nothing for users who never answer.
 */
export const pendingAuthorization = sealedToken({ kind: 'authorization', schema: Content, lifetime: LIFETIME_SECONDS })
export type Pending = NonNullable<ReturnType<typeof pendingAuthorization.open>>
