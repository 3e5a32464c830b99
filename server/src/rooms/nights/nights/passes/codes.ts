import type { Random } from '@marquee/platform/runtime/random'

/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 6

/** A code for people to read from one screen and type on another. */
export function randomCode(random: Random): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length))).join('')
}

/** A code as it is stored, however it was typed. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/gu, '')
}
