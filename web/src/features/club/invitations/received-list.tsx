import type { ReceivedInvitation } from '@marquee/contract/entities/invitation'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, useId } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Banner, RetryBanner } from '#web/ui/banner.tsx'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Panel } from '#web/ui/panel.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { invitationFailure } from './failure.ts'
import { useAcceptReceived, useDecline } from './mutations.ts'
import { receivedInvitations } from './queries.ts'

type ReceivedListProps = {
  invitations: readonly ReceivedInvitation[]
  /** The user has joined. Opens the watchlist. */
  onJoined: (watchlist: Watchlist) => void
  /** The message about a declined invitation has left. */
  onEnd: () => void
}

/** The pending invitations for the user, each with its two answers. */
function ReceivedList({ invitations, onJoined, onEnd }: ReceivedListProps) {
  const { t } = useTranslation('watchlist')
  const place = useRef<HTMLDivElement>(null)
  const [declined, setDeclined] = useState<ReceivedInvitation>()
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-3 focus:outline-none">
      {declined !== undefined && (
        <BriefSuccess
          key={declined.watchlistId}
          onEnd={() => {
            setDeclined(undefined)
            onEnd()
          }}
        >
          {t('inbox.declined', { name: declined.watchlistName })}
        </BriefSuccess>
      )}
      {invitations.length > 0 && (
        <ul className="flex flex-col gap-4">
          {invitations.map((invitation) => (
            <ReceivedRow
              key={invitation.watchlistId}
              invitation={invitation}
              onJoined={onJoined}
              onDeclined={() => {
                setDeclined(invitation)
                // The button that declined is gone.
                focusSoon(place)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type ReceivedRowProps = {
  invitation: ReceivedInvitation
  onJoined: (watchlist: Watchlist) => void
  onDeclined: () => void
}

/** One pending invitation. Declining asks first, because only another invitation brings it back. */
function ReceivedRow({ invitation, onJoined, onDeclined }: ReceivedRowProps) {
  const { t } = useTranslation('watchlist')
  const { watchlistId, watchlistName } = invitation
  const accept = useAcceptReceived()
  const decline = useDecline()
  const { isOpen: isAsking, open: ask, close, ref } = useOpener()
  const isBusy = accept.isPending || decline.isPending

  return (
    <li className="flex flex-col gap-3 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <InvitationText invitation={invitation} />
      {accept.isError && <AnswerFailure what={t('inbox.acceptFailed')} error={accept.error} />}
      {decline.isError && <AnswerFailure what={t('inbox.declineFailed')} error={decline.error} />}
      {isAsking ? (
        <Question
          isBusy={isBusy}
          onYes={() => {
            accept.reset()
            // Not in the callback of the mutation: the row may be unmounted before.
            decline.mutateAsync(watchlistId).then(onDeclined, () => {})
          }}
          onNo={() => {
            decline.reset()
            close()
          }}
        />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button
            tone="primary"
            size="small"
            aria-label={t('inbox.acceptOf', { name: watchlistName })}
            busy={accept.isPending}
            disabled={isBusy}
            onClick={() => {
              accept.mutateAsync(watchlistId).then(onJoined, () => {})
            }}
          >
            {t('inbox.accept')}
          </Button>
          <Button
            ref={ref}
            tone="quiet"
            size="small"
            aria-label={t('inbox.declineOf', { name: watchlistName })}
            disabled={isBusy}
            onClick={ask}
          >
            {t('inbox.decline')}
          </Button>
        </div>
      )}
    </li>
  )
}

function InvitationText({ invitation }: Pick<ReceivedRowProps, 'invitation'>) {
  const { t } = useTranslation('watchlist')
  const { watchlistName, invitedBy, expiresAt } = invitation
  return (
    <div className="flex items-center gap-3">
      <PersonAvatar username={invitedBy} />
      <div className="min-w-0">
        <p className="font-medium">{t('inbox.row', { user: invitedBy, name: watchlistName })}</p>
        <p className="text-sm text-muted">{t('inbox.until', { date: dayText(expiresAt) })}</p>
      </div>
    </div>
  )
}

function Question({ isBusy, onYes, onNo }: { isBusy: boolean; onYes: () => void; onNo: () => void }) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="basis-full text-sm">{t('inbox.declineQuestion')}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the question replaces the button that was pressed */}
      <Button tone="quiet" size="small" autoFocus disabled={isBusy} onClick={onNo}>
        {t('inbox.declineNo')}
      </Button>
      <Button tone="danger" size="small" busy={isBusy} onClick={onYes}>
        {t('inbox.declineYes')}
      </Button>
    </div>
  )
}

/** Withdrawn, expired or answered in another tab. A retry does not help. */
function AnswerFailure({ what, error }: { what: string; error: unknown }) {
  const { t } = useTranslation('watchlist')
  return (
    <Banner tone="error">
      {isApiError(error, 'NOT_FOUND') ? (
        t('inbox.gone')
      ) : (
        <CallFailure what={what} kind={invitationFailure('accept', error)} error={error} />
      )}
    </Banner>
  )
}

/** The pending invitations as a section of a screen, hidden without any. The last answer stays for some seconds. */
export function WaitingInvitations({ onJoined }: { onJoined: (watchlist: Watchlist) => void }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const query = useQuery(receivedInvitations())
  const { data: invitations = [], isError } = query
  const [wasShown, setShown] = useState(false)
  const hasSome = invitations.length > 0
  if (hasSome && !wasShown) setShown(true)
  if (isError && !wasShown) {
    return (
      <div className="mb-6">
        <RetryBanner query={query}>{t('inbox.failed')}</RetryBanner>
      </div>
    )
  }
  if (!hasSome && !wasShown) return null
  return (
    <Panel aria-labelledby={headingId} className="mb-6 flex flex-col gap-4 border-accent!">
      <h2 id={headingId} className="text-xl">
        {t('inbox.title')}
      </h2>
      <ReceivedList invitations={invitations} onJoined={onJoined} onEnd={() => setShown(false)} />
    </Panel>
  )
}
