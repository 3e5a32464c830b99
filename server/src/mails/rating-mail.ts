import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'
import { oneLine, shorten } from '@marquee/platform/texts/one-line'

import type { RatingMail } from '../rooms/nights/nights/service.ts'
import { PRODUCT_NAME } from '../texts/product-name.ts'
import { LOCALES } from '../texts/texts.ts'
import { turnOffLinks } from './notification-mail.ts'

/** Composes the mail that asks a member for ratings. */
export function ratingMails(publicUrl: string): (mail: RatingMail) => MailMessage {
  return ({ to, language, unsubscribeUrl, watchlistId, titles, username, watchlistName: watchlist }) => {
    const texts = LOCALES.of(language)
    const { t } = texts
    return writeMail({
      to,
      subject: t('rating.subject', { watchlist: shorten(oneLine(watchlist)) }),
      texts,
      from: PRODUCT_NAME,
      parts: [
        { paragraph: t('hello', { username }) },
        { paragraph: t('rating.intro', { watchlist }) },
        { quote: titles },
        { paragraph: t('rating.call') },
        { link: `${publicUrl}/watchlists/${watchlistId}`, label: t('rating.button') },
        ...turnOffLinks(texts, publicUrl, unsubscribeUrl),
      ],
      ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
    })
  }
}
