import type { Parameters } from './parameters.ts'
import { readScopes, type Scope } from './scopes.ts'

/** In bytes. Both go back in a `Location` header, where clients limit the length. */
const LONGEST = 2048
/** base64url of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/u
const WHOLE_NUMBER = /^\d{1,9}$/u

/** What a tool asks for when it sends somebody here. */
export type AuthorizationRequest = {
  scopes: Scope[]
  state: string | undefined
  nonce: string | undefined
  /** The code can only be exchanged by who knows what this is the SHA-256 of (RFC 7636). */
  challenge: string
  /** How long ago the person may have signed in, in seconds; undefined for any time. */
  maxAge: number | undefined
}

export type Refused = { error: string; description: string }

/**
 * Reads an authorization request whose client and redirect_uri are good already: what is wrong with the rest may be
 * told to the client (identity.md 2.14).
 */
export function readAuthorizationRequest(given: Parameters): AuthorizationRequest | Refused {
  const refuse = (error: string, description: string): Refused => ({ error, description })
  if (given.has('request')) return refuse('request_not_supported', 'request is not supported')
  if (given.has('request_uri')) return refuse('request_uri_not_supported', 'request_uri is not supported')
  const type = given.get('response_type')
  if (type === undefined) return refuse('invalid_request', 'response_type is missing')
  if (type !== 'code') return refuse('unsupported_response_type', 'response_type must be code')
  if ((given.get('response_mode') ?? 'query') !== 'query') {
    return refuse('invalid_request', 'response_mode must be query')
  }
  const challenge = given.get('code_challenge')
  if (challenge === undefined || !CHALLENGE.test(challenge) || given.get('code_challenge_method') !== 'S256') {
    return refuse('invalid_request', 'PKCE with code_challenge_method S256 is required')
  }
  const scopes = readScopes(given.get('scope'))
  if (!scopes) return refuse('invalid_scope', 'scope may hold openid, email, phone and profile')
  const [state, nonce] = [shortOf(given, 'state'), shortOf(given, 'nonce')]
  if (state !== given.get('state') || nonce !== given.get('nonce')) {
    return refuse('invalid_request', `state and nonce may have ${LONGEST} bytes`)
  }
  const prompts = new Set(given.get('prompt')?.split(' '))
  // Nobody is signed in to anything here without being asked.
  if (prompts.has('none')) return refuse('interaction_required', 'The person has to be asked')
  const age = given.get('max_age')
  if (age !== undefined && !WHOLE_NUMBER.test(age)) return refuse('invalid_request', 'max_age must be whole seconds')
  const limit = prompts.has('login') ? '0' : age
  return { scopes, state, nonce, challenge, maxAge: limit === undefined ? undefined : Number(limit) }
}

/** The `state` of a request; undefined also where it is too long to be sent back. */
export function stateOf(given: Parameters): string | undefined {
  return shortOf(given, 'state')
}

function shortOf(given: Parameters, name: string): string | undefined {
  const text = given.get(name)
  return text === undefined || Buffer.byteLength(text) > LONGEST ? undefined : text
}
