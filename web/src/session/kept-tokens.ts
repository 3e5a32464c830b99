import type { SessionUser } from '#web/account/account.ts'

const PREFIX = 'CognitoIdentityServiceProvider'
const SIGN_IN_KEYS = /^CognitoIdentityServiceProvider\..+\.(?:LastAuthUser|refreshToken|clockDrift)$/u
const TOKEN_KEYS = ['accessToken', 'idToken', 'refreshToken', 'clockDrift', 'signInDetails'] as const
/** Amplify renews tokens that are this close to their end. */
const TOLERANCE_MS = 5_000

export type KeptSession = { user: SessionUser; idToken: string }

/** Whether a key of local storage changes when another tab signs in or out. */
export function isSignInKey(key: string): boolean {
  return SIGN_IN_KEYS.test(key)
}

/**
 * The tokens that Amplify keeps in local storage for a client of the user pool. Reading them is all that most visits
 * need, and takes no Amplify.
 */
export function keptTokens(clientId: string) {
  const lastUserKey = `${PREFIX}.${clientId}.LastAuthUser`
  const keyOf = (name: string, user: string) => `${PREFIX}.${clientId}.${user}.${name}`

  return {
    /** The local-storage key that is set while there are tokens. */
    key: lastUserKey,

    /** Whether there are any, valid or not. */
    exist: () => localStorage.getItem(lastUserKey) !== null,

    /** The session, if no token has to be renewed, or with tokens of any age. */
    read: (now: Date | 'any-age'): KeptSession | undefined => {
      const lastUser = localStorage.getItem(lastUserKey)
      if (lastUser === null) return undefined
      const valueOf = (name: (typeof TOKEN_KEYS)[number]) => localStorage.getItem(keyOf(name, lastUser)) ?? ''
      const idToken = valueOf('idToken')
      const claims = claimsOf(idToken)
      const ends = Math.min(Number(claims['exp']), Number(claimsOf(valueOf('accessToken'))['exp'])) * 1000
      // A token without an end is not valid.
      const isValid = now === 'any-age' || now.getTime() + Number(valueOf('clockDrift')) + TOLERANCE_MS <= ends
      if (!isValid) return undefined
      const { sub, 'cognito:username': username } = claims
      if (typeof sub !== 'string' || typeof username !== 'string') return undefined
      const { loginId } = parse(valueOf('signInDetails'))
      return { user: { userId: sub, username, loginId: typeof loginId === 'string' ? loginId : username }, idToken }
    },

    /** Removes them, as Amplify does when it signs out. */
    forget: () => {
      const lastUser = localStorage.getItem(lastUserKey)
      if (lastUser === null) return
      for (const name of TOKEN_KEYS) localStorage.removeItem(keyOf(name, lastUser))
      localStorage.removeItem(lastUserKey)
    },
  }
}

/** The claims of a token, none if it is not one. The server verifies its signature. */
export function claimsOf(token = ''): Record<string, unknown> {
  const [, payload = ''] = token.split('.')
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    return parse(new TextDecoder().decode(bytes))
  } catch {
    return {}
  }
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
