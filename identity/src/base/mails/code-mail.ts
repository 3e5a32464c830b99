import type { MailMessage } from '@marquee/platform/mail/message'
import { bySms } from '@marquee/platform/sms/sms-message'

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

/** The purposes of mailed codes; the others are sent to phones. */
type MailedPurpose = Exclude<CodePurpose, 'phone' | 'first-phone' | 'sign-in-phone'>

const TEXTS: Readonly<Record<MailedPurpose, { subject: string; intro: string; outro: string }>> = {
  'sign-up': {
    subject: 'Your verification code',
    intro: 'Welcome! This is the code that confirms your e-mail address:',
    outro: 'It is valid for 24 hours. If you did not sign up, you can ignore this mail.',
  },
  reset: {
    subject: 'Your password reset code',
    intro: 'This is the code to set a new password:',
    outro:
      'It is valid for one hour. If you did not ask for it, you can ignore this mail: your password stays as it is.',
  },
  email: {
    subject: 'Confirm your new e-mail address',
    intro: 'This is the code that confirms your new e-mail address:',
    outro: 'It is valid for 24 hours. If you did not ask for it, you can ignore this mail.',
  },
  'first-email': {
    subject: 'Your sign-in code',
    intro: 'This is the code to sign in with:',
    outro:
      'It is valid for three minutes. If you are not signing in, you can ignore this mail: the code is needed to sign in.',
  },
  'sign-in-email': {
    subject: 'Your sign-in code',
    intro: 'This is the code to sign in with:',
    outro:
      'It is valid for three minutes. If you are not signing in, another person may know your password: change it.',
  },
}

const LINK_TEXTS = {
  subject: 'Confirm your e-mail address',
  intro: 'Welcome! Open this link to confirm your e-mail address:',
}

/** The mail with a code or a link. In the text part it is on its own line. */
function codeMail(mail: {
  purpose: MailedPurpose
  to: string
  code: string
  productName: string
  link?: string | undefined
}): MailMessage {
  const { code, link, productName: product } = mail
  const { subject, intro, outro } = { ...TEXTS[mail.purpose], ...(link !== undefined && LINK_TEXTS) }
  return {
    to: mail.to,
    subject: `${subject} for ${product}`,
    text: `${intro}\n\n${link ?? code}\n\n${outro}\n\n${product}\n`,
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">',
      `<p>${intro}</p>`,
      link === undefined
        ? `<p style="font-size:1.75rem;font-weight:700;letter-spacing:.2em">${code}</p>`
        : `<p><a href="${escapeHtml(link)}">${LINK_TEXTS.subject}</a></p>`,
      `<p>${outro}</p>`,
      `<p>${escapeHtml(product)}</p>`,
      '</body></html>',
    ].join('\n'),
  }
}

/** The mail or text message with a code; `to` is an address or a phone number, depending on the purpose. */
export function codeMessage(message: {
  purpose: CodePurpose
  to: string
  code: string
  productName: string
  link?: string | undefined
}): MailMessage {
  const { purpose, to, code, productName, link } = message
  if (purpose === 'phone' || purpose === 'first-phone' || purpose === 'sign-in-phone') {
    return bySms({ to, text: `${code} is your ${productName} code. Do not give it to anyone.` })
  }
  return codeMail({ purpose, to, code, productName, link })
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
