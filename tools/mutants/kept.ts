import type { Mutant } from './mutant.ts'

export const KEPT: readonly Mutant[] = []
