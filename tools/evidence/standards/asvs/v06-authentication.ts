import type { Group } from '../../standard.ts'

export const authentication: Group = {
  title: 'V6 Authentication',
  requirements: [
    {
      id: '6.1.1',
      level: 1,
      says: 'limits against guessing are documented, and how malicious lockout is prevented',
      answer: {
        met: 'by-design',
        reason: '[limits against guessing](docs/security/limits.md#limits-against-guessing)',
      },
    },
    {
      id: '6.1.2',
      level: 2,
      says: 'words of the context that no password may have are listed',
      answer: { met: 'no', missing: 'there is no such list' },
    },
    {
      id: '6.1.3',
      level: 2,
      says: 'all ways to sign in are documented',
      answer: { met: 'by-design', reason: '[ways to sign in](docs/security/sign-in.md)' },
    },
    { id: '6.2.1', level: 1, says: 'passwords have at least eight characters', answer: { met: 'tested' } },
    { id: '6.2.2', level: 1, says: 'users can change their password', answer: { met: 'tested' } },
    { id: '6.2.3', level: 1, says: 'a change asks for the current password', answer: { met: 'tested' } },
    {
      id: '6.2.4',
      level: 1,
      says: 'the 3,000 most common passwords are refused',
      answer: { met: 'no', missing: 'passwords are compared with no list' },
    },
    {
      id: '6.2.5',
      level: 1,
      says: 'no rules of composition',
      answer: { met: 'no', missing: 'the product requires an uppercase letter and a digit' },
    },
    { id: '6.2.6', level: 1, says: 'password fields hide the input', answer: { met: 'tested' } },
    {
      id: '6.2.7',
      level: 1,
      says: 'paste and password managers work',
      answer: { met: 'tested', note: 'fields have the names that password managers use, and nothing handles pasting' },
    },
    { id: '6.2.8', level: 1, says: 'passwords are compared exactly as typed', answer: { met: 'tested' } },
    { id: '6.2.9', level: 2, says: '64 characters are possible', answer: { met: 'tested', note: '256 are' } },
    {
      id: '6.2.10',
      level: 2,
      says: 'no password has to be renewed regularly',
      answer: {
        met: 'by-design',
        reason: 'only a temporary or reset password must be replaced ([advance.ts](identity/src/sign-in/advance.ts))',
      },
    },
    {
      id: '6.2.11',
      level: 2,
      says: 'words of the context are refused in passwords',
      answer: { met: 'no', missing: 'see 6.1.2' },
    },
    {
      id: '6.2.12',
      level: 2,
      says: 'breached passwords are refused',
      answer: { met: 'no', missing: 'this needs an external service or a large list' },
    },
    { id: '6.3.1', level: 1, says: 'the documented limits against guessing are in force', answer: { met: 'tested' } },
    {
      id: '6.3.2',
      level: 1,
      says: 'no default accounts',
      answer: {
        met: 'by-design',
        reason:
          'an empty installation has none; the first is made with a code of the first start ([decision 57](docs/decisions/0057-setup-of-an-empty-installation.md))',
      },
    },
    {
      id: '6.3.3',
      level: 2,
      says: 'a second factor for all',
      answer: { met: 'partly', missing: 'only with `MFA=required`; by default each user decides' },
    },
    {
      id: '6.3.4',
      level: 2,
      says: 'no undocumented ways to sign in; the same controls apply to all',
      answer: { met: 'tested' },
    },
    {
      id: '6.4.1',
      level: 1,
      says: 'initial passwords are random, follow the rules, expire and must be replaced',
      answer: { met: 'tested', note: '16 random characters, valid for seven days' },
    },
    {
      id: '6.4.2',
      level: 1,
      says: 'no hints and no secret questions',
      answer: { met: 'by-design', reason: 'no operation stores or asks for one ([sign-in](docs/security/sign-in.md))' },
    },
    {
      id: '6.4.3',
      level: 2,
      says: 'a password reset does not bypass the second factor',
      answer: {
        met: 'partly',
        missing: 'if codes by mail are the only second factor, the mailbox that resets the password also gets them',
      },
    },
    {
      id: '6.4.4',
      level: 2,
      says: 'a lost factor needs the same proof as its set-up',
      answer: {
        met: 'partly',
        missing: 'recovery codes replace an app; without them an operator decides how to prove who asks',
      },
    },
    { id: '6.5.1', level: 2, says: 'codes work once', answer: { met: 'tested' } },
    {
      id: '6.5.2',
      level: 2,
      says: 'lookup secrets below 112 bits are hashed like passwords',
      answer: {
        met: 'no',
        missing:
          'recovery codes have 48 bits and are stored as HMAC-SHA-256. Its key is outside the database, so a stolen database alone is of no use',
      },
    },
    {
      id: '6.5.3',
      level: 2,
      says: 'codes and secrets come from a secure random source',
      answer: {
        met: 'by-design',
        reason: 'all chance comes from [random.ts](platform/src/runtime/random.ts), which uses that of Node',
      },
    },
    {
      id: '6.5.4',
      level: 2,
      says: 'codes have at least 20 bits',
      answer: {
        met: 'tested',
        note: 'a million values hold 19.9 bits, which the standard calls enough; recovery codes have 48',
      },
    },
    {
      id: '6.5.5',
      level: 2,
      says: 'codes by mail and text message live ten minutes at most, those of apps 30 seconds',
      answer: {
        met: 'partly',
        missing:
          'sign-in codes live three minutes, but those for sign-up and a new address 24 hours and for a reset one hour; an app code also works one step before and after its own',
      },
    },
    {
      id: '6.6.1',
      level: 2,
      says: 'text messages go to a verified number, beside something stronger, with a warning',
      answer: { met: 'partly', missing: 'apps and passkeys are offered too, but no text warns of text messages' },
    },
    {
      id: '6.6.2',
      level: 2,
      says: 'a code is bound to its request',
      answer: {
        met: 'partly',
        missing:
          'bound to user and purpose, and a newer code voids the older; but for three minutes it also answers another open sign-in of that user',
      },
    },
    {
      id: '6.6.3',
      level: 2,
      says: 'codes are protected against guessing',
      answer: { met: 'tested', note: 'five wrong codes, and limits by user and address' },
    },
    {
      id: '6.8.1',
      level: 2,
      says: 'users of several providers cannot be confused',
      answer: { met: 'tested', note: 'one provider; users are known by issuer and subject' },
    },
    { id: '6.8.2', level: 2, says: 'signatures of a provider are checked', answer: { met: 'tested' } },
    {
      id: '6.8.3',
      level: 2,
      says: 'SAML assertions work once',
      answer: { met: 'not-applicable', reason: 'there is no SAML' },
    },
    {
      id: '6.8.4',
      level: 2,
      says: 'the strength, the method and the age of a sign-in that a provider reports are checked where they are expected',
      answer: {
        met: 'tested',
        note: 'the age decides whether an account may be changed ([how](docs/external-sign-in.md#who-may-sign-in)); nothing here depends on strength or method. If a provider never reports an age, the time of the return counts',
      },
    },
  ],
}
