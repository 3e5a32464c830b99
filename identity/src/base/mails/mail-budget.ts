import type { RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { Clock } from '@marquee/platform/runtime/clock'
import { DAY_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import type { CodePurpose } from './code-mail.ts'

/**
 * The number of codes of one purpose per hour for all users together, so that an attacker with many addresses cannot use
 * the pool to send mass mail. Purposes are counted separately: a flood of sign-ups does not stop password resets. So are
 * the codes of new accounts, which a stranger can create. A code that a user is owed is sent even when nothing is left.
 */
export const MAIL_BUDGET: RateLimit = {
  max: 1_000,
  windowSeconds: 3600,
  sharedBecause: 'A sender with many addresses could use the installation for mass mail',
}

/** What is counted together. */
export type MailBudgetName = CodePurpose | `${'email' | 'phone'} of new accounts`
const NEW_ACCOUNT_MS = 7 * DAY_MS
const WARN_AT = MAIL_BUDGET.max * 0.8
const NAME = 'identity mail budget'

/** Codes that follow a right password are limited for each user alone. */
const UNLIMITED: ReadonlySet<MailBudgetName> = new Set(['sign-in-email', 'sign-in-phone'])

export type MailBudget = {
  isSpent: (purpose: MailBudgetName) => boolean
  /** Counts a code, sent or pretended. Callers do not wait for it. */
  spend: (purpose: MailBudgetName, isSent: boolean) => void
}

/**
 * A refusal depends on the purpose alone, so it is the same for known and unknown names. The budget closes at a secret
 * number between 90 and 100 percent: an attacker who fills it up cannot tell whether the next name is a known one.
 */
export function createMailBudget(ports: {
  limiter: RateLimiter
  clock: Clock
  random: Random
  logger: Logger
  onNearlySpent?: ((purpose: MailBudgetName) => void) | undefined
}): MailBudget {
  const { limiter, clock, random, logger, onNearlySpent } = ports
  const newLimit = () => MAIL_BUDGET.max - random.below(MAIL_BUDGET.max / 10)
  const closedUntil = new Map<MailBudgetName, number>()
  let closesAt = newLimit()

  async function count(purpose: MailBudgetName, isSent: boolean): Promise<void> {
    // For an unknown name the same work is done on a counter that nothing reads.
    const { used, msLeft } = await limiter.spend(NAME, isSent ? purpose : `${purpose} not sent`, MAIL_BUDGET)
    if (!isSent) return
    if (used === WARN_AT) {
      logger.warn({ purpose, used, ofEveryHour: MAIL_BUDGET.max }, 'the mail budget of this hour is nearly spent')
      onNearlySpent?.(purpose)
    }
    if (used < closesAt) return
    closedUntil.set(purpose, clock.now().getTime() + msLeft)
    closesAt = newLimit()
  }

  return {
    isSpent: (purpose) => (closedUntil.get(purpose) ?? 0) > clock.now().getTime(),
    spend: (purpose, isSent) => {
      if (UNLIMITED.has(purpose)) return
      count(purpose, isSent).catch((error: unknown) => {
        logger.error({ err: error }, 'a mail could not be counted')
      })
    },
  }
}

/** The budget of a code that a signed-in user asked for. Strangers cannot spend that of older accounts. */
export function budgetOf(
  { clock }: { clock: Clock },
  purpose: 'email' | 'phone',
  { created_at: createdAt }: { created_at: string },
): MailBudgetName {
  const isNew = Date.parse(createdAt) > clock.now().getTime() - NEW_ACCOUNT_MS
  return isNew ? `${purpose} of new accounts` : purpose
}
