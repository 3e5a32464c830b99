import type { MailMessage } from '@marquee/platform/mail/message'

import type { CodePurpose } from '../users/code.ts'

const TEXTS: Readonly<Record<CodePurpose, { subject: string; intro: string; outro: string }>> = {
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
}

/** The mail with a code; in its text part the code stands on a line of its own. */
export function codeMail(mail: { purpose: CodePurpose; to: string; code: string; productName: string }): MailMessage {
  const { subject, intro, outro } = TEXTS[mail.purpose]
  const product = mail.productName
  return {
    to: mail.to,
    subject: `${subject} for ${product}`,
    text: `${intro}\n\n${mail.code}\n\n${outro}\n\n${product}\n`,
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">',
      `<p>${intro}</p>`,
      `<p style="font-size:1.75rem;font-weight:700;letter-spacing:.2em">${mail.code}</p>`,
      `<p>${outro}</p>`,
      `<p>${escapeHtml(product)}</p>`,
      '</body></html>',
    ].join('\n'),
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
