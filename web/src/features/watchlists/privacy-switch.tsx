import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { useSetPrivacy } from './mutations.ts'
import { WatchlistError } from './watchlist-error.tsx'

/** Whether people who are not members may look around; takes effect at once. */
export function PrivacySwitch({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const privacy = useSetPrivacy(watchlist.id)
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('privacy.label')}
        hint={watchlist.isPrivate ? t('privacy.on') : t('privacy.off')}
        name="isPrivate"
        isOn={privacy.isPending ? privacy.variables : watchlist.isPrivate}
        isBusy={privacy.isPending}
        onChange={(isPrivate) => privacy.mutate(isPrivate)}
      />
      {privacy.isError && (
        <Banner tone="error">
          <WatchlistError what={t('privacy.failed')} action="update" error={privacy.error} />
        </Banner>
      )}
    </div>
  )
}
