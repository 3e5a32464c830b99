import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'
import { oneLine, shorten } from '@marquee/platform/texts/one-line'

import type { NightMail } from '../rooms/nights/nights/service.ts'
import { PRODUCT_NAME } from '../texts/product-name.ts'
import { LOCALES } from '../texts/texts.ts'
import { turnOffLinks } from './notification-mail.ts'

/** Composes the mail to a member about a night. */
export function nightMails(publicUrl: string): (mail: NightMail) => MailMessage {
  return ({ to, language, unsubscribeUrl, night, news, calendar, username, by: user, watchlistName: watchlist }) => {
    const texts = LOCALES.of(language)
    const { t } = texts
    const zone = night.timeZone ?? 'UTC'
    const facts = [
      ...night.times.map(({ localTime }) => t('night.time', { time: texts.time(localTime, 'full'), zone })),
      ...(night.place === null ? [] : [t('night.place', { place: night.place })]),
      ...(night.maxRuntimeMinutes === null ? [] : [t('night.runtime', { count: night.maxRuntimeMinutes })]),
    ]
    const ask = night.times.length > 1 ? t('night.choose') : t('night.ask')
    const isCancelled = news === 'cancelled'
    return writeMail({
      to,
      subject: t(`night.${news}.subject`, { watchlist: shorten(oneLine(watchlist)) }),
      texts,
      from: PRODUCT_NAME,
      parts: [
        { paragraph: t('hello', { username }) },
        { paragraph: t(`night.${news}.intro`, { user, watchlist }) },
        { lines: facts },
        ...(night.note === null ? [] : [{ quote: night.note.split('\n') }]),
        { paragraph: isCancelled ? t('night.all') : ask },
        {
          link: `${publicUrl}/watchlists/${night.watchlistId}/night`,
          label: isCancelled ? t('night.nights') : t('night.answer'),
        },
        ...turnOffLinks(texts, publicUrl, unsubscribeUrl),
      ],
      ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
      ...(calendar && { calendar }),
    })
  }
}
