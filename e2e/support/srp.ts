import { createHash, createHmac, getDiffieHellman, randomBytes } from 'node:crypto'

const N = BigInt(`0x${getDiffieHellman('modp15').getPrime('hex')}`)
const G = 2n
const K = toInteger(sha256(pad(N), pad(G)))
const DERIVED_KEY = 'Caldera Derived Key\u0001'

export type SrpChallenge = { SRP_B: string; SALT: string; SECRET_BLOCK: string; USER_ID_FOR_SRP: string }

/** The browser's side of a sign-in by password (USER_SRP_AUTH), for those who sign in without a browser. */
export function startSrp(): {
  srpA: string
  answer: (pool: string, password: string, challenge: SrpChallenge) => object
} {
  const a = toInteger(randomBytes(32))
  const A = power(G, a)
  return {
    srpA: A.toString(16),
    answer: (pool, password, { SRP_B, SALT, SECRET_BLOCK, USER_ID_FOR_SRP: user }) => {
      const B = BigInt(`0x${SRP_B}`)
      const u = toInteger(sha256(pad(A), pad(B)))
      const x = toInteger(sha256(pad(BigInt(`0x${SALT}`)), sha256(Buffer.from(`${pool}${user}:${password}`))))
      const secret = power((((B - K * power(G, x)) % N) + N) % N, a + u * x)
      const key = hmac(hmac(pad(u), pad(secret)), Buffer.from(DERIVED_KEY)).subarray(0, 16)
      const TIMESTAMP = timestamp(new Date())
      const claim = [Buffer.from(pool), Buffer.from(user), Buffer.from(SECRET_BLOCK, 'base64'), Buffer.from(TIMESTAMP)]
      return {
        USERNAME: user,
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: hmac(key, Buffer.concat(claim)).toString('base64'),
        TIMESTAMP,
      }
    },
  }
}

/** Such as `Sat Sep 5 09:03:07 UTC 2026`. */
function timestamp(date: Date): string {
  const [day, dayOfMonth, month, year, time] = date.toUTCString().replace(',', '').split(' ')
  return `${day} ${month} ${Number(dayOfMonth)} ${time} UTC ${year}`
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base % N, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % N) {
    if (rest % 2n === 1n) result = (result * square) % N
  }
  return result
}

/** Whole bytes, with a zero in front of what would be negative otherwise. */
function pad(value: bigint): Buffer {
  const hex = value.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return Buffer.from(/^[89a-f]/u.test(even) ? `00${even}` : even, 'hex')
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}

function sha256(...parts: Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
