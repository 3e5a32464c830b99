import type { MailMessage } from '@marquee/platform/mail/message'

import type { EventKind } from '../audit/event-kinds.ts'
import { escapeHtml } from './code-mail.ts'

const ADVICE =
  'If this was you, there is nothing to do. If not, open the app, choose “Forgot your password?”, set a new password, and look at the security page.'
/** Actions of operators, which the owner of the account cannot undo. */
const ASK = 'If you did not expect this, write to the people who run the installation.'

type NoticeText = readonly [subject: string, text: string, advice?: string]

const TEXTS = {
  'password-changed': [
    'Your password was changed',
    'Your password was changed, and all other devices were signed out.',
  ],
  'password-reset': [
    'Your password was reset',
    'A new password was set with a code from this mailbox, and all devices were signed out.',
  ],
  'temporary-password-replaced': [
    'Your own password was set',
    'You replaced the temporary password, which no longer works.',
  ],
  'email-changed': [
    'Your e-mail address was changed',
    'Your account now has another e-mail address. This one no longer signs in.',
  ],
  'phone-changed': ['Your phone number was changed', 'Codes by text message now go to another number.'],
  'phone-removed': ['Your phone number was removed', 'Your phone number was removed. It no longer gets codes.'],
  'second-factor-on': ['A second step was turned on', 'Signing in now takes more than your password.'],
  'second-factor-off': ['A second step was turned off', 'Signing in no longer asks for one of your second steps.'],
  'app-set-up': [
    'Another authenticator app was set up',
    'You now sign in with codes of another authenticator app. Codes of the previous app no longer work.',
  ],
  'recovery-codes-made': [
    'New recovery codes were made',
    'New recovery codes were made. The previous ones no longer work.',
  ],
  'recovery-code-used': [
    'A recovery code was used',
    'One of your recovery codes was used to sign in. It will not work again.',
  ],
  'passkey-added': ['A passkey was added', 'A new passkey can sign in as you, without your password.'],
  'personal-token-made': [
    'A personal access token was made',
    'A new token lets a script call the API as you, without your password.',
  ],
  'provider-linked': [
    'Another way to sign in was added',
    'An account at another provider can now sign in as you, without your password.',
  ],
  'provider-unlinked': ['A way to sign in was removed', 'An account at another provider can no longer sign in as you.'],
  'passkey-removed': ['A passkey was removed', 'One of your passkeys no longer signs in.'],
  'session-stolen': [
    'A sign-in was ended',
    'Two programs used the same sign-in, as if one had stolen it from the other. Both were signed out.',
  ],
  'admin-made-account': [
    'An account was made for you',
    'The people who run the installation made an account for you, with this e-mail address. They have the temporary password to sign in with for the first time.',
    ASK,
  ],
  'admin-confirmed-account': [
    'Your account was confirmed',
    'The people who run the installation confirmed your e-mail address without a code from this mailbox.',
    ASK,
  ],
  'admin-set-password': [
    'You were given a temporary password',
    'The people who run the installation replaced your password with a temporary one, and all devices were signed out.',
    ASK,
  ],
  'admin-required-reset': [
    'You need a new password',
    'The people who run the installation made your password invalid, and all devices were signed out. Open the app and choose “Forgot your password?” to set a new one.',
    ASK,
  ],
  'admin-made-reset-link': [
    'A link to set a new password was made',
    'The people who run the installation made a link to set a new password for your account. It works once, within an hour.',
    ASK,
  ],
  'admin-disabled-account': [
    'Your account was disabled',
    'The people who run the installation disabled your account. You cannot sign in, and all devices were signed out.',
    ASK,
  ],
  'admin-enabled-account': [
    'Your account was enabled again',
    'The people who run the installation enabled your account again. You can sign in.',
    ASK,
  ],
  'account-deleted': [
    'Your account was deleted',
    'Your account and all its data were deleted. This is the last mail about it.',
    'If this was not you, write to the people who run the installation.',
  ],
} as const satisfies Partial<Record<EventKind | 'account-deleted', NoticeText>>

type Notice = keyof typeof TEXTS

/** Whether the user is notified by mail. */
export function isNoticed(kind: EventKind): kind is Notice & EventKind {
  return Object.hasOwn(TEXTS, kind)
}

/** The mail about a change. It has no link, so that users do not learn to follow one. @param at ISO time */
export function noticeMail(notice: {
  kind: Notice
  to: string
  at: string
  client: string
  productName: string
}): MailMessage {
  const [subject, text, advice = ADVICE]: NoticeText = TEXTS[notice.kind]
  const product = notice.productName
  const when = `${notice.at.slice(0, 10)}, ${notice.at.slice(11, 16)} UTC${notice.client === '' ? '' : `, ${notice.client}`}`
  const paragraphs = [text, when, advice, product]
  return {
    to: notice.to,
    subject: `${subject} on ${product}`,
    text: `${paragraphs.join('\n\n')}\n`,
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">',
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      '</body></html>',
    ].join('\n'),
  }
}
