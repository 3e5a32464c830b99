import { useTranslation } from '#web/i18n/texts.ts'
import { PartFailed } from '#web/ui/banner.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const LinkManager = lazyPart({
  load: async () => (await import('./link-manager.tsx')).LinkManager,
  Failed: PartFailed,
})

type LinkSectionProps = { watchlistId: string; username: string; isOwner: boolean }

/** For members: the join links of the watchlist, folded behind a button. */
export function LinkSection(props: LinkSectionProps) {
  const { t } = useTranslation('watchlist')
  return (
    <Fold title={t('invite.byLink')} onPrepare={LinkManager.preload}>
      <LinkManager {...props} />
    </Fold>
  )
}
