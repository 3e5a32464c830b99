import type { Comment } from '@marquee/contract/entities/comment'
import { type KeyboardEvent, memo, type RefObject, useRef, useState } from 'react'

import { momentText } from '#web/i18n/dates.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import type { Item } from '#web/offline/outbox/machine.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { useDraft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { focusSoon } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import { isEdited, isPending } from '../comment-list.ts'
import { WaitingItems } from '../waiting/lazy-waiting.tsx'
import { CommentForm } from './lazy-comment-form.tsx'

const PlainText = ({ text }: { text: string }) => <>{text}</>

const MentionedText = lazyPart({
  load: async () => (await import('./mentions.tsx')).MentionedText,
  Loading: PlainText,
  Failed: PlainText,
})

export type OwnCommentActions = {
  /** Resolves to whether the comment was saved. */
  onEdit: (comment: Comment, content: string) => Promise<boolean>
  onDelete: (comment: Comment) => void
}

type CommentItemProps = {
  comment: Comment
  /** A change of it that waits to be sent. */
  waiting?: Item | undefined
  /** Only for its author. */
  actions: OwnCommentActions | undefined
}

/** One comment with its author, time and text. */
export const CommentItem = memo(function CommentItem({ comment: atServer, waiting, actions }: CommentItemProps) {
  const { t } = useTranslation('moviecard')
  // Others still read the text before a change that was refused.
  const isChanged = waiting?.action.kind === 'edit' && waiting.state !== 'refused'
  const changed = isChanged ? { content: waiting.action.content } : {}
  const comment = { ...atServer, ...changed }
  const { authorId, content, createdAt, updatedAt } = comment
  return (
    <li className={classes('flex gap-2.5', isPending(comment) && 'opacity-70')}>
      <PersonAvatar username={authorId} size="small" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-semibold">{authorId}</span>
          <RelativeTime iso={createdAt} className="text-xs text-muted" />
          {isEdited(comment) && (
            <span className="text-xs text-muted">{t('comments.edited', { date: momentText(updatedAt) })}</span>
          )}
        </p>
        {actions === undefined || isPending(comment) ? (
          <Content text={content} />
        ) : (
          <OwnContent comment={comment} actions={actions} />
        )}
        {waiting !== undefined && <WaitingItems kind="edit" items={[waiting]} />}
      </div>
    </li>
  )
})

function Content({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-w-[65ch] whitespace-pre-line">
      {text.includes('@') ? <MentionedText text={text} /> : text}
    </p>
  )
}

type Step = 'shown' | 'editing' | 'deleting'

function OwnContent({ comment, actions }: { comment: Comment; actions: OwnCommentActions }) {
  const { t } = useTranslation('moviecard')
  const draft = useDraft(`comment-edit.${comment.commentId}`)
  const [step, setStep] = useState<Step>(() => (draft.read() === undefined ? 'shown' : 'editing'))
  const [wasAsked, setAsked] = useState(false)
  const [refused, setRefused] = useState<string>()
  const editButton = useRef<HTMLButtonElement>(null)
  const deleteButton = useRef<HTMLButtonElement>(null)

  const begin = (next: Step) => {
    setAsked(true)
    setStep(next)
  }
  const edit = async (content: string) => {
    setStep('shown')
    focusSoon(editButton)
    const wasSaved = content === comment.content || (await actions.onEdit(comment, content))
    setRefused(wasSaved ? undefined : content)
    draft.save(wasSaved ? '' : content)
    if (!wasSaved) begin('editing')
    return wasSaved
  }

  if (step === 'editing') {
    return (
      <CommentForm
        label={t('comments.editField')}
        submitLabel={t('comments.save')}
        initial={refused ?? comment.content}
        draft={draft}
        takesFocus={wasAsked}
        onSubmit={edit}
        onCancel={() => {
          setRefused(undefined)
          setStep('shown')
          focusSoon(editButton)
        }}
      />
    )
  }
  return (
    <>
      <Content text={comment.content} />
      {step === 'deleting' ? (
        <DeleteQuestion
          onYes={() => {
            // If the deletion fails, the comment is shown again without the question.
            setStep('shown')
            actions.onDelete(comment)
          }}
          onNo={() => {
            setStep('shown')
            focusSoon(deleteButton)
          }}
        />
      ) : (
        <OwnButtons buttons={{ editButton, deleteButton }} onBegin={begin} />
      )}
    </>
  )
}

type OwnButtonsProps = {
  buttons: Record<'editButton' | 'deleteButton', RefObject<HTMLButtonElement | null>>
  onBegin: (step: Step) => void
}

function OwnButtons({ buttons: { editButton, deleteButton }, onBegin }: OwnButtonsProps) {
  const { t } = useTranslation('moviecard')
  return (
    <div className="-ms-1 flex gap-2 text-sm">
      <button ref={editButton} type="button" onClick={() => onBegin('editing')} className={actionStyle}>
        {t('comments.edit')}
      </button>
      <button ref={deleteButton} type="button" onClick={() => onBegin('deleting')} className={actionStyle}>
        {t('comments.delete')}
      </button>
    </div>
  )
}

/** Asks before a comment is deleted. The safe answer has the focus, and Escape is no. */
function DeleteQuestion({ onYes, onNo }: { onYes: () => void; onNo: () => void }) {
  const { t } = useTranslation('moviecard')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape presses the button that says no
    <fieldset
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onNo()
      }}
      className="flex flex-wrap items-center gap-2 pt-1"
    >
      <legend className="float-start text-sm font-semibold">{t('comments.deleteQuestion')}</legend>
      <Button tone="danger" size="small" onClick={onYes}>
        {t('comments.yes')}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- this button replaces the one that was pressed */}
      <Button tone="quiet" size="small" autoFocus onClick={onNo}>
        {t('comments.no')}
      </Button>
    </fieldset>
  )
}

const actionStyle =
  'min-h-6 rounded-poster px-1 font-medium text-muted underline underline-offset-3 hover:text-text pointer-coarse:min-h-11 pointer-coarse:px-2'
