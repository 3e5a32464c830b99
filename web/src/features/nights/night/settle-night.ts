import type { Night } from '@marquee/contract/entities/night'
import type { QueryClient } from '@tanstack/react-query'

import type { Action } from '#web/offline/outbox/actions.ts'

import { showNight } from './queries.ts'

/** Shows what the server answered to something that has waited, if it was about a night. */
export function settleNight(client: QueryClient, action: Action, reply: unknown): void {
  if (action.kind === 'answer') showNight(client, reply as Night)
}
