import '#web/i18n/signed-in-texts.ts'
import '#web/i18n/night-texts.ts'

import { Tv } from '#web/features/nights/big-screen/tv.tsx'

import { OwnCache } from './own-cache.tsx'

/** `/tv`: a screen without an account. */
export function Component() {
  return (
    <OwnCache>
      <Tv />
    </OwnCache>
  )
}
