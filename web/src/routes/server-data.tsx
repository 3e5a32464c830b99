import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'

/**
 * Around everything that shows data of the signed-in user. The guard above mounts it afresh for each user, so nobody
 * sees what another one had loaded.
 */
export function Component() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  )
}
