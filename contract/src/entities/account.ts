import { z } from 'zod'

/** How many of the codes that stand in for an authenticator app can still be used. */
export const RecoveryCodeCount = z.object({ left: z.number().int().min(0) })

/** New recovery codes, shown this once; the ones before them are void. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })

/** What a passkey may be called: as long as fits a line. */
export const MAX_PASSKEY_NAME_LENGTH = 60

/** A passkey of one's own, by the id that browsers know it by. */
export const Passkey = z.object({
  passkeyId: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** When it signed in last; null until it has. */
  usedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const Passkeys = z.object({ passkeys: z.array(Passkey) })
