import type { NightScreen, ScreenMovie } from '@marquee/contract/entities/night-screen'
import { Clapperboard, WifiOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import type { Call } from '#web/api/caller.ts'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classes } from '#web/ui/classes.ts'
import { QrCode } from '#web/ui/qr-code.tsx'
import { MoviePoster } from '#web/ui/movie-poster.tsx'
import { useFullScreen, useWakeLock } from '#web/ui/use-display.ts'

import { NightWhere } from '../night/lazy-where.tsx'
import { EndOfMovie, joinAddress, NightTitle } from '../night/night-parts.tsx'
import { type Scene as Shown, sceneOf, useSceneText } from './scene.ts'
import { useDimmed } from './use-idle.ts'

type BigScreenProps = {
  night: NightScreen
  /** The server is out of reach. What was read before stays. */
  isLost: boolean
  /** A draw is under way on this device. */
  isDrawing?: boolean
  /** What can be chosen with the arrow keys and Enter. */
  children: ReactNode
  onLeave?: () => void
  /** For the holder of a pass. */
  callAs?: Call
}

/** A night on a television: readable from three metres. All sizes follow the size of the screen. */
export function BigScreen({ night, isLost, isDrawing = false, children, onLeave = () => {}, callAs }: BigScreenProps) {
  const { t } = useTranslation('watchlist')
  const scene = sceneOf(night, isDrawing || night.isDrawing)
  const isDimmed = useDimmed(scene.kind === 'accepted' ? scene.movie.id : undefined)
  const sceneText = useSceneText()
  useWakeLock()
  useFullScreen(onLeave)
  return (
    <main
      className={classes(
        'flex min-h-dvh flex-col gap-[1em] bg-canvas p-[1.2em] text-[max(1rem,min(2.2vw,3.9vh))] leading-tight transition-[filter] duration-1000',
        isDimmed && 'brightness-20',
      )}
    >
      <NightTitle watchlistName={night.watchlistName} />
      <header className="flex flex-wrap items-start justify-between gap-[0.6em]">
        <h1 className="text-[1.4em]">{night.watchlistName}</h1>
        <People present={night.present} />
      </header>
      <output className="sr-only">{sceneText(scene, night)}</output>
      <div className="grid flex-1 place-items-center">
        <Scene night={night} scene={scene} callAs={callAs} />
      </div>
      <footer className="flex min-h-[2em] flex-wrap items-center justify-between gap-[0.6em]">
        {children}
        {isLost && (
          <p className="flex items-center gap-[0.4em] text-[0.8em] text-muted">
            <WifiOff aria-hidden className="size-[1em]" />
            {t('bigScreen.reconnecting')}
          </p>
        )}
      </footer>
    </main>
  )
}

function People({ present }: Pick<NightScreen, 'present'>) {
  const { t } = useTranslation('watchlist')
  return (
    <ul aria-label={t('bigScreen.people')} className="flex flex-wrap justify-end gap-[0.4em]">
      {present.map(({ name, avatarUrl }) => (
        <li
          key={name}
          className="flex max-w-[11em] items-center gap-[0.4em] rounded-full bg-raised pe-[0.7em] motion-safe:animate-picture"
        >
          <Avatar name={name} src={avatarUrl} className="size-[1.8em]! text-[1em]!" />
          <span className="truncate text-[0.8em]">{name}</span>
        </li>
      ))}
    </ul>
  )
}

function Scene({ night, scene, callAs }: { night: NightScreen; scene: Shown; callAs: Call | undefined }) {
  const { t } = useTranslation('watchlist')
  // What was decided before the screen was opened is shown without an animation.
  const [first] = useState(scene)
  if ('movie' in scene) {
    return (
      <Movie
        key={scene.movie.id}
        movie={scene.movie}
        label={t(`bigScreen.${scene.kind}`)}
        isNew={!('movie' in first) || first.movie.id !== scene.movie.id}
      >
        <NightWhere
          nightId={night.id}
          cardId={scene.movie.id}
          present={night.present.map(({ name }) => name)}
          callAs={callAs}
          className="flex min-h-[2.4em] flex-wrap items-baseline gap-x-[0.6em] text-[0.8em] text-muted"
        />
      </Movie>
    )
  }
  switch (scene.kind) {
    case 'ended':
      return <p className="text-center text-[2em]">{t('bigScreen.ended')}</p>
    case 'gathering':
      return (
        <div className="flex flex-col items-center gap-[0.8em] text-center">
          <p className="text-[2em]">{t('night.open.here', { count: night.present.length })}</p>
          <Entrance {...night} />
        </div>
      )
    case 'drawing':
      return <Box />
    case 'voting':
      return <Shortlist vote={scene.vote} />
    case 'vetoed':
      return <p className="max-w-[20em] text-center text-[2em] text-balance">{t('night.veto.used')}</p>
    case 'noWinner':
      return <p className="max-w-[20em] text-center text-[2em] text-balance">{t('night.vote.noWinner')}</p>
  }
}

