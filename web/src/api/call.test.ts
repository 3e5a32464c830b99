import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import { expectTypeOf, test } from 'vitest'

import type { send, useCreation } from './call.ts'

// The check of types runs these tests. Otherwise a query would be missing, or the server would ignore a key.
test('only an endpoint without a query can be called with a body alone', () => {
  expectTypeOf(NIGHT_ENDPOINTS.openNight).toExtend<Parameters<typeof send>[0]>()
  expectTypeOf(CARD_ENDPOINTS.listCards).not.toExtend<Parameters<typeof send>[0]>()
})

test('only an endpoint that takes a key can be used for a creation', () => {
  expectTypeOf(NIGHT_ENDPOINTS.planNight).toExtend<Parameters<typeof useCreation>[0]>()
  expectTypeOf(NIGHT_ENDPOINTS.changeNight).not.toExtend<Parameters<typeof useCreation>[0]>()
})
