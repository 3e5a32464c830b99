import { MAX_COMMENT_LENGTH } from '@marquee/contract/limits'
import { type KeyboardEvent, useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import type { Draft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { TextArea } from '#web/ui/text-field.tsx'

const MentionList = lazyPart({
  load: async () => (await import('./mentions.tsx')).MentionList,
  Failed: () => null,
})

const ROWS = 3

type CommentFormProps = {
  label: string
  submitLabel: string
  /** The text of the field at first, unless there is a draft. */
  initial?: string
  draft: Draft
  takesFocus: boolean
  /** Gets the trimmed text. Resolves to whether it was sent. If not, the text returns to the field. */
  onSubmit: (content: string) => Promise<boolean>
  onCancel: () => void
}

/** A field for a comment. Ctrl or Cmd plus Enter submits, cancel restores the initial text. */
export function CommentForm(props: CommentFormProps) {
  const { label, submitLabel, initial = '', draft, takesFocus, onSubmit, onCancel } = props
  const { t } = useTranslation('moviecard')
  const field = useRef<HTMLTextAreaElement>(null)
  const { text, isTooLong, isDisabled, type, submit, cancel } = useCommentText({ initial, draft, onSubmit, onCancel })

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // The button is disabled until the next comment is typed.
        field.current?.focus()
        void submit()
      }}
      className="flex flex-col gap-2"
    >
      <TextArea
        ref={field}
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
      {text.includes('@') && <MentionList field={field} text={text} onChoose={type} />}
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

type CommentText = Pick<CommentFormProps, 'draft' | 'onSubmit' | 'onCancel'> & { initial: string }

/** The text of the field, kept as a draft until it is sent. */
function useCommentText({ initial, draft, onSubmit, onCancel }: CommentText) {
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
    // The draft keeps the text until it is sent.
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
  return { text, isTooLong, isDisabled, type, submit, cancel }
}
