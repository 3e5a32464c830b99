import type { Language } from '@marquee/contract/languages'
import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'

import { PRODUCT_NAME } from '../texts/product-name.ts'
import { LOCALES } from '../texts/texts.ts'

/** A mail that shows that the installation can send mail. */
export function testMails(publicUrl: string): (mail: { email: string; language: Language }) => MailMessage {
  return ({ email, language }) => {
    const texts = LOCALES.of(language)
    return writeMail({
      to: email,
      subject: texts.t('testMail.subject', { product: PRODUCT_NAME }),
      texts,
      from: PRODUCT_NAME,
      parts: [{ paragraph: texts.t('testMail.text', { url: publicUrl }) }],
    })
  }
}
