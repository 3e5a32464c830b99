import type { Group } from '../../standard.ts'

export const validation: Group = {
  title: 'V2 Validation and business logic',
  requirements: [
    {
      id: '2.1.1',
      level: 1,
      says: 'rules for each kind of input are documented',
      answer: {
        met: 'by-design',
        reason: 'in [limits](docs/product/limits.md) and [entities](docs/product/entities.md)',
      },
    },
    {
      id: '2.1.2',
      level: 2,
      says: 'rules for combined values are documented',
      answer: {
        met: 'by-design',
        reason:
          'with each subject: [cards and members](docs/product/rules.md), [draws](docs/product/draws.md), [nights](docs/product/nights.md)',
      },
    },
    {
      id: '2.1.3',
      level: 2,
      says: 'limits of the product are documented, for a user and for all',
      answer: { met: 'by-design', reason: 'in [limits](docs/product/limits.md)' },
    },
    { id: '2.2.1', level: 1, says: 'input is checked against a positive definition', answer: { met: 'tested' } },
    { id: '2.2.2', level: 1, says: 'the server checks, whatever the browser did', answer: { met: 'tested' } },
    { id: '2.2.3', level: 2, says: 'combinations of values are checked', answer: { met: 'tested' } },
    { id: '2.3.1', level: 1, says: 'steps of a flow cannot be skipped or swapped', answer: { met: 'tested' } },
    {
      id: '2.3.2',
      level: 2,
      says: 'documented limits of the product are enforced',
      answer: { met: 'tested', note: 'for samples of them' },
    },
    { id: '2.3.3', level: 2, says: 'an operation succeeds as a whole or not at all', answer: { met: 'tested' } },
    { id: '2.3.4', level: 2, says: 'limited things cannot be taken twice', answer: { met: 'tested' } },
    { id: '2.4.1', level: 2, says: 'automated calls are limited', answer: { met: 'tested' } },
  ],
}