/** How to take part: guests join with the code once a member lets guests in; before, members open the night's page. */
function Entrance({ watchlistId, joinCode }: NightScreen) {
  const { t } = useTranslation('watchlist')
  const path = joinCode === null ? to.night(watchlistId) : to.joinNight(joinCode)
  return (
    <div className="flex flex-wrap items-center justify-center gap-[1.2em]">
      <QrCode
        text={`${location.origin}${path}`}
        label={t(joinCode === null ? 'bigScreen.code' : 'night.guests.qr')}
        className="size-[max(14rem,9em)]"
      />
      {joinCode === null ? (
        <p className="max-w-[16em] text-muted">{t('bigScreen.scan')}</p>
      ) : (
        <div className="flex max-w-[18em] flex-col gap-[0.4em] text-start">
          <p className="font-display text-[3em] font-bold tracking-[0.12em] whitespace-nowrap">{joinCode}</p>
          <p className="text-muted">{t('bigScreen.join', { address: joinAddress() })}</p>
        </div>
      )}
    </div>
  )
}

/** The back of a card. */
function Back() {
  return (
    <div className="flex aspect-2/3 w-full items-center justify-center rounded-poster border-2 border-card-back-edge bg-card-back">
      <Clapperboard aria-hidden className="size-[3em] text-accent" />
    </div>
  )
}

function Box() {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-col items-center gap-[1em]">
      <div aria-hidden className="w-[8em] motion-safe:animate-shake">
        <Back />
      </div>
      <p className="text-[1.4em]">{t('bigScreen.drawing')}</p>
    </div>
  )
}

type MovieProps = { movie: ScreenMovie; label: string; isNew: boolean; children: ReactNode }

function Movie({ movie, label, isNew, children }: MovieProps) {
  const factsText = useFactsText()
  return (
    <div className="flex flex-wrap items-center justify-center gap-[1.6em]">
      <div className={classes('w-[10.5em]', isNew && 'perspective-distant')}>
        <div className={classes('relative', isNew && 'transform-3d motion-safe:animate-turn')}>
          <div className={isNew ? 'backface-hidden' : undefined}>
            <MoviePoster card={movie} className="w-full" />
          </div>
          {isNew && (
            <div aria-hidden className="absolute inset-0 rotate-y-180 backface-hidden">
              <Back />
            </div>
          )}
        </div>
      </div>
      <div className="flex max-w-[20em] flex-col gap-[0.5em]">
        <p className="text-muted">{label}</p>
        <h2 className="line-clamp-4 text-[2.4em]">
          <bdi>{movie.title}</bdi>
        </h2>
        <p className="line-clamp-3 text-muted">{factsText(movie.movie ?? {})}</p>
        {movie.acceptedAt !== null && (
          <EndOfMovie acceptedAt={movie.acceptedAt} minutes={movie.movie?.runtimeMinutes} />
        )}
        {children}
      </div>
    </div>
  )
}

function Shortlist({ vote: { movies, voted, present } }: { vote: NonNullable<NightScreen['vote']> }) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex w-full flex-col items-center gap-[1em]">
      <ul className="flex w-full flex-wrap justify-center gap-[0.7em]">
        {movies.map((movie) => (
          <li key={movie.id} className="flex max-w-[8.5em] min-w-[5em] flex-1 flex-col gap-[0.4em]">
            <MoviePoster card={movie} className="w-full" />
            <span className="line-clamp-2 text-center text-[0.85em]">
              <bdi>{movie.title}</bdi>
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-center gap-[0.8em] text-[1.3em]">
        <p>{t('night.vote.voted', { count: voted, present })}</p>
        <div aria-hidden className="flex gap-[0.3em]">
          {Array.from({ length: present }, (_, n) => (
            <span
              key={n}
              className={classes('size-[0.6em] rounded-full border-2 border-accent', n < voted && 'bg-accent')}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
