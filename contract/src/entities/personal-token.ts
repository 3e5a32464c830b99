import { z } from 'zod'

/** `read` allows GET calls, `write` all calls that need no sign-in of the user. */
export const TOKEN_SCOPES = ['read', 'write'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** A personal access token as its owner sees it. */
export const PersonalToken = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  createdAt: z.iso.datetime(),
  /** The last call, to the minute; null if there was none. */
  usedAt: z.iso.datetime().nullable(),
  /** Null if it does not expire. */
  expiresAt: z.iso.datetime().nullable(),
})
export type PersonalToken = z.infer<typeof PersonalToken>

/** Newest first. */
export const PersonalTokens = z.object({ tokens: z.array(PersonalToken) })
export type PersonalTokens = z.infer<typeof PersonalTokens>

/** The reply to its owner. No other reply has the token, and only its hash is stored. */
export const NewPersonalToken = PersonalToken.extend({ token: z.string() })
export type NewPersonalToken = z.infer<typeof NewPersonalToken>
