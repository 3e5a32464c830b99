import '#web/i18n/media-server-texts.ts'
import type { Card } from '@marquee/contract/entities/card'
import { useQuery } from '@tanstack/react-query'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { announce } from '#web/ui/live-region.tsx'

import { useSaveViewing } from './mutations.ts'
import { mediaServers } from '../servers/queries.ts'
import '../lazy-texts.ts'

type ServerMarkProps = {
  card: Pick<Card, 'id' | 'watchlistId' | 'title'>
  serverId: string
  onUndone: () => void
}

/** Which media server marked a movie as seen, and a way to undo it. */
export function ServerMark({ serverId, ...props }: ServerMarkProps) {
  const { data } = useQuery(mediaServers(props.card.watchlistId))
  const server = data?.find((one) => one.serverId === serverId)
  // It may be disconnected by now.
  return server ? <Mark {...props} name={server.name} /> : null
}

function Mark({
  card: { id: cardId, watchlistId, title },
  name,
  onUndone,
}: Omit<ServerMarkProps, 'serverId'> & { name: string }) {
  const { t } = useTranslation('watchlist')
  const { t: cardText } = useTranslation('moviecard')
  const undo = useSaveViewing({ watchlistId, cardId }, title)
  const remove = () => {
    // `mutate` calls nothing back, because the mark is gone by then.
    undo.mutateAsync(undefined).then(
      () => {
        announce(cardText('seen.removed', { title }))
        onUndone()
      },
      () => {},
    )
  }
  return (
    <div className="-mt-2 flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 text-sm wrap-anywhere text-muted">
        {t('mediaServers.links.markedBy', { name })}
        <Button
          tone="quiet"
          size="small"
          busy={undo.isPending}
          onClick={remove}
          className="-ms-3 border-transparent underline underline-offset-3"
        >
          {t('mediaServers.links.undo')}
        </Button>
      </p>
      <CallFailureBanner what={t('mediaServers.links.undoFailed')} error={undo.error} />
    </div>
  )
}
