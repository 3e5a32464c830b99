import type { Random } from '@marquee/platform/runtime/random'

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LOWER_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Ids in the form Amazon's have, since clients check it: `us-east-1_` plus 9 characters, and a 26-character client. */
export function newPoolIds(random: Random): { userPoolId: string; clientId: string } {
  return {
    userPoolId: `us-east-1_${characters(random, LETTERS_AND_DIGITS, 9)}`,
    clientId: characters(random, LOWER_AND_DIGITS, 26),
  }
}

/** The part of the pool id after the underscore: SRP's pool name (identity.md 3.2). */
export function poolNameOf(userPoolId: string): string {
  return userPoolId.slice(userPoolId.indexOf('_') + 1)
}

function characters(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('')
}
