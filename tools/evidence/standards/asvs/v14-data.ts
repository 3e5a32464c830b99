import type { Group } from '../../standard.ts'

export const data: Group = {
  title: 'V14 Data protection',
  requirements: [
    {
      id: '14.1.1',
      level: 2,
      says: 'sensitive data is listed and classified',
      answer: {
        met: 'partly',
        missing: '[what is stored](docs/security/stored.md) and the threat model list it, without classes',
      },
    },
    {
      id: '14.1.2',
      level: 2,
      says: 'each class has rules of protection',
      answer: { met: 'partly', missing: 'the rules are given for each item instead' },
    },
    {
      id: '14.2.1',
      level: 1,
      says: 'no secrets in URLs',
      answer: {
        met: 'partly',
        missing:
          'session tokens and codes are only in headers and bodies. Links of invitations, mails, resets and calendars have to hold a secret; logs leave it out',
      },
    },
    {
      id: '14.2.2',
      level: 2,
      says: 'servers on the way cache nothing sensitive',
      answer: {
        met: 'partly',
        missing:
          'replies of the API and tokens are `no-store`; images, under names that cannot be guessed, may be kept for a year',
      },
    },
    {
      id: '14.2.3',
      level: 2,
      says: 'sensitive data goes to no third party',
      answer: {
        met: 'by-design',
        reason:
          'pages load nothing from elsewhere but posters where the operator allows it, and [these requests](docs/security/limits.md#requests-to-other-servers) leave the server',
      },
    },
    {
      id: '14.2.4',
      level: 2,
      says: 'the documented protection is in force',
      answer: {
        met: 'partly',
        missing:
          'logs, secrets and the end of tokens are tested; not each item that is stored, and there are no levels of protection',
      },
    },
    { id: '14.3.1', level: 1, says: 'signing out clears the browser', answer: { met: 'tested' } },
    {
      id: '14.3.2',
      level: 2,
      says: 'browsers cache nothing sensitive',
      answer: { met: 'partly', missing: 'as 14.2.2, and the device keeps what 14.3.3 says' },
    },
    {
      id: '14.3.3',
      level: 2,
      says: 'the browser stores nothing sensitive but session tokens',
      answer: {
        met: 'no',
        missing:
          'it keeps watchlists for use without a connection ([decision 87](docs/decisions/0087-kept-on-the-device.md)); a user can turn this off, and a sign-out removes all',
      },
    },
  ],
}
