import type { Card } from '@marquee/contract/entities/card'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'

import type { CardAction } from '../card-failure.tsx'
import { useAddCard, useDeleteCard } from '../mutations.ts'
import { useWantMovie } from '../wants.ts'
import { forgetMatches, movieMatch } from './catalogue.ts'
import { addMovieBody, filledIn, type FoundMovie } from './movie-values.ts'

/** What the preview has just asked need not be asked again. */
const MATCH_LASTS_MS = 10_000

/** What was saved last. A card can be taken out of the box again. */
export type Done = { text: string; card?: Card | undefined }

export type Busy = 'box' | 'feed' | 'want' | 'undo'

/** Adds, wants and takes back, one at a time. Failures are shown. */
export function useSaving(watchlistId: string, onBusy: (isBusy: boolean) => void) {
  const { t } = useTranslation('moviecard')
  const client = useQueryClient()
  const { mutateAsync: add } = useAddCard(watchlistId)
  const { mutateAsync: want } = useWantMovie(watchlistId)
  const { mutateAsync: remove } = useDeleteCard(watchlistId)
  const [busy, setBusy] = useState<Busy>()
  const [done, setDone] = useState<Done>()
  const [failure, setFailure] = useState<{ action: CardAction; error: unknown }>()

  const attempt = async <T>(action: CardAction, work: () => Promise<T>): Promise<{ result: T } | undefined> => {
    setFailure(undefined)
    try {
      const result = await work()
      forgetMatches(client, watchlistId)
      return { result }
    } catch (error) {
      setFailure({ action, error })
      return undefined
    }
  }
  const run = async (what: Busy, work: Promise<unknown>) => {
    setBusy(what)
    onBusy(true)
    try {
      await work
    } finally {
      setBusy(undefined)
      onBusy(false)
    }
  }
  return {
    busy,
    done,
    failure,
    setDone,
    run,
    isOnlyInBox: async (found: FoundMovie) => {
      if (found.movie === null) return false
      try {
        const { inFeed, isInBox } = await client.query({
          ...movieMatch(watchlistId, found),
          staleTime: MATCH_LASTS_MS,
        })
        return inFeed === null && isInBox
      } catch {
        return false
      }
    },
    add: async (found: FoundMovie, revealImmediately: boolean) =>
      (await attempt('add', async () => add({ body: addMovieBody({ ...filledIn(found), revealImmediately }) })))
        ?.result,
    want: async (body: Parameters<typeof want>[0]) => (await attempt('want', async () => want(body))) !== undefined,
    undo: async (card: Card) => {
      const removed = attempt('delete', async () => remove(card))
      await run('undo', removed)
      if ((await removed) === undefined) return false
      setDone({ text: t('suggestions.withdrawn', { title: card.title }) })
      return true
    },
  }
}
