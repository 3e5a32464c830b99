import '#web/i18n/signed-in-texts.ts'
import '#web/i18n/night-texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'

import { createQueryClient } from '#web/api/query-client.ts'
import { Tv } from '#web/features/nights/big-screen/tv.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { ScreenTitle } from './screen.tsx'

/** `/tv`: a screen without an account. It has its own cache. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <ScreenTitle title={t('bigScreen.tv.title')} />
      <Tv />
    </QueryClientProvider>
  )
}
