import type { Group } from '../../standard.ts'

export const oauth: Group = {
  title: 'V10 OAuth and OpenID Connect',
  requirements: [
    {
      id: '10.1.1',
      level: 2,
      says: 'tokens are only where they are needed',
      answer: {
        met: 'no',
        missing: 'the browser holds its tokens, as Amplify does; there is no backend for frontends',
      },
    },
    { id: '10.1.2', level: 2, says: 'answers count only for flows of the same browser', answer: { met: 'tested' } },
    { id: '10.2.1', level: 2, says: 'no forged requests for tokens (PKCE or `state`)', answer: { met: 'tested' } },
    {
      id: '10.2.2',
      level: 2,
      says: 'no mix-up of authorization servers',
      answer: { met: 'tested', note: 'there is one, and `iss` of its answer is checked' },
    },
    {
      id: '10.3.1',
      level: 2,
      says: 'an API accepts only tokens meant for it',
      answer: {
        met: 'partly',
        missing:
          'the product API takes id tokens and checks for whom they are; access tokens name their client, not an audience',
      },
    },
    { id: '10.3.2', level: 2, says: 'subject and scopes of a token decide', answer: { met: 'tested' } },
    {
      id: '10.3.3',
      level: 2,
      says: 'users are known by a value that is never given to others',
      answer: {
        met: 'by-design',
        reason: 'by the subject ([decision 3](docs/decisions/0003-people-are-keyed-by-subject.md))',
      },
    },
    {
      id: '10.3.4',
      level: 2,
      says: 'age and strength of the sign-in are checked where required',
      answer: { met: 'tested', note: 'only the age is required anywhere' },
    },
    {
      id: '10.4.1',
      level: 1,
      says: 'redirects go to registered addresses, compared exactly',
      answer: { met: 'tested' },
    },
    { id: '10.4.2', level: 1, says: 'a code works once, and a second use ends its tokens', answer: { met: 'tested' } },
    { id: '10.4.3', level: 1, says: 'a code lives ten minutes at most', answer: { met: 'tested', note: 'five' } },
    {
      id: '10.4.4',
      level: 1,
      says: 'only needed grants; no implicit and no password grant',
      answer: {
        met: 'partly',
        missing: 'OAuth has neither; but every tool may refresh, and the API of Cognito takes passwords',
      },
    },
    {
      id: '10.4.5',
      level: 1,
      says: 'refresh tokens are protected against replay',
      answer: {
        met: 'partly',
        missing:
          'they rotate, and reuse ends the session, but only after a minute in which the replaced one still works; REFRESH_TOKEN_AUTH of older Cognito clients does not rotate',
      },
    },
    { id: '10.4.6', level: 2, says: 'PKCE with S256 is required', answer: { met: 'tested' } },
    {
      id: '10.4.7',
      level: 2,
      says: 'open registration of clients is made safe',
      answer: { met: 'not-applicable', reason: 'clients are registered in the settings only' },
    },
    { id: '10.4.8', level: 2, says: 'refresh tokens have a fixed end', answer: { met: 'tested' } },
    { id: '10.4.9', level: 2, says: 'users can revoke tokens', answer: { met: 'tested' } },
    { id: '10.4.10', level: 2, says: 'confidential clients authenticate', answer: { met: 'tested' } },
    {
      id: '10.4.11',
      level: 2,
      says: 'a client gets only the scopes it needs',
      answer: { met: 'partly', missing: 'all scopes only read, but each tool may ask for all four' },
    },
    { id: '10.5.1', level: 2, says: 'id tokens cannot be replayed (`nonce`)', answer: { met: 'tested' } },
    { id: '10.5.2', level: 2, says: 'users of the provider are known by its subject', answer: { met: 'tested' } },
    {
      id: '10.5.3',
      level: 2,
      says: 'metadata of another issuer is refused',
      answer: { met: 'tested' },
    },
    { id: '10.5.4', level: 2, says: 'id tokens are accepted only for this client', answer: { met: 'tested' } },
    {
      id: '10.5.5',
      level: 2,
      says: 'logout by the back channel is safe',
      answer: { met: 'not-applicable', reason: 'it is not offered' },
    },
    {
      id: '10.6.1',
      level: 2,
      says: 'the provider offers no implicit flow',
      answer: { met: 'tested', note: 'only `code`' },
    },
    { id: '10.6.2', level: 2, says: 'no one can be signed out by a link', answer: { met: 'tested' } },
    { id: '10.7.1', level: 2, says: 'users consent to each request', answer: { met: 'tested' } },
    {
      id: '10.7.2',
      level: 2,
      says: 'the question for consent is clear and complete',
      answer: { met: 'tested', note: 'it names the tool, what it gets and for how long' },
    },
    {
      id: '10.7.3',
      level: 2,
      says: 'users can see, change and revoke their consents',
      answer: {
        met: 'partly',
        missing: 'the account page lists the tool and ends its access; it shows no scopes and changes none',
      },
    },
  ],
}
