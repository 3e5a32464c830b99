import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'

import type { NotificationMail } from '../rooms/news/notifications/mail-queue.ts'
import { PRODUCT_NAME } from '../texts/product-name.ts'
import { headlineOf, placeOf, sentenceOf, subjectOf } from '../texts/notification-text.ts'
import { LOCALES } from '../texts/texts.ts'

/** Composes the mail about notifications. */
export function notificationMails(publicUrl: string): (mail: NotificationMail) => MailMessage {
  return ({ to, language, username, notifications, more, unsubscribeUrl }) => {
    const texts = LOCALES.of(language)
    const { t } = texts
    const [first, ...others] = notifications
    const isAlone = first !== undefined && others.length === 0
    return writeMail({
      to,
      subject: isAlone ? headlineOf(texts, first) : t('notification.subject', { count: notifications.length + more }),
      texts,
      from: PRODUCT_NAME,
      parts: [
        { paragraph: t('hello', { username }) },
        ...notifications.flatMap((notification) => [
          { paragraph: sentenceOf(texts, notification) },
          { quote: [subjectOf(notification)] },
        ]),
        ...(more > 0 ? [{ paragraph: t('notification.more', { count: more }) }] : []),
        { link: publicUrl + (isAlone ? placeOf(first) : '/notifications'), label: t('notification.open') },
        ...turnOffLinks(texts, publicUrl, unsubscribeUrl),
      ],
      unsubscribeUrl,
    })
  }
}

/** The links below a mail that its reader can turn off. */
export function turnOffLinks(
  { t }: ReturnType<typeof LOCALES.of>,
  publicUrl: string,
  unsubscribeUrl: string | undefined,
) {
  return [
    { smallPrint: t('notification.settings'), link: `${publicUrl}/account/notifications` },
    ...(unsubscribeUrl === undefined ? [] : [{ smallPrint: t('unsubscribe.link'), link: unsubscribeUrl }]),
  ]
}
