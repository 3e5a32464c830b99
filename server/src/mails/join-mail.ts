import type { Language } from '@marquee/contract/languages'
import { INVITATION_VALID_DAYS } from '@marquee/contract/limits'
import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'
import { oneLine, shorten } from '@marquee/platform/texts/one-line'

import { PRODUCT_NAME } from '../product-name.ts'
import { LOCALES } from '../texts/texts.ts'

type Invitation = {
  to: string
  language: Language | undefined
  invitedBy: string
  watchlistName: string
  token: string
}

/** Composes the mail that invites an address, which may have an account or not. */
export function joinMails(publicUrl: string): (invitation: Invitation) => MailMessage {
  return ({ to, language, token, invitedBy: user, watchlistName: watchlist }) => {
    const texts = LOCALES.of(language)
    const { t } = texts
    const short = { user: shorten(oneLine(user)), watchlist: shorten(oneLine(watchlist)) }
    return writeMail({
      to,
      subject: t('invitation.subject', { ...short, product: PRODUCT_NAME }),
      texts,
      from: PRODUCT_NAME,
      parts: [
        { paragraph: t('invitation.intro', { user, watchlist }) },
        { link: `${publicUrl}/join/${token}`, label: t('invitation.button') },
        { paragraph: t('invitation.outro', { count: INVITATION_VALID_DAYS, user }) },
      ],
    })
  }
}
