import type { Group } from '../../standard.ts'

export const tokens: Group = {
  title: 'V9 Self-contained tokens',
  requirements: [
    { id: '9.1.1', level: 1, says: 'the signature is checked before the content', answer: { met: 'tested' } },
    { id: '9.1.2', level: 1, says: 'only listed algorithms', answer: { met: 'tested', note: 'only RS256' } },
    { id: '9.1.3', level: 1, says: 'keys come only from trusted places', answer: { met: 'tested' } },
    { id: '9.2.1', level: 1, says: 'the period of validity is checked', answer: { met: 'tested' } },
    {
      id: '9.2.2',
      level: 2,
      says: 'the kind of token is checked, and only access tokens authorize',
      answer: {
        met: 'partly',
        missing:
          'the kind is always checked; but the product API and the call for a consent take id tokens, as clients of Cognito send them',
      },
    },
    { id: '9.2.3', level: 2, says: 'the audience is checked', answer: { met: 'tested' } },
    {
      id: '9.2.4',
      level: 2,
      says: 'audiences that share a key cannot be confused',
      answer: { met: 'partly', missing: 'id tokens name their audience; access tokens only their client' },
    },
  ],
}
