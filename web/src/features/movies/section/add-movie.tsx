import type { Card } from '@marquee/contract/entities/card'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'

import { creationKey } from '#web/api/own-changes.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useDraft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'

import { AddMovieForm } from '../form/lazy-forms.tsx'
import { closedFormPlace, movieDraftPlace, searchDraftPlace } from '../form/draft-places.ts'

/**
 * The form for a new movie is open if the user opened it, or has a draft that is not being sent and did not close it. `shared` is
 * what another app shared.
 */
export function useAdding(watchlistId: string, shared: string | undefined) {
  const draft = useDraft(movieDraftPlace(watchlistId))
  const searchDraft = useDraft(searchDraftPlace(watchlistId))
  const closed = useDraft(closedFormPlace(watchlistId))
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(() => {
    if (shared !== undefined) return true
    const isSending = client.isMutating({ mutationKey: creationKey(watchlistId) }) > 0
    return !isSending && closed.read() === undefined && (draft.read() ?? searchDraft.read()) !== undefined
  })
  const [isBusy, setBusy] = useState(false)
  const [wasAsked, setAsked] = useState(shared !== undefined)
  const [isUsed, setUsed] = useState(false)
  const [offersShow, setOffersShow] = useState(true)
  const button = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const open = (offers: boolean) => {
    setOffersShow(offers)
    setAsked(true)
    setOpen(true)
    closed.clear()
    form.current?.querySelector('input')?.focus()
  }
  const close = () => {
    setUsed(true)
    setOpen(false)
    closed.save('closed')
    // The button waits while something is sent.
    focusSoon(button)
  }
  return {
    isOpen,
    wasAsked,
    offersShow,
    shared: isUsed ? undefined : shared,
    isBusy,
    setBusy,
    button,
    form,
    open,
    close,
  }
}

type Adding = ReturnType<typeof useAdding>

/** Opens and closes the form. */
export function AddMovieButton({ adding: { isOpen, isBusy, button, open, close } }: { adding: Adding }) {
  const { t } = useTranslation('moviecard')
  return (
    <Button
      ref={button}
      tone="quiet"
      icon={<Plus aria-hidden />}
      aria-expanded={isOpen}
      disabled={isBusy}
      onPointerEnter={AddMovieForm.preload}
      onFocus={AddMovieForm.preload}
      onClick={isOpen ? close : () => open(true)}
    >
      {t('feed.add')}
    </Button>
  )
}

type AddMovieProps = { watchlistId: string; adding: Adding; onAdded: (card: Card) => void }

/** The form, which closes when the movie is added. */
export function AddMovie({ watchlistId, adding, onAdded }: AddMovieProps) {
  const { form, wasAsked, offersShow, shared, setBusy, close } = adding
  return (
    <div ref={form}>
      <AddMovieForm
        watchlistId={watchlistId}
        takesFocus={wasAsked}
        offersShow={offersShow}
        shared={shared}
        onBusy={setBusy}
        onClose={close}
        onAdded={(card) => {
          close()
          onAdded(card)
        }}
      />
    </div>
  )
}
