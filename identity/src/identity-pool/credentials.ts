import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

const LIFETIME_SECONDS = 3600
const KEY_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export type Credentials = {
  AccessKeyId: string
  SecretKey: string
  SessionToken: string
  /** In seconds since 1970. */
  Expiration: number
}

/**
 * Random credentials in the form Amazon's have. Nothing accepts them and nothing is kept of them: a self-hosted
 * installation has no AWS account to spend, but clients want some before they call a session whole.
 */
export function makeCredentials({ clock, random }: { clock: Clock; random: Random }): Credentials {
  const letters = Array.from({ length: 16 }, () => KEY_LETTERS.charAt(random.below(KEY_LETTERS.length))).join('')
  return {
    AccessKeyId: `ASIA${letters}`,
    SecretKey: random.bytes(30).toString('base64'),
    SessionToken: random.bytes(120).toString('base64'),
    Expiration: Math.floor(clock.now().getTime() / 1000) + LIFETIME_SECONDS,
  }
}
