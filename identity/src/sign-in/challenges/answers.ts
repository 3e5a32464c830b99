import { answerPasswordVerifier } from '../answer-password-verifier.ts'
import type { ChallengeName } from '../challenge-names.ts'
import type { Answer } from './answer.ts'

/** Who judges which challenge. A challenge that is not here is given to nobody, so no session is ever at it. */
export const ANSWERS: ReadonlyMap<ChallengeName, Answer> = new Map<ChallengeName, Answer>([
  ['PASSWORD_VERIFIER', answerPasswordVerifier],
])
