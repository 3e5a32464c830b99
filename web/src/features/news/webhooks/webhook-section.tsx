import { useTranslation } from '#web/i18n/texts.ts'
import { WEBHOOKS_ID } from '#web/paths.ts'
import { PartFailed } from '#web/ui/banner.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const WebhookManager = lazyPart({
  load: async () => (await import('./webhook-manager.tsx')).WebhookManager,
  Failed: PartFailed,
})

/** For the owner: the webhooks of the watchlist, folded behind a button. */
export function WebhookSection({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  return (
    <Fold id={WEBHOOKS_ID} title={t('detail.webhooks')} onPrepare={WebhookManager.preload}>
      <WebhookManager watchlistId={watchlistId} />
    </Fold>
  )
}
