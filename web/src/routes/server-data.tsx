import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'

/** Provides the cache of server data. The guard above mounts it again for each user, so users do not share a cache. */
export function Component() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  )
}
