import type { Mutant } from './mutant.ts'

export const RIGHTS: readonly Mutant[] = []
