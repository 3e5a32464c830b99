import { SCREEN_ENDPOINTS } from '@marquee/contract/endpoints/screens'
import { ScreenPass } from '@marquee/contract/entities/night-screen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { callWithPass, followNight, readPass, savePass } from '#web/api/night-pass.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { fillDisplay, useWakeLock } from '#web/ui/use-display.ts'

import { NightTitle } from '../night/night-parts.tsx'
import { BigScreen } from './big-screen.tsx'
import { Choices } from './choices.tsx'
import { nightScreen } from './queries.ts'
import { useIdle } from './use-idle.ts'

const STORAGE_KEY = 'marquee.tv'
const ASK_EVERY_MS = 2_000
const RETRY_EVERY_MS = 5_000
/** The choices are for the one who sets up the television, not for those who watch it. */
const HIDE_AFTER_MS = 3_000

/** A television: shows a code until a member types it, then the night. The pass survives a reload. */
export function Tv() {
  const client = useQueryClient()
  const [pass, setPass] = useState(() => readPass(STORAGE_KEY, ScreenPass))
  const change = (next: ScreenPass | undefined) => {
    savePass(STORAGE_KEY, next)
    // Another code, and another answer to it.
    client.clear()
    setPass(next)
  }
  if (pass === undefined) return <WaitingTv onPaired={change} />
  return <PairedTv key={pass.token} pass={pass} onEnd={() => change(undefined)} />
}

function WaitingTv({ onPaired }: { onPaired: (pass: ScreenPass) => void }) {
  const { t } = useTranslation('watchlist')
  const { data: request, refetch } = useQuery({
    queryKey: ['screen-code'],
    queryFn: async ({ signal }) => call(SCREEN_ENDPOINTS.requestScreen, { signal }),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_EVERY_MS : false),
  })
  const { data: found, error } = useQuery({
    queryKey: ['screen-pass', request?.code],
    queryFn: async ({ signal }) =>
      call(SCREEN_ENDPOINTS.findScreenPass, {
        body: { code: request?.code ?? '', secret: request?.secret ?? '' },
        signal,
      }),
    enabled: request !== undefined,
    refetchInterval: ASK_EVERY_MS,
  })
  const finish = useEffectEvent(onPaired)
  const isExpired = isApiError(error, 'NOT_FOUND')
  useEffect(() => {
    if (isExpired) void refetch()
  }, [isExpired, refetch])
  useEffect(() => {
    if (found?.pass) finish(found.pass)
  }, [found])
  useWakeLock()

  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-[1em] p-[1.2em] text-center text-[max(1rem,min(2.2vw,3.9vh))] leading-tight">
      <title>{t('common:pageTitle', { page: t('bigScreen.tv.title') })}</title>
      <h1 className="text-[1.6em]">{t('bigScreen.tv.title')}</h1>
      {request === undefined || isExpired ? (
        <Spinner label={t('bigScreen.tv.loading')} />
      ) : (
        <output
          aria-label={t('bigScreen.tv.code', { code: request.code.split('').join(' ') })}
          className="font-display text-[max(2.4em,min(6em,11vw))] font-bold tracking-[0.12em] whitespace-nowrap tabular-nums"
        >
          {request.code}
        </output>
      )}
      <p className="max-w-[32em] text-muted">{t('bigScreen.tv.how')}</p>
      <Choices>
        <Button tone="quiet" onClick={fillDisplay}>
          {t('bigScreen.tv.fill')}
        </Button>
      </Choices>
    </main>
  )
}

function PairedTv({ pass, onEnd }: { pass: ScreenPass; onEnd: () => void }) {
  const { t } = useTranslation('watchlist')
  const client = useQueryClient()
  const { nightId, screenId, token } = pass
  const [callAsTv] = useState(() => callWithPass(token))
  const { data: night, error } = useQuery(nightScreen(nightId, callAsTv))
  useEffect(
    () => followNight(token, nightId, () => void client.invalidateQueries({ queryKey: nightScreen(nightId).queryKey })),
    [client, token, nightId],
  )
  const isVoid = isApiError(error, 'UNAUTHORIZED')
  const isIdle = useIdle(HIDE_AFTER_MS)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isVoid) end()
  }, [isVoid])
  const disconnect = () => {
    // Without a connection, a member can end the screen.
    callAsTv(SCREEN_ENDPOINTS.endScreen, { params: { nightId, screenId } }).catch(() => {})
    onEnd()
  }

  if (night === undefined) {
    return (
      <main className="grid min-h-dvh place-items-center p-4">
        <NightTitle />
        <Spinner label={t('night.loading')} />
      </main>
    )
  }
  return (
    <BigScreen night={night} isLost={error !== null} callAs={callAsTv}>
      <Choices isHidden={isIdle}>
        <Button tone="quiet" onClick={fillDisplay}>
          {t('bigScreen.tv.fill')}
        </Button>
        <Button tone="quiet" onClick={disconnect}>
          {t('bigScreen.tv.disconnect')}
        </Button>
      </Choices>
    </BigScreen>
  )
}
