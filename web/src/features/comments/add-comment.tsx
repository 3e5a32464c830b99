import { MessageCircle } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useDraft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus-soon.ts'

import { CommentForm } from './comment-form.tsx'

type AddCommentProps = {
  cardId: string
  /** Resolves to whether it was added. */
  onAdd: (content: string) => Promise<boolean>
  onClose: () => void
}

/** A button that opens the form for a new comment. A comment that was begun earlier is found open. */
export function AddComment({ cardId, onAdd, onClose }: AddCommentProps) {
  const { t } = useTranslation('moviecard')
  const draft = useDraft(`comment.${cardId}`)
  const [isOpen, setOpen] = useState(() => draft.read() !== undefined)
  const [wasAsked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  if (!isOpen) {
    return (
      <Button
        ref={button}
        tone="quiet"
        size="small"
        icon={<MessageCircle aria-hidden />}
        onClick={() => {
          setAsked(true)
          setOpen(true)
        }}
        className="self-start"
      >
        {t('comments.open')}
      </Button>
    )
  }
  return (
    <CommentForm
      label={t('comments.field')}
      submitLabel={t('comments.submit')}
      draft={draft}
      takesFocus={wasAsked}
      onSubmit={onAdd}
      onCancel={() => {
        onClose()
        setOpen(false)
        focusSoon(button)
      }}
    />
  )
}
