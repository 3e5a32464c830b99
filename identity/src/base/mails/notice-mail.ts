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
    'A password was chosen in the place of the temporary one, which no longer works.',
  ],
  'email-changed': [
    'Your e-mail address was changed',
    'Your account belongs to another e-mail address now, and this one no longer signs in.',
  ],
  'phone-changed': ['Your phone number was changed', 'Codes by text message go to another number from now on.'],
  'phone-removed': [
    'Your phone number was removed',
    'Your phone number was removed. No codes go to it any more, at sign-in neither.',
  ],
  'second-factor-on': ['A second step was turned on', 'Signing in asks for more than your password from now on.'],
  'second-factor-off': [
    'A second step was turned off',
    'One way of proving that it is you is no longer asked for at sign-in.',
  ],
  'app-set-up': [
    'Another authenticator app was set up',
    'Codes of another authenticator app are asked for at sign-in, and those of the app before no longer work.',
  ],
  'recovery-codes-made': [
    'New recovery codes were made',
    'New recovery codes were made; the ones before them are void.',
  ],
  'recovery-code-used': [
    'A recovery code was used',
    'One of your recovery codes was used to sign in. It will not work again.',
  ],
  'passkey-added': ['A passkey was added', 'A new passkey can sign in as you, without your password.'],
  'provider-linked': [
    'Another way to sign in was added',
    'An account elsewhere can sign in as you from now on, without your password.',
  ],
  'provider-unlinked': ['A way to sign in was removed', 'An account elsewhere no longer signs in as you.'],
  'passkey-removed': ['A passkey was removed', 'One of your passkeys no longer signs in.'],
  'session-stolen': [
    'A sign-in was ended',
    'Two programs went on with the same sign-in, as if one had copied it from the other, so it was ended for both.',
  ],
  'admin-made-account': [
    'An account was made for you',
    'The people who run the installation made an account for you, with this e-mail address. They have the temporary password to sign in with for the first time.',
    ASK,
  ],
  'admin-confirmed-account': [
    'Your account was confirmed',
    'The people who run the installation took this e-mail address as yours, without a code from this mailbox.',
    ASK,
  ],
  'admin-set-password': [
    'You were given a temporary password',
    'The people who run the installation set a temporary password in the place of yours, and all devices were signed out.',
    ASK,
  ],
  'admin-required-reset': [
    'You need a new password',
    'The people who run the installation called your password off, and all devices were signed out. Open the app and choose “Forgot your password?” to set a new one.',
    ASK,
  ],
  'admin-made-reset-link': [
    'A link to set a new password was made',
    'The people who run the installation made a link with which a new password can be set for your account, once and within an hour.',
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
    'Your account is gone, with everything that was kept of you. This is the last mail about it.',
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
