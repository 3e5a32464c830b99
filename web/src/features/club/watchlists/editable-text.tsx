import { Pencil } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextArea, TextField } from '#web/ui/text-field.tsx'

export type EditableTextProps = {
  name: 'name' | 'description'
  label: string
  editLabel: string
  value: string
  /** More than one row makes it a text area. */
  rows?: number
  maxLength: number
  isRequired?: boolean
  isSaving: boolean
  /** Resolves to whether it was saved. Only then does the form close. */
  onSave: (text: string) => Promise<boolean>
  /** The form opens or is cancelled, so the outcome of the last save is outdated. */
  onToggle: () => void
  /** How the text is shown while it is not edited. */
  children: ReactNode
}

/** A text with an edit button, which replaces it by a field with Save and Cancel. */
export function EditableText(props: EditableTextProps) {
  const [isEditing, setEditing] = useState(false)
  const wasOpened = useRef(false)

  if (isEditing) return <EditForm {...props} onClose={() => setEditing(false)} />
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">{props.children}</div>
      <IconButton
        ref={(button) => {
          // Closing the form returns the focus to the button that opened it.
          if (button === null || !wasOpened.current) return
          wasOpened.current = false
          button.focus()
        }}
        aria-label={props.editLabel}
        icon={<Pencil aria-hidden />}
        className="-my-1"
        onClick={() => {
          wasOpened.current = true
          props.onToggle()
          setEditing(true)
        }}
      />
    </div>
  )
}

function EditForm(props: EditableTextProps & { onClose: () => void }) {
  const { name, label, value, rows = 1, maxLength, isRequired = false, isSaving, onSave, onToggle, onClose } = props
  const { t } = useTranslation('watchlist')
  const [text, setText] = useState(value)
  const isEmpty = isRequired && text.trim() === ''

  const submit = async () => {
    if (isEmpty || isSaving) return
    if (await onSave(text.trim())) onClose()
  }
  const cancel = () => {
    onToggle()
    onClose()
  }
  const field = {
    name,
    value: text,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setText(target.value),
    label,
    maxLength,
    readOnly: isSaving,
    autoFocus: true,
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="flex flex-col gap-3"
    >
      {rows === 1 ? (
        <TextField {...field} autoComplete="off" required={isRequired} />
      ) : (
        <TextArea {...field} rows={rows} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" size="small" type="submit" busy={isSaving} disabled={isEmpty}>
          {t('edit.save')}
        </Button>
        <Button tone="quiet" size="small" disabled={isSaving} onClick={cancel}>
          {t('edit.cancel')}
        </Button>
      </div>
    </form>
  )
}
