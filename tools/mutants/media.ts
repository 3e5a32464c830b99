import type { Mutant } from './mutant.ts'

export const MEDIA: readonly Mutant[] = []
