import type { Invitation, PendingInvitation } from '@marquee/contract/entities/invitation'
import { Check, Link2 } from 'lucide-react'
import { useState } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export type Notice =
  | { of: 'nothing' }
  | { of: 'sent'; invitation: Invitation }
  | { of: 'link'; invitation: Invitation }
  | { of: 'mailed'; invitation: PendingInvitation }
  | { of: 'withdrawn'; username: string }

/** What the last press did. A message that says where the invitation is stays until the next press. */
export function NoticeBanner({ notice, onEnd }: { notice: Notice; onEnd: () => void }) {
  const { t } = useTranslation('watchlist')
  switch (notice.of) {
    case 'nothing':
      return null
    case 'withdrawn':
      return (
        <BriefSuccess key={notice.username} onEnd={onEnd}>
          {t('pending.withdrawn', { name: notice.username })}
        </BriefSuccess>
      )
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
