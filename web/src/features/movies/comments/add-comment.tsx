import { MessageCircle } from 'lucide-react'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import type { Draft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { CommentForm } from './lazy-comment-form.tsx'

/** The place of the draft of a comment on a card. */
export function commentDraftPlace(cardId: string): string {
  return `comment.${cardId}`
}

type AddCommentProps = {
  draft: Draft
  /** Resolves to whether the comment was added. */
  onAdd: (content: string) => Promise<boolean>
  onToggle: (isOpen: boolean) => void
}

/** A button that opens the form for a new comment. With a draft the form is open from the start. */
export function AddComment({ draft, onAdd, onToggle }: AddCommentProps) {
  const { t } = useTranslation('moviecard')
  const { isOpen, open, close, ref } = useOpener(() => draft.read() !== undefined)
  const [wasAsked, setAsked] = useState(false)

  if (!isOpen) {
    return (
      <Button
        ref={ref}
        tone="quiet"
        size="small"
        icon={<MessageCircle aria-hidden />}
        onPointerEnter={CommentForm.preload}
        onFocus={CommentForm.preload}
        onClick={() => {
          setAsked(true)
          open()
          onToggle(true)
        }}
        className="self-start"
      >
        {t('comments.open')}
      </Button>
    )
  }
  return (
    <div className="min-w-0 basis-full">
      <CommentForm
        label={t('comments.field')}
        submitLabel={t('comments.submit')}
        draft={draft}
        takesFocus={wasAsked}
        onSubmit={onAdd}
        onCancel={() => {
          onToggle(false)
          close()
        }}
      />
    </div>
  )
}
