import type { MailMessage } from '@marquee/platform/mail/message'
import { writeMail } from '@marquee/platform/mail/write-mail'
import { bySms } from '@marquee/platform/sms/sms-message'

import type { MailTexts } from './mail-texts.ts'

/** The purpose of a code; `email` and `phone` verify a new address or number, the others give access to the account. */
export type CodePurpose =
  | 'sign-up'
  | 'reset'
  | 'email'
  | 'phone'
  | 'first-email'
  | 'first-phone'
  | 'sign-in-email'
  | 'sign-in-phone'

/** A message with a code, and with a link if the installation mails links. */
type CodeMessage = { to: string; code: string; productName: string; link?: string | undefined }

/** The mail or text message with a code; `to` is an address or a phone number, depending on the purpose. */
export function codeMessage(texts: MailTexts, message: CodeMessage & { purpose: CodePurpose }): MailMessage {
  const { purpose, to, code, productName: product } = message
  if (purpose === 'phone' || purpose === 'first-phone' || purpose === 'sign-in-phone') {
    return bySms({ to, text: texts.t('code.sms', { code, product }) })
  }
  return codeMail(texts, { ...message, purpose })
}

/** In the text part, the code or link is on its own line. */
function codeMail(
  texts: MailTexts,
  {
    purpose,
    to,
    code,
    link,
    productName: product,
  }: CodeMessage & { purpose: Exclude<CodePurpose, 'phone' | 'first-phone' | 'sign-in-phone'> },
): MailMessage {
  const { t } = texts
  const text = link === undefined ? purpose : 'link'
  return writeMail({
    to,
    subject: t(`code.${text}.subject`, { product }),
    texts,
    from: product,
    parts: [
      { paragraph: t(`code.${text}.intro`) },
      link === undefined ? { code } : { link, label: t('code.link.button') },
      { paragraph: t(`code.${purpose}.outro`) },
    ],
  })
}
