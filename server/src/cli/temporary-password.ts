import { passwordFault } from '@marquee/contract/rules/account'
import { RefusedRequest } from '@marquee/identity'
import type { Random } from '@marquee/platform/runtime/random'

import { Refused } from './with-instance.ts'

/** What is not mistaken for something else when it is read out or copied from paper. */
const SYMBOLS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const LENGTH = 16

/** A password that meets the rules, of about 90 bits, for one sign-in. */
export function temporaryPassword(random: Random): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => SYMBOLS.charAt(random.below(SYMBOLS.length))).join('')
    if (passwordFault(password) === undefined) return password
  }
}

/** Does what the identity service may refuse. @throws Refused with its words */
export async function orRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof RefusedRequest) throw new Refused(error.message)
    throw error
  }
}
