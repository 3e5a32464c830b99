import { PROBLEMS } from '@marquee/contract/problems'

import { ApiError } from '#web/api/api-error.ts'
import { networkFailure } from '#web/api/problem.ts'

import type { Action } from './actions.ts'
import { keepingOutbox } from './waiting.ts'

/** Before a call that cannot wait. Fails if what it replaces could still arrive after it. */
export async function overtake(replaces: (action: Action) => boolean): Promise<void> {
  const outbox = await keepingOutbox()
  if (outbox === undefined || (await outbox.overtake(replaces))) return
  if (!navigator.onLine) throw networkFailure('What waits cannot be sent')
  throw new ApiError('SERVICE_UNAVAILABLE', PROBLEMS.SERVICE_UNAVAILABLE.message)
}
