import { Problem, type ProblemKey, problemType, PROBLEMS } from '@marquee/contract/problems'
import { DirectoryUnavailable } from '@marquee/identity'
import { HttpProblem } from '@marquee/platform/http/problem'

import { SourceUnavailable } from '../rooms/movies/catalogue/source.ts'

const KEY_BY_STATUS = new Map<number, ProblemKey>(
  (Object.keys(PROBLEMS) as ProblemKey[]).map((key) => [PROBLEMS[key].status, key]),
)

/** Type and default message of an error status of `docs/product/errors.md`. */
export function problemFor(status: number): { type: string; message: string } {
  const key = KEY_BY_STATUS.get(status)
  if (key === undefined) return { type: 'SERVER_ERROR', message: `Server error: ${status}` }
  return { type: problemType(key), message: PROBLEMS[key].message }
}

/** Turns errors of services into replies. */
export function translateProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof DirectoryUnavailable || error instanceof SourceUnavailable) {
    const headers = { 'retry-after': String(error.retryAfterSeconds) }
    return new HttpProblem({ status: 503, ...problemFor(503), headers })
  }
  if (!(error instanceof Problem)) return undefined
  const { key, message, details } = error
  return new HttpProblem({ status: PROBLEMS[key].status, type: problemType(key), message, details })
}
