import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox, MOVE_TARGETS } from '@marquee/contract/rules/card-moves'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'

import { AddMovieForm } from './add-movie-form.tsx'
import { BoxPanel } from './box-panel.tsx'
import { CardFeed } from './card-feed.tsx'
import { useRevealCard } from './queries.ts'

type MovieSectionProps = { watchlistId: string; isMember: boolean }

/** The movies of a watchlist: the box, the form that fills it, and the feed. Visitors only see the feed. */
export function MovieSection({ watchlistId, isMember }: MovieSectionProps) {
  const { t } = useTranslation('moviecard')
  const [isAdding, setAdding] = useState(false)
  const [news, setNews] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [newCardId, setNewCardId] = useState<string>()
  const reveal = useRevealCard(watchlistId, ({ id, title }) => {
    setNewCardId(id)
    setNews(t('card.revealed', { title }))
  })

  const announceMove = (card: Card) => {
    const target = MOVE_TARGETS.find((status) => status === card.status)
    if (target !== undefined) setNews(t(`moved.${target}`, { title: card.title }))
    // The card is about to leave the feed with the button that has the focus.
    if (isInTheBox(card.status)) heading.current?.focus()
  }
  const closeForm = () => {
    setAdding(false)
    addButton.current?.focus()
  }
  const openForm = () => {
    setAdding(true)
    form.current?.querySelector('input')?.focus()
  }

  return (
    <div className="flex min-w-0 flex-col gap-6 max-sm:pb-24">
      <output className="sr-only">{news}</output>
      {isMember && <BoxPanel watchlistId={watchlistId} reveal={reveal} isAdding={isAdding} onAdd={openForm} />}
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 ref={heading} tabIndex={-1} className="text-2xl focus:outline-none">
            {t('feed.title')}
          </h2>
          {isMember && (
            <Button
              ref={addButton}
              tone="quiet"
              icon={<Plus aria-hidden />}
              aria-expanded={isAdding}
              onClick={isAdding ? closeForm : openForm}
            >
              {t('feed.add')}
            </Button>
          )}
        </div>
        {isMember && isAdding && (
          <AddMovieForm
            ref={form}
            watchlistId={watchlistId}
            onCancel={closeForm}
            onAdded={({ title, status }) => {
              setNews(isInTheBox(status) ? t('added.toBox', { title }) : t('added.toFeed', { title }))
              closeForm()
            }}
          />
        )}
        <CardFeed watchlistId={watchlistId} isMember={isMember} newCardId={newCardId} onMoved={announceMove} />
      </div>
    </div>
  )
}
