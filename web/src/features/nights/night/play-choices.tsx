import '#web/i18n/media-server-texts.ts'
import { MEDIA_SERVER_ENDPOINTS } from '@marquee/contract/endpoints/media-servers'
import type { MediaPlayer } from '@marquee/contract/entities/media-server'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { MonitorPlay, Play, RotateCw } from 'lucide-react'
import { useState } from 'react'

import { call } from '#web/api/call.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** Devices are switched on and off, so each look asks. */
const nightPlayers = (nightId: string) =>
  queryOptions({
    queryKey: ['night-players', nightId],
    queryFn: async ({ signal }) => call(MEDIA_SERVER_ENDPOINTS.listPlayers, { params: { nightId }, signal }),
    gcTime: 0,
  })

type PlayChoicesProps = { nightId: string; title: string }

/** Plays the winner: a button that lists the devices, and a button for each. Nothing plays before one is pressed. */
export function PlayChoices({ nightId, title }: PlayChoicesProps) {
  const { t } = useTranslation('watchlist')
  const [isOpen, setOpen] = useState(false)
  const play = usePlay(nightId)
  return (
    <>
      <Button
        tone="quiet"
        size="small"
        icon={<MonitorPlay aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen)
          play.reset()
        }}
      >
        {t('mediaServers.play.on')}
      </Button>
      {isOpen && <Devices nightId={nightId} play={play} />}
      {/* Below the buttons, so that none moves when one is pressed. */}
      <PlayNotice play={play} title={title} />
    </>
  )
}

function usePlay(nightId: string) {
  return useMutation({
    mutationFn: async ({ serverId, sessionId }: MediaPlayer) =>
      call(MEDIA_SERVER_ENDPOINTS.playWinner, { params: { nightId }, body: { serverId, sessionId } }),
  })
}

type PlayProps = { play: ReturnType<typeof usePlay> }

/** What became of the last press. */
function PlayNotice({ play, title }: PlayProps & { title: string }) {
  const { t } = useTranslation('watchlist')
  const { isPending, isSuccess, isError, variables, error } = play
  return (
    <>
      <output className={isPending || isSuccess ? 'basis-full' : 'sr-only'}>
        {isPending && t('mediaServers.play.starting')}
        {isSuccess && t('mediaServers.play.started', { title, device: variables.device })}
      </output>
      {isError && (
        <div className="basis-full">
          <CallFailureBanner what={t('mediaServers.play.failed', { title })} error={error} />
        </div>
      )}
    </>
  )
}

function Devices({ nightId, play }: PlayProps & { nightId: string }) {
  const { t } = useTranslation('watchlist')
  const { data, error, isFetching, refetch } = useQuery(nightPlayers(nightId))
  const again = (
    <Button tone="quiet" size="small" icon={<RotateCw aria-hidden />} busy={isFetching} onClick={() => void refetch()}>
      {t('mediaServers.play.again')}
    </Button>
  )
  if (error !== null) {
    return (
      <>
        <div className="basis-full">
          <CallFailureBanner what={t('mediaServers.play.loadFailed')} error={error} />
        </div>
        {again}
      </>
    )
  }
  if (data === undefined) return <Spinner label={t('mediaServers.play.loading')} />
  const { players } = data
  const hasSeveral = new Set(players.map(({ serverId }) => serverId)).size > 1
  const isPending = ({ serverId, sessionId }: MediaPlayer) =>
    play.isPending && play.variables.serverId === serverId && play.variables.sessionId === sessionId
  return (
    <>
      {players.map((player) => (
        <Button
          key={`${player.serverId} ${player.sessionId}`}
          tone="quiet"
          size="small"
          className="text-start"
          icon={<Play aria-hidden />}
          busy={isPending(player)}
          disabled={play.isPending}
          onClick={() => play.mutate(player)}
        >
          {hasSeveral
            ? t('mediaServers.play.deviceNamed', { device: player.device, app: player.app, server: player.serverName })
            : t('mediaServers.play.device', { device: player.device, app: player.app })}
        </Button>
      ))}
      {players.length === 0 && (
        <>
          <p className="basis-full text-sm text-muted">{t('mediaServers.play.none')}</p>
          {again}
        </>
      )}
    </>
  )
}
