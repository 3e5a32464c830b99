import { passwordFault } from '@marquee/contract/rules/account'
import { RefusedRequest } from '@marquee/identity'
import type { Random } from '@marquee/platform/runtime/random'
import { Refusal } from '@marquee/platform/runtime/refusal'

/** Characters that are not confused when they are read aloud or copied from paper. */
const SYMBOLS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const LENGTH = 16

/** A password that meets the rules, with about 90 bits, for one sign-in. */
export function temporaryPassword(random: Random): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => SYMBOLS.charAt(random.below(SYMBOLS.length))).join('')
    if (passwordFault(password) === undefined) return password
  }
}

/** Runs work that the identity service may reject. @throws Refusal with its message */
export async function orRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof RefusedRequest) throw new Refusal(error.message)
    throw error
  }
}
