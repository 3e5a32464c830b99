import '#web/i18n/media-server-texts.ts'
import type { Availability } from '@marquee/contract/entities/availability'
import { HandHelping } from 'lucide-react'
import { type ReactNode, useRef } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { focusSoon } from '#web/ui/focus.ts'

import { useAskForMovie } from './queries.ts'

export type AskForMovieProps = {
  watchlistId: string
  cardId: string
  title: string
  request: NonNullable<Availability['request']>
}

/** The line of a card: where the movie can be watched, and what became of it if it was asked for. */
export function AskLine({
  className,
  children,
  ...props
}: AskForMovieProps & { className: string; children: ReactNode }) {
  const { ask, place, failure } = useAsk(props)
  const { t } = useTranslation('watchlist')
  const { request, title } = props
  return (
    <>
      <div className={className}>
        {children}
        {request === 'possible' && (
          <button
            type="button"
            aria-label={t('mediaServers.requests.askNamed', { title })}
            disabled={ask.isPending}
            className="inline-flex min-h-6 shrink-0 items-center gap-1.5 underline underline-offset-3 hover:text-text disabled:opacity-55 pointer-coarse:min-h-11"
            onClick={() => ask.mutate()}
          >
            <HandHelping aria-hidden className="size-4" />
            {t('mediaServers.requests.ask')}
          </button>
        )}
        <State place={place} request={request} />
      </div>
      {failure}
    </>
  )
}

/** The same at a movie night, as a button beside others. */
export function AskButton(props: AskForMovieProps) {
  const { ask, place, failure } = useAsk(props)
  const { t } = useTranslation('watchlist')
  const { request, title } = props
  return (
    <>
      {request === 'possible' && (
        <Button
          tone="quiet"
          size="small"
          icon={<HandHelping aria-hidden />}
          aria-label={t('mediaServers.requests.askNamed', { title })}
          busy={ask.isPending}
          onClick={() => ask.mutate()}
        >
          {t('mediaServers.requests.ask')}
        </Button>
      )}
      <State place={place} request={request} />
      {failure && <div className="basis-full">{failure}</div>}
    </>
  )
}

function useAsk({ title, ...params }: AskForMovieProps) {
  const { t } = useTranslation('watchlist')
  const ask = useAskForMovie(params)
  // The button goes, and what became of it takes its focus.
  const place = useRef<HTMLOutputElement>(null)
  const mutate = () => ask.mutate({ onSuccess: () => focusSoon(place) })
  const failure = ask.isError && (
    <CallFailureBanner what={t('mediaServers.requests.askFailed', { title })} error={ask.error} />
  )
  return { ask: { ...ask, mutate }, place, failure }
}

function State({ place, request }: { place: React.Ref<HTMLOutputElement> } & Pick<AskForMovieProps, 'request'>) {
  const { t } = useTranslation('watchlist')
  return (
    <output
      ref={place}
      tabIndex={-1}
      className={classes('line-clamp-1 focus:outline-none', request === 'possible' && 'sr-only')}
    >
      {request !== 'possible' && t(`mediaServers.requests.states.${request}`)}
    </output>
  )
}
