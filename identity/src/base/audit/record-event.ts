import { mailTextsOf } from '../mails/mail-texts.ts'
import { isNoticed, noticeMail } from '../mails/notice-mail.ts'
import type { AttemptPorts, EventPorts } from '../ports.ts'
import type { Db, UserRow } from '../tables.ts'
import type { AttemptKind, EventKind } from '../events/event-kinds.ts'
import { addEvent, countInRun } from './security-event-store.ts'

type Subject = Pick<UserRow, 'sub' | 'email' | 'email_verified'>

/**
 * Records what happened to an account, in the transaction that does it, and notifies the user by mail of important
 * changes. After the commit the caller wakes the mail queue.
 */
export async function recordEvent(pool: EventPorts, trx: Db, user: Subject, kind: EventKind): Promise<void> {
  const { sub, email } = user
  const at = pool.clock.now().toISOString()
  const client = coarseClient(pool.userAgent)
  await addEvent(trx, { sub, id: pool.random.orderedId(), kind, client, at })
  if (!isNoticed(kind) || user.email_verified !== 1) return
  const texts = await mailTextsOf(pool, trx, sub)
  await pool.mail.enqueue(trx, noticeMail(texts, { kind, to: email, at, client, productName: pool.productName }))
}

/**
 * Records a failed attempt at a known or unknown name, with the same work, so that timing does not reveal accounts. All
 * attempts of a kind on one day (UTC) are one row with a count: an attacker can neither fill the log nor bury other
 * events. No mail is sent, for the same reason.
 */
export async function recordAttempt(pool: AttemptPorts, trx: Db, sub: string, kind: AttemptKind): Promise<void> {
  const at = pool.clock.now().toISOString()
  const run = `${kind} ${at.slice(0, 10)}`
  await countInRun(trx, { sub, id: pool.random.orderedId(), kind, client: coarseClient(pool.userAgent), at, run })
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//u, 'Edge'],
  [/\b(?:OPR|Opera)\//u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bWindows\b/u, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/u, 'Mac'],
  [/\bLinux\b/u, 'Linux'],
]

/**
 * The coarse name of a program: `Firefox on Windows`. Owners recognise their own, but it has no version, model or
 * address to identify a person. Empty for an unknown program.
 */
export function coarseClient(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? ''
}

function nameIn(names: readonly [RegExp, string][], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
