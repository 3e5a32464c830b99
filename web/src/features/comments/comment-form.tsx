import { MAX_COMMENT_LENGTH } from '@marquee/contract/limits'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Draft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

const ROWS = 3

type CommentFormProps = {
  label: string
  submitLabel: string
  /** What stands in the field at first, unless a draft does. */
  initial?: string
  draft: Draft
  takesFocus: boolean
  /** Gets the trimmed text. Resolves to whether it was sent; what was not comes back into the field. */
  onSubmit: (content: string) => Promise<boolean>
  onCancel: () => void
}

/** A field for a comment: Ctrl or Cmd plus Enter submits, the field clears, cancel restores (spec section 5, "Comment"). */
export function CommentForm(props: CommentFormProps) {
  const { label, submitLabel, initial = '', draft, takesFocus, onSubmit, onCancel } = props
  const { t } = useTranslation('moviecard')
  const [text, setText] = useState(() => draft.read() ?? initial)
  const current = useRef(text)
  const [isSubmitting, setSubmitting] = useState(false)
  const content = text.trim()
  const isTooLong = content.length > MAX_COMMENT_LENGTH
  const isDisabled = content === '' || isTooLong || isSubmitting

  const type = (typed: string) => {
    current.current = typed
    setText(typed)
    draft.save(typed)
  }
  const submit = async () => {
    if (isDisabled) return
    setSubmitting(true)
    // The draft keeps it until it is sent.
    current.current = ''
    setText('')
    const wasSent = await onSubmit(content)
    setSubmitting(false)
    const typedSince = current.current
    if (wasSent) draft.save(typedSince)
    else type(typedSince === '' ? content : `${content}\n${typedSince}`)
  }
  const cancel = () => {
    draft.clear()
    setText(initial)
    onCancel()
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="flex flex-col gap-2"
    >
      <TextArea
        label={label}
        name="content"
        rows={ROWS}
        value={text}
        error={isTooLong ? t('errors.commentTooLong', { max: MAX_COMMENT_LENGTH }) : undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field opens where its button was pressed
        autoFocus={takesFocus}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void submit()
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" size="small" type="submit" disabled={isDisabled}>
          {submitLabel}
        </Button>
        <Button tone="quiet" size="small" onClick={cancel}>
          {t('comments.cancel')}
        </Button>
      </div>
    </form>
  )
}
