import type { Group } from '../../standard.ts'

export const authorization: Group = {
  title: 'V8 Authorization',
  requirements: [
    {
      id: '8.1.1',
      level: 1,
      says: 'who may do what is documented',
      answer: { met: 'tested', note: 'in [rules](docs/product/rules.md)' },
    },
    {
      id: '8.1.2',
      level: 2,
      says: 'who may see and change which field is documented',
      answer: {
        met: 'by-design',
        reason:
          '[the box](docs/security/box.md), [rules](docs/product/rules.md) and [entities](docs/product/entities.md)',
      },
    },
    {
      id: '8.2.1',
      level: 1,
      says: 'calls are only for those with the right',
      answer: {
        met: 'tested',
        note: 'each call, as guest, stranger, member, author, owner and invitee; streams, passes of a night and personal tokens have tests of their own',
      },
    },
    {
      id: '8.2.2',
      level: 1,
      says: 'data is only for those with the right',
      answer: {
        met: 'tested',
        note: 'an image is open to all who know its unguessable name ([limits](docs/security/limits.md))',
      },
    },
    {
      id: '8.2.3',
      level: 2,
      says: 'fields are only for those with the right',
      answer: { met: 'tested', note: 'of what is read; for what is written see 15.3.3' },
    },
    { id: '8.3.1', level: 1, says: 'the server decides about rights', answer: { met: 'tested' } },
    {
      id: '8.4.1',
      level: 2,
      says: 'tenants cannot affect each other',
      answer: { met: 'tested', note: 'tenants are watchlists, and pools with one master key' },
    },
  ],
}
