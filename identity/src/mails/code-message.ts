import type { MailMessage } from '@marquee/platform/mail/message'
import { bySms } from '@marquee/platform/sms/sms-message'

import type { CodePurpose } from './code-mail.ts'
import { codeMail } from './code-mail.ts'

/** The mail or text message with a code; `to` is an address or a phone number, as the purpose wants. */
export function codeMessage(message: {
  purpose: CodePurpose
  to: string
  code: string
  productName: string
  link?: string | undefined
}): MailMessage {
  const { purpose, to, code, productName, link } = message
  if (purpose === 'phone' || purpose === 'first-phone' || purpose === 'sign-in-phone') {
    return bySms({ to, text: `${code} is your ${productName} code. Do not give it to anybody.` })
  }
  return codeMail({ purpose, to, code, productName, link })
}
