import { SETUP_ENDPOINTS } from '@marquee/contract/endpoints/setup'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

/** Succeeds if the installation has no account and the code is right, or not needed. */
export const setupCheck = (code: string) =>
  queryOptions({
    queryKey: ['setup', code],
    queryFn: async ({ signal }) => {
      await call(SETUP_ENDPOINTS.checkSetup, { body: { code }, signal })
      return true
    },
    // Checked once: each check counts towards a limit, and later calls check the code again.
    staleTime: Infinity,
  })
