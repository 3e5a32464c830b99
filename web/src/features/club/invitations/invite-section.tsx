import type { Invitation, PendingInvitation } from '@marquee/contract/entities/invitation'
import { useQuery } from '@tanstack/react-query'
import { Check, Link2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Banner, PartFailed, RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { InviteForm } from './invite-form.tsx'
import { pendingInvitations } from './queries.ts'

const PendingList = lazyPart({
  load: async () => (await import('./pending-list.tsx')).PendingList,
  Failed: PartFailed,
})

type Notice =
  | { of: 'nothing' }
  | { of: 'sent'; invitation: Invitation }
  | { of: 'link'; invitation: Invitation }
  | { of: 'mailed'; invitation: PendingInvitation }
  | { of: 'withdrawn'; username: string }

/** For members: invite users, and see the pending invitations. */
export function InviteSection({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const list = useRef<HTMLDivElement>(null)
  const { data: pending = [], isError, isFetching, refetch } = useQuery(pendingInvitations(watchlistId))
  // The dialogs of the list finish after its last invitation is withdrawn.
  const [hasList, setHasList] = useState(false)
  if (!hasList && pending.length > 0) setHasList(true)
  const [notice, setNotice] = useState<Notice>({ of: 'nothing' })
  // Only the reply to the inviter has the token, so this screen remembers the links of its own invitations.
  const [sent, setSent] = useState<readonly Invitation[]>([])

  const invited = (invitation: Invitation) => {
    setSent((earlier) => [...earlier.filter(({ username }) => username !== invitation.username), invitation])
    setNotice({ of: 'sent', invitation })
  }

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="font-sans text-sm font-semibold tracking-normal text-muted">
        {t('invite.title')}
      </h2>
      <InviteForm
        watchlistId={watchlistId}
        onStart={() => setNotice({ of: 'nothing' })}
        onInvited={invited}
        onMailed={(invitation) => setNotice({ of: 'mailed', invitation })}
      />
      <NoticeBanner notice={notice} />
      <div ref={list} tabIndex={-1} className="focus:outline-none">
        {isError && (
          <RetryBanner onRetry={refetch} isRetrying={isFetching}>
            {t('pending.failed')}
          </RetryBanner>
        )}
        {hasList && (
          <PendingList
            watchlistId={watchlistId}
            pending={pending}
            linkOf={(username) => sent.find((invitation) => invitation.username === username)}
            onShowLink={(invitation) => setNotice({ of: 'link', invitation })}
            onInvited={invited}
            onWithdrawn={(username) => {
              setSent((earlier) => earlier.filter((invitation) => invitation.username !== username))
              setNotice({ of: 'withdrawn', username })
              // The button that opened the dialog is gone.
              focusSoon(list)
            }}
          />
        )}
      </div>
    </section>
  )
}

function NoticeBanner({ notice }: { notice: Notice }) {
  const { t } = useTranslation('watchlist')
  switch (notice.of) {
    case 'nothing':
      return null
    case 'withdrawn':
      return <Banner tone="success">{t('pending.withdrawn', { name: notice.username })}</Banner>
    case 'mailed': {
      const { username, expiresAt } = notice.invitation
      return (
        <Banner tone="success">
          <p className="font-semibold">{t('invite.mailed', { address: username })}</p>
          <p className="text-sm text-muted">{t('invite.mailedHint', { date: dayText(expiresAt) })}</p>
        </Banner>
      )
    }
    case 'sent':
    case 'link': {
      const { username, token, expiresAt } = notice.invitation
      const texts = { name: username, date: dayText(expiresAt) }
      return (
        <Banner
          key={token}
          tone={notice.of === 'sent' ? 'success' : 'info'}
          action={<CopyLink url={`${location.origin}${to.acceptInvitation(token)}`} />}
        >
          {notice.of === 'sent' ? (
            <>
              <p className="font-semibold">{t('invite.sent')}</p>
              <p className="text-sm text-muted">{t('invite.sentTo', texts)}</p>
            </>
          ) : (
            <p>{t('invite.linkOf', texts)}</p>
          )}
        </Banner>
      )
    }
  }
}

type CopyState = 'ready' | 'copied' | 'by-hand'

/** Copies an invitation link. If the browser forbids it, the link is shown to be copied by hand. */
function CopyLink({ url }: { url: string }) {
  const { t } = useTranslation('watchlist')
  const [state, setState] = useState<CopyState>('ready')

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setState('copied')
    } catch {
      setState('by-hand')
    }
  }

  if (state === 'by-hand') {
    return (
      <TextField
        label={t('invite.link')}
        hint={t('invite.copyByHand')}
        name="invitationLink"
        readOnly
        value={url}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
        autoFocus
        onFocus={({ target }) => target.select()}
      />
    )
  }
  return (
    <Button
      tone="quiet"
      size="small"
      icon={state === 'copied' ? <Check aria-hidden /> : <Link2 aria-hidden />}
      aria-live="polite"
      onClick={() => void copy()}
    >
      {t(state === 'copied' ? 'invite.copied' : 'invite.copy')}
    </Button>
  )
}
