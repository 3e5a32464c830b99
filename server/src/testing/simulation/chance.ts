import type { Random } from '@marquee/platform/runtime/random'

/** Random values that are the same for the same seed. */
export type Chance = {
  /** An integer from 0 to `limit`, exclusive. */
  below: (limit: number) => number
  /** True with the probability one in `times`. */
  isOneIn: (times: number) => boolean
  pick: <T>(from: readonly T[]) => T | undefined
}

/** Mulberry32: small, and good enough to mix requests and faults. The streams of a seed are independent of each other. */
export function seededChance(seed: number, stream: number): Chance {
  let state = (Math.imul(seed, 0x9e_37_79_b1) ^ Math.imul(stream + 1, 0x85_eb_ca_6b)) >>> 0

  function next(): number {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (limit: number) => Math.floor(next() * limit)
  return { below, isOneIn: (times) => below(times) === 0, pick: (from) => from[below(from.length)] }
}

/** The program's source of randomness, for a run that can be repeated with the same result. */
export function seededRandom(chance: Chance): Random {
  let made = 0
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.below(256)))
  const identifier = (first: number) => {
    made += 1
    return `${String(first).padStart(8, '0')}-0000-4000-8000-${bytes(6).toString('hex')}`
  }
  return { bytes, below: chance.below, uuid: () => identifier(0), orderedId: () => identifier(made + 1) }
}
