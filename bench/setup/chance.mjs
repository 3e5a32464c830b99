/** A random number generator with a seed, uniform from 0 to 1 (mulberry32). */
export function chance(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const hex = (value, digits) => Math.floor(value).toString(16).padStart(digits, '0')

/** An identifier in the format of a UUIDv4. */
export function randomId(next) {
  const part = (digits) => hex(next() * 16 ** digits, digits)
  return `${part(8)}-${part(4)}-4${part(3)}-a${part(3)}-${part(8)}${part(4)}`
}

/** An identifier in the format of a UUIDv7, which sorts by its millisecond. */
export function orderedId(next, ms) {
  const time = hex(ms, 12)
  const part = (digits) => hex(next() * 16 ** digits, digits)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${part(3)}-a${part(3)}-${part(8)}${part(4)}`
}
