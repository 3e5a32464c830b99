import type { NightScreen, ScreenMovie } from '@marquee/contract/entities/night-screen'

import { useTranslation } from '#web/i18n/texts.ts'

/** What the big screen shows now. */
export type Scene =
  | { kind: 'gathering' | 'drawing' | 'noWinner' | 'vetoed' | 'ended' }
  | { kind: 'voting'; vote: NonNullable<NightScreen['vote']> }
  | { kind: 'drawn' | 'winner' | 'accepted'; movie: ScreenMovie }

export function sceneOf({ state, vote, movie, wasVetoed }: NightScreen, isDrawing: boolean): Scene {
  if (state !== 'open') return { kind: 'ended' }
  if (isDrawing) return { kind: 'drawing' }
  if (vote?.closedAt === null) return { kind: 'voting', vote }
  if (wasVetoed) return { kind: 'vetoed' }
  if (movie?.status === 'WATCHED') return { kind: 'accepted', movie }
  if (movie) return { kind: vote?.winner === movie.id ? 'winner' : 'drawn', movie }
  // A winner that was put back or declined is no longer news.
  return { kind: vote && vote.winner === null ? 'noWinner' : 'gathering' }
}

/** What a screen reader announces when the scene changes. */
export function useSceneText(): (scene: Scene, night: NightScreen) => string {
  const { t } = useTranslation('watchlist')
  return (scene, { present }) => {
    if ('movie' in scene) return `${t(`bigScreen.${scene.kind}`)}: ${scene.movie.title}`
    switch (scene.kind) {
      case 'voting':
        return t('night.vote.voted', { count: scene.vote.voted, present: scene.vote.present })
      case 'gathering':
        return t('night.open.here', { count: present.length })
      case 'noWinner':
        return t('night.vote.noWinner')
      case 'vetoed':
        return t('night.veto.used')
      case 'drawing':
      case 'ended':
        return t(`bigScreen.${scene.kind}`)
    }
  }
}
