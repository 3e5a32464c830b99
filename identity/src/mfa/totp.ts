import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks of phones may be a step behind or ahead. */
const DRIFT_STEPS = [-1, 0, 1] as const

/** The number of the 30-second step a moment lies in. */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1000 / STEP_SECONDS)
}

/** The 6-digit code of one step (RFC 6238 with SHA-1). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** Which step near the given one a code belongs to, the latest if several; every one is compared, in constant time. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const given = Buffer.from(code, 'utf8')
  const matches = DRIFT_STEPS.map((drift) => now + drift).filter((step) => {
    const expected = Buffer.from(totpCode(secret, step), 'utf8')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return matches.at(-1)
}
