import type { Random } from '@marquee/platform/runtime/random'

const RANDOM_BYTES = 32
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u

/**
 * 256 random bits followed by the user id of the invitee. The id makes it possible to look the invitation up by user
 * when the link is opened in another account. A user id that is not a UUID is left out.
 */
export function newToken(random: Random, inviteeId: string): string {
  const id = UUID.test(inviteeId) ? inviteeId.replaceAll('-', '') : ''
  return Buffer.concat([random.bytes(RANDOM_BYTES), Buffer.from(id, 'hex')]).toString('base64url')
}

/** The user id of the invitee, if the token has one. Only the hash proves that the token is genuine. */
export function inviteeIdOf(token: string): string | undefined {
  const hex = Buffer.from(token, 'base64url').subarray(RANDOM_BYTES).toString('hex')
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/u.exec(hex)
  return parts?.slice(1).join('-')
}
