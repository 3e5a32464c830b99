import type { Member, Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { Crown, Ellipsis, UserMinus } from 'lucide-react'
import { type Ref, type RefObject, useId, useMemo, useRef, useState } from 'react'

import '#web/i18n/club-texts.ts'
import { dayText } from '#web/i18n/dates.ts'
import { locale } from '#web/i18n/language.ts'
import { whyFailed } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { classes } from '#web/ui/classes.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { inputStyle } from '#web/ui/field.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Menu, MenuAction } from '#web/ui/menu.tsx'

import { MemberList, MOST_ROWS } from './member-list.tsx'
import { useHandOver, useRemoveMember } from './settings-mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

type MemberSectionProps = { watchlist: Watchlist; username: string; isOwner: boolean }

type Question = 'removal' | 'hand-over'
type Asking = { about: 'nothing' } | { about: Question; username: string }
type Outcome = { of: 'nothing' } | { of: 'removed' | 'handedOver'; username: string }

function byName(members: readonly Member[]): Member[] {
  const { compare } = new Intl.Collator(locale)
  return members.toSorted((one, other) => compare(one.username, other.username))
}

/** The members by name. The owner may remove a member or hand the watchlist over. */
export function MemberSection({ watchlist, username, isOwner }: MemberSectionProps) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { asking, outcome, forgetOutcome, buttonRef, ask, keep, done } = useAsking(heading)
  const [sought, setSought] = useState('')
  const members = useMemo(() => byName(watchlist.members ?? []), [watchlist.members])
  const found = members.filter((member) => member.username.toLowerCase().includes(sought.trim().toLowerCase()))
  const actions = (member: Member) =>
    isSameUser(member.username, username) ? null : (
      <MemberMenu ref={buttonRef(member)} name={member.username} onChoose={(about) => ask(about, member)} />
    )

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2
        ref={heading}
        id={headingId}
        tabIndex={-1}
        className="font-sans text-sm font-semibold tracking-normal text-muted focus:outline-none"
      >
        {t('detail.members')}
      </h2>
      {outcome.of !== 'nothing' && (
        <BriefSuccess onEnd={forgetOutcome}>{t(`members.${outcome.of}`, { name: outcome.username })}</BriefSuccess>
      )}
      {(members.length >= MOST_ROWS || sought !== '') && (
        <input
          type="search"
          aria-label={t('members.search')}
          placeholder={t('members.search')}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
          className={classes(inputStyle, 'max-w-md')}
        />
      )}
      {found.length === 0 && <p className="text-muted">{t('members.noneFound')}</p>}
      <MemberList
        members={found}
        ownerId={watchlist.ownerId}
        username={username}
        isWide
        renderNote={({ joinedAt }) => t('memberSince', { date: dayText(joinedAt) })}
        renderActions={isOwner ? actions : undefined}
      />
      <RemoveMemberDialog
        watchlist={watchlist}
        username={asking.about === 'removal' ? asking.username : undefined}
        onKept={keep}
        onDone={(removed) => done({ of: 'removed', username: removed })}
      />
      <HandOverDialog
        watchlist={watchlist}
        username={asking.about === 'hand-over' ? asking.username : undefined}
        onKept={keep}
        onDone={(successor) => done({ of: 'handedOver', username: successor })}
      />
    </section>
  )
}

/** The question that is open, if any, and what its answer did. */
function useAsking(heading: RefObject<HTMLElement | null>) {
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  /** The menu that asked. */
  const asker = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState<Asking>({ about: 'nothing' })
  const [outcome, setOutcome] = useState<Outcome>({ of: 'nothing' })
  const forgetOutcome = () => setOutcome({ of: 'nothing' })
  return {
    asking,
    outcome,
    forgetOutcome,
    buttonRef: (member: Member) => (button: HTMLButtonElement | null) => {
      if (button !== null) buttons.current.set(member.username, button)
    },
    ask: (about: Question, { username }: Member) => {
      forgetOutcome()
      setAsking({ about, username })
      asker.current = buttons.current.get(username) ?? null
    },
    keep: () => {
      setAsking({ about: 'nothing' })
      focusSoon(asker)
    },
    done: (what: Outcome) => {
      setAsking({ about: 'nothing' })
      setOutcome(what)
      // The buttons that opened the dialogs are gone.
      focusSoon(heading)
    },
  }
}

type MemberMenuProps = { ref: Ref<HTMLButtonElement>; name: string; onChoose: (about: Question) => void }

function MemberMenu({ ref, name, onChoose }: MemberMenuProps) {
  const { t } = useTranslation('watchlist')
  return (
    <Menu
      ref={ref}
      label={t('members.actions', { name })}
      align="end"
      triggerClassName="-my-1 flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-raised data-open:bg-raised"
      trigger={<Ellipsis aria-hidden className="size-5" />}
    >
      <MenuAction icon={<Crown aria-hidden />} onSelect={() => onChoose('hand-over')}>
        {t('members.handOverTo', { name })}
      </MenuAction>
      <MenuAction icon={<UserMinus aria-hidden />} onSelect={() => onChoose('removal')}>
        {t('members.remove', { name })}
      </MenuAction>
    </Menu>
  )
}

type MemberDialogProps = {
  watchlist: Watchlist
  /** The member, undefined while the dialog is closed. */
  username: string | undefined
  onKept: () => void
  onDone: (username: string) => void
}

function RemoveMemberDialog({ watchlist, username = '', onKept, onDone }: MemberDialogProps) {
  const { t } = useTranslation('watchlist')
  const remove = useRemoveMember(watchlist)
  return (
    <ConfirmDialog
      isOpen={username !== ''}
      title={t('removeMember.title', { name: username })}
      description={t('removeMember.description', { name: username })}
      confirmLabel={t('removeMember.confirm')}
      cancelLabel={t('removeMember.cancel')}
      action={remove}
      failure={whyFailed(t('removeMember.failed'), (error) => watchlistFailure('update', error))}
      onCancel={onKept}
      onConfirm={() => remove.mutate(username, { onSuccess: () => onDone(username) })}
    />
  )
}

function HandOverDialog({ watchlist, username = '', onKept, onDone }: MemberDialogProps) {
  const { t } = useTranslation('watchlist')
  const handOver = useHandOver(watchlist.id)
  return (
    <ConfirmDialog
      isOpen={username !== ''}
      title={t('handOver.title', { name: username })}
      description={t('handOver.description', { name: username })}
      confirmLabel={t('handOver.confirm')}
      cancelLabel={t('handOver.cancel')}
      action={handOver}
      failure={whyFailed(t('handOver.failed'), (error) => watchlistFailure('update', error))}
      onCancel={onKept}
      onConfirm={() => handOver.mutate(username, { onSuccess: () => onDone(username) })}
    />
  )
}
