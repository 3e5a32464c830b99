import { z } from 'zod'

/** How many of the codes that stand in for an authenticator app can still be used. */
export const RecoveryCodeCount = z.object({ left: z.number().int().min(0) })

/** New recovery codes, shown this once; the ones before them are void. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })
