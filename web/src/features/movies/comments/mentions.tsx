import { mentionBefore, mentionsIn } from '@marquee/contract/rules/mentions'
import { type RefObject, use, useId, useLayoutEffect, useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { classes } from '#web/ui/classes.ts'
import { announce } from '#web/ui/live-region.tsx'

import { Members } from '../card/card-context.ts'
import '../lazy-texts.ts'

function useNames(): string[] {
  return use(Members).map(({ username }) => username)
}

/** A text in which the names of mentioned members stand out. */
export function MentionedText({ text }: { text: string }) {
  const mentions = mentionsIn(text, useNames())
  return (
    <>
      {mentions.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(mentions[index - 1]?.end ?? 0, start)}
          <strong className="font-semibold text-accent">{text.slice(start, end)}</strong>
        </span>
      ))}
      {text.slice(mentions.at(-1)?.end ?? 0)}
    </>
  )
}

type MentionListProps = {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  /** Called with the text that has the chosen name. */
  onChoose: (text: string) => void
}

/**
 * The members whose name is being typed after an at sign, below the field. Arrows, Enter, Tab and Escape work while the
 * focus stays in the field.
 */
export function MentionList({ field, text, onChoose }: MentionListProps) {
  const { t } = useTranslation('moviecard')
  const listId = useId()
  const { matches, active, choose } = useMention({ field, text, onChoose }, useNames())
  useActiveOption(field, listId, matches.length, active)

  if (matches.length === 0) return null
  return (
    <div
      id={listId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select would take the focus from the field
      role="listbox"
      aria-label={t('mentions.title')}
      className="max-h-48 overflow-y-auto rounded-control border border-line bg-surface p-1"
    >
      {matches.map((name, position) => (
        <button
          key={name}
          id={`${listId}-${position}`}
          type="button"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native option cannot show an avatar
          role="option"
          aria-selected={position === active}
          tabIndex={-1}
          // The focus stays in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(name)}
          className={classes(
            'flex min-h-9 w-full items-center gap-2 rounded-control px-2 text-start hover:bg-raised pointer-coarse:min-h-11',
            position === active && 'bg-raised',
          )}
        >
          <PersonAvatar username={name} size="small" />
          <span className="min-w-0 truncate">{name}</span>
        </button>
      ))}
    </div>
  )
}

/** The members whose name is being typed, and the one that a key would choose. */
function useMention({ field, text, onChoose }: MentionListProps, names: readonly string[]) {
  const [caret, setCaret] = useState(() => field.current?.selectionStart ?? text.length)
  const [{ place, index }, setActive] = useState({ place: -1, index: 0 })
  const [dismissed, setDismissed] = useState(-1)
  const nextCaret = useRef<number>(undefined)

  const typed = mentionBefore(text, Math.min(caret, text.length), names)
  const isOpen = typed !== undefined && typed.start !== dismissed
  const matches = isOpen ? typed.matches : []
  const active = typed?.start === place ? Math.min(index, matches.length - 1) : 0

  const choose = (name: string) => {
    if (typed === undefined) return
    const before = `${text.slice(0, typed.start)}@${name} `
    nextCaret.current = before.length
    setCaret(before.length)
    setDismissed(typed.start)
    onChoose(before + text.slice(caret).replace(/^ /u, ''))
  }

  // Before the next key is pressed.
  useLayoutEffect(() => {
    const input = field.current
    if (input === null) return undefined
    if (nextCaret.current !== undefined) {
      input.setSelectionRange(nextCaret.current, nextCaret.current)
      nextCaret.current = undefined
    }
    const follow = () => {
      setCaret(input.selectionStart)
      if (mentionBefore(input.value, input.selectionStart, names) === undefined) setDismissed(-1)
    }
    const press = (event: KeyboardEvent) => {
      if (!isOpen || event.ctrlKey || event.metaKey || event.isComposing) return
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const name = matches[active]
      if (move !== undefined) {
        setActive({ place: typed.start, index: (active + move + matches.length) % matches.length })
      } else if (event.key === 'Escape') setDismissed(typed.start)
      else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && name !== undefined) choose(name)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    const events = ['input', 'keyup', 'click', 'focus'] as const
    for (const name of events) input.addEventListener(name, follow)
    input.addEventListener('keydown', press)
    return () => {
      for (const name of events) input.removeEventListener(name, follow)
      input.removeEventListener('keydown', press)
    }
  })
  return { matches, active, choose }
}

/** Tells screen readers of the list, and of its active name. */
function useActiveOption(field: MentionListProps['field'], listId: string, count: number, active: number): void {
  const { t } = useTranslation('moviecard')
  useLayoutEffect(() => {
    const input = field.current
    if (count === 0 || input === null) return undefined
    announce(t('mentions.found', { count }))
    input.setAttribute('aria-controls', listId)
    return () => {
      input.removeAttribute('aria-controls')
      input.removeAttribute('aria-activedescendant')
    }
  }, [field, count, listId, t])

  useLayoutEffect(() => {
    if (count > 0) field.current?.setAttribute('aria-activedescendant', `${listId}-${active}`)
  }, [field, count, active, listId])
}
