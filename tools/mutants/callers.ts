import type { Mutant } from './mutant.ts'

export const CALLERS: readonly Mutant[] = []
