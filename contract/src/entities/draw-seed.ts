import { z } from 'zod'

export const DrawNumber = z.int().min(1).max(2_147_483_647)

export const hex = (digits: number) =>
  z.string().regex(new RegExp(`^[\\da-f]{${digits}}$`, 'u'), `Must be ${digits} hex digits`)

/** 32 random bytes in lower case. */
export const DrawSeed = hex(64)
/** A SHA-256 as hex digits. */
export const Hash = hex(64)
/** The SHA-256 of the 32 bytes of a seed. */
export const SeedHash = hex(64)
