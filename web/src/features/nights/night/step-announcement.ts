import type { NightVoteState } from '@marquee/contract/entities/vote'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { announce } from '#web/ui/live-region.tsx'

type Step = {
  state: NightVoteState | undefined
  /** The user chooses what to draw. */
  isDrawing?: boolean
  /** The card of the user's own decision, which is announced already. */
  decidedHere?: string | undefined
}

/**
 * Announces what happens at a night. Returns a ref for the element around its steps: if the focus is lost with a step, it goes
 * there.
 */
export function useStepAnnouncement({ state, isDrawing = false, decidedHere }: Step): RefObject<HTMLDivElement | null> {
  const textOf = useAnnouncementOf()
  const around = useRef<HTMLDivElement>(null)
  const last = useRef(state)
  const tell = useEffectEvent((before: NightVoteState, now: NightVoteState) => {
    const news = textOf(before, now, decidedHere)
    if (news !== undefined) announce(news)
  })
  useEffect(() => {
    if (last.current !== undefined && state !== undefined && last.current !== state) tell(last.current, state)
    last.current = state
  }, [state])

  const place = state && JSON.stringify([isDrawing, ...whatCanHaveFocus(state)])
  const lastPlace = useRef(place)
  useEffect(() => {
    const isNew = lastPlace.current !== undefined && lastPlace.current !== place
    lastPlace.current = place
    if (isNew && document.activeElement === document.body) around.current?.focus({ preventScroll: true })
  }, [place])
  return around
}

function whatCanHaveFocus({ vote, revealed, accepted }: NightVoteState) {
  return [vote?.drawNumber, vote?.closedAt, ...[revealed, accepted].map((cards) => cards.map(({ cardId }) => cardId))]
}

function useAnnouncementOf() {
  const { t } = useTranslation('watchlist')
  const resultOf = useResultText()
  return (before: NightVoteState, now: NightVoteState, decidedHere: string | undefined): string | undefined => {
    const { vote } = now
    const isVoteNew = vote !== null && before.vote?.drawNumber !== vote.drawNumber
    if (vote !== null && vote.closedAt !== null && (isVoteNew || before.vote?.closedAt === null)) return resultOf(vote)
    if (isVoteNew) return t('night.vote.title')
    if (now.wasVetoed && !before.wasVetoed) return t('night.veto.used')
    const known = new Set([...before.revealed, ...before.accepted].map(({ cardId }) => cardId))
    const drawn = now.revealed.find(({ cardId }) => !known.has(cardId))
    if (drawn !== undefined) return t('night.draw.drawn', { title: drawn.title })
    const wasAccepted = new Set(before.accepted.map(({ cardId }) => cardId))
    const isAccepted = now.accepted.some(({ cardId }) => !wasAccepted.has(cardId) && cardId !== decidedHere)
    return isAccepted ? t('night.enjoy') : undefined
  }
}

/** What a closed vote has decided. */
export function useResultText() {
  const { t } = useTranslation('watchlist')
  return ({ cards, winner }: NonNullable<NightVoteState['vote']>): string => {
    const won = cards.find(({ cardId }) => cardId === winner)
    if (won === undefined) return t('night.vote.noWinner')
    return t('night.vote.winner', { title: won.title ?? t('night.vote.hidden') })
  }
}
