import { BOX } from './box.ts'
import { CALLERS } from './callers.ts'
import { KEPT } from './kept.ts'
import { MEDIA } from './media.ts'
import type { Mutant } from './mutant.ts'
import { RIGHTS } from './rights.ts'
import { WORK } from './work.ts'

/** `simulates`: the simulation runs too. Elsewhere it has nothing to say, so only the tests run. */
type Group = { readonly mutants: readonly Mutant[]; readonly simulates: boolean; readonly mayMiss: number }

/** The bugs by what they break. */
export const GROUPS: Readonly<Record<string, Group>> = {
  work: { mutants: WORK, simulates: true, mayMiss: 1 },
  box: { mutants: BOX, simulates: false, mayMiss: 0 },
  callers: { mutants: CALLERS, simulates: false, mayMiss: 0 },
  rights: { mutants: RIGHTS, simulates: false, mayMiss: 0 },
  kept: { mutants: KEPT, simulates: false, mayMiss: 0 },
  media: { mutants: MEDIA, simulates: false, mayMiss: 0 },
}
