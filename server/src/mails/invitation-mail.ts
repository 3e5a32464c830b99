import type { Language } from '@marquee/contract/languages'
import { INVITATION_VALID_DAYS } from '@marquee/contract/limits'
import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'
import { oneLine, shorten } from '@marquee/platform/texts/one-line'

import { PRODUCT_NAME } from '../texts/product-name.ts'
import { LOCALES } from '../texts/texts.ts'

type Invitation = {
  to: string
  language: Language | undefined
  invitedBy: string
  watchlistName: string
  token: string
}

/** Composes the mail that invites a user. */
export function invitationMails(publicUrl: string): (invitation: Invitation & { username: string }) => MailMessage {
  return (invitation) => compose(invitation, `${publicUrl}/watchlists/invitation/accept?token=${invitation.token}`)
}

/**
 * Composes the mail that invites an address, which may have an account or not. The link has the address in its fragment, for
 * the sign-up.
 */
export function joinMails(publicUrl: string): (invitation: Invitation) => MailMessage {
  return (invitation) =>
    compose(invitation, `${publicUrl}/join/${invitation.token}#email=${encodeURIComponent(invitation.to)}`)
}

function compose(
  { to, language, username, invitedBy: user, watchlistName: watchlist }: Invitation & { username?: string },
  link: string,
): MailMessage {
  const texts = LOCALES.of(language)
  const { t } = texts
  const short = { user: shorten(oneLine(user)), watchlist: shorten(oneLine(watchlist)) }
  return writeMail({
    to,
    subject: t('invitation.subject', { ...short, product: PRODUCT_NAME }),
    texts,
    from: PRODUCT_NAME,
    parts: [
      ...(username === undefined ? [] : [{ paragraph: t('hello', { username }) }]),
      { paragraph: t('invitation.intro', { user, watchlist }) },
      { link, label: t('invitation.button') },
      { paragraph: t('invitation.outro', { count: INVITATION_VALID_DAYS, user }) },
    ],
  })
}
