import { passwordFault } from '@marquee/contract/rules/account'
import { RefusedRequest } from '@marquee/identity'
import type { Random } from '@marquee/platform/runtime/random'

import { Refused } from './with-instance.ts'

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

/** Runs work that the identity service may reject. @throws Refused with its message */
export async function orRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof RefusedRequest) throw new Refused(error.message)
    throw error
  }
}
