import '#web/i18n/media-server-texts.ts'
import { useQuery } from '@tanstack/react-query'

import { useReason } from '#web/api/use-reason.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner, FailureText } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { useSaveViewing } from './mutations.ts'
import { mediaServers } from '../servers/queries.ts'

type ServerMarkProps = { watchlistId: string; cardId: string; serverId: string }

/** Which media server marked a movie as seen, and a way to undo it. */
export function ServerMark({ watchlistId, cardId, serverId }: ServerMarkProps) {
  const { t } = useTranslation('watchlist')
  const reason = useReason()
  const { data } = useQuery(mediaServers(watchlistId))
  const undo = useSaveViewing({ watchlistId, cardId })
  const server = data?.find((one) => one.serverId === serverId)
  // It may be disconnected by now.
  if (!server) return null
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 text-sm wrap-anywhere text-muted">
        {t('mediaServers.links.markedBy', { name: server.name })}
        <Button tone="quiet" size="small" busy={undo.isPending} onClick={() => undo.mutate(undefined)}>
          {t('mediaServers.links.undo')}
        </Button>
      </p>
      {undo.isError && (
        <Banner tone="error">
          <FailureText what={t('mediaServers.links.undoFailed')} why={reason('MEDIA_SERVER_ERROR', undo.error)} />
        </Banner>
      )}
    </div>
  )
}
