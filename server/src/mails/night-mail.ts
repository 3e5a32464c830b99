import { NIGHT_ANSWERS } from '@marquee/contract/entities/night'
import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'
import { oneLine, shorten } from '@marquee/platform/texts/one-line'

import type { NightMail } from '../rooms/nights/nights/service.ts'
import { PRODUCT_NAME } from '../texts/product-name.ts'
import { LOCALES } from '../texts/texts.ts'
import { turnOffLinks } from './notification-mail.ts'

/** Composes the mail to a member about a night. */
export function nightMails(publicUrl: string): (mail: NightMail) => MailMessage {
  return (mail) => {
    const { to, language, unsubscribeUrl, night, news, calendar, username, by: user, watchlistName: watchlist } = mail
    const texts = LOCALES.of(language)
    const { t } = texts
    const zone = night.timeZone ?? 'UTC'
    const facts = [
      ...night.times.map(({ localTime }) => t('night.time', { time: texts.time(localTime, 'full'), zone })),
      ...(night.place === null ? [] : [t('night.place', { place: night.place })]),
      ...(night.maxRuntimeMinutes === null ? [] : [t('night.runtime', { count: night.maxRuntimeMinutes })]),
    ]
    const page = `${publicUrl}/watchlists/${night.watchlistId}/night`
    const [time] = night.times
    return writeMail({
      to,
      subject:
        news === 'fixed' && time !== undefined
          ? t('night.fixed.subject', { time: texts.time(time.localTime, 'full') })
          : t(`night.${news}.subject`, { watchlist: shorten(oneLine(watchlist)) }),
      texts,
      from: PRODUCT_NAME,
      parts: [
        { paragraph: t('hello', { username }) },
        { paragraph: t(`night.${news}.intro`, { user, watchlist }) },
        { lines: facts },
        ...(night.note === null ? [] : [{ quote: night.note.split('\n') }]),
        ...questionOf(texts, mail, page),
        { smallPrint: t('night.open'), link: page },
        ...turnOffLinks(texts, publicUrl, unsubscribeUrl),
      ],
      ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
      ...(calendar && { calendar }),
    })
  }
}

/**
 * What the reader is asked to do next. The user who made the change is asked nothing, and a reader who has said yes only
 * reads that they can change it.
 */
function questionOf(
  { t }: ReturnType<typeof LOCALES.of>,
  { night, news, isOwn, answer, answerUrl }: NightMail,
  page: string,
): Parameters<typeof writeMail>[0]['parts'] {
  if (isOwn) return [{ paragraph: t('night.entry') }]
  if (news === 'cancelled') return [{ paragraph: t('night.all') }, { link: page, label: t('night.nights') }]
  const link = answerUrl ?? page
  if (answer === 'in') return [{ paragraph: t('night.yourIn') }, { link, label: t('night.changeAnswer') }]
  if (night.times.length > 1) return [{ paragraph: t('night.choose') }, { link, label: t('night.answer') }]
  if (answerUrl === undefined) return [{ paragraph: t('night.ask') }, { link, label: t('night.answer') }]
  return [
    { paragraph: t('night.ask') },
    {
      links: NIGHT_ANSWERS.map((one) => ({ link: `${answerUrl}?answer=${one}`, label: t(`night.answers.${one}`) })),
    },
  ]
}
