import type { Standard } from '../standard.ts'

/** https://openid.net/specs/openid-connect-core-1_0.html */
export const oidc: Standard = {
  id: 'oidc',
  title: 'OpenID Connect Core 1.0',
  intro: `How Marquee follows [OpenID Connect Core 1.0](https://openid.net/specs/openid-connect-core-1_0.html), with the code flow: as the provider
that [signs users in to other tools](docs/other-tools.md), and as a client of an [external provider](docs/external-sign-in.md). The numbers
are sections of the specification, with a letter for each statement, in our own words. Optional sections that Marquee leaves out are
named once.

Clients without PKCE are refused, which the specification does not ask for.

**What was not done:** Marquee is not certified, and the conformance suite of the OpenID Foundation was not run: it needs public
servers. The tools of the tests use the unmodified library openid-client, and the provider of the tests is another Marquee, or one
that forges answers. No real provider was tried.`,
  groups: [
    {
      title: 'As a provider',
      requirements: [
        {
          id: '2-a',
          level: 'must',
          says: 'id tokens have `iss`, `sub`, `aud`, `exp` and `iat`',
          answer: { met: 'tested' },
        },
        {
          id: '2-b',
          level: 'must',
          says: '`auth_time` if `max_age` was asked for',
          answer: { met: 'tested', note: 'always' },
        },
        { id: '2-c', level: 'must', says: 'the nonce comes back unchanged', answer: { met: 'tested' } },
        { id: '2-d', level: 'must', says: 'id tokens are signed', answer: { met: 'tested', note: 'with RS256' } },
        {
          id: '3.1.2.1-a',
          level: 'must',
          says: 'authorization requests by GET and by POST',
          answer: { met: 'tested' },
        },
        {
          id: '3.1.2.1-b',
          level: 'must',
          says: '`redirect_uri` is exactly a registered one',
          answer: { met: 'tested' },
        },
        {
          id: '3.1.2.1-c',
          level: 'must',
          says: '`prompt=none` shows no screen',
          answer: { met: 'tested', note: 'the answer is an error, because the user is asked each time' },
        },
        {
          id: '3.1.2.1-d',
          level: 'must',
          says: '`prompt=login` and `max_age` ask for a fresh sign-in',
          answer: { met: 'tested' },
        },
        {
          id: '3.1.2.1-e',
          level: 'must',
          says: 'an `id_token_hint` about another user gives an error',
          answer: { met: 'no', missing: 'it is ignored' },
        },
        {
          id: '3.1.2.2-b',
          level: 'must',
          says: 'a request without `openid` is not one of OpenID Connect',
          answer: { met: 'partly', missing: 'the scope may be missing, and is then `openid`' },
        },
        {
          id: '3.1.2.1-f',
          level: 'should',
          says: 'unknown scopes are ignored',
          answer: { met: 'no', missing: 'a request with one gets `invalid_scope`, all but `offline_access`' },
        },
        { id: '3.1.2.2-a', level: 'must', says: 'required parameters are checked', answer: { met: 'tested' } },
        {
          id: '3.1.2.3-a',
          level: 'must',
          says: 'the screens are protected against forged requests and frames',
          answer: { met: 'tested' },
        },
        { id: '3.1.2.5-a', level: 'must', says: 'code and state come in the query', answer: { met: 'tested' } },
        {
          id: '3.1.2.4-a',
          level: 'must',
          says: 'the user consents before a tool gets anything',
          answer: { met: 'tested' },
        },
        {
          id: '3.1.2.6-a',
          level: 'must',
          says: 'errors go to the tool with their state, but never to an unknown address',
          answer: {
            met: 'partly',
            missing:
              'an unsupported `response_mode` gets them too, where the specification asks for a page with the error',
          },
        },
        {
          id: '3.1.3.2-b',
          level: 'must',
          says: 'clients authenticate at the token endpoint',
          answer: { met: 'tested' },
        },
        { id: '3.1.3.2-a', level: 'must', says: 'a code is for its client, redirect, once', answer: { met: 'tested' } },
        { id: '3.1.3.3-a', level: 'must', says: 'token replies are not cached', answer: { met: 'tested' } },
        { id: '3.1.3.4-a', level: 'must', says: 'token errors have the codes of OAuth 2.0', answer: { met: 'tested' } },
        { id: '3.1.3.6-a', level: 'should', says: '`at_hash` matches the access token', answer: { met: 'tested' } },
        {
          id: '3.2-a',
          level: 'should',
          says: 'implicit and hybrid flow',
          answer: {
            met: 'not-applicable',
            reason: 'not offered: RFC 9700 advises against tokens from the authorization endpoint',
          },
        },
        {
          id: '5.1-a',
          level: 'should',
          says: 'standard claims have their names and types',
          answer: {
            met: 'partly',
            missing:
              '`email`, `email_verified`, `phone_number` and `preferred_username` do; there is no `name`, `picture`, `locale` or `updated_at`',
          },
        },
        {
          id: '5.3-a',
          level: 'must',
          says: 'user info by GET and POST, with a bearer token',
          answer: { met: 'tested' },
        },
        { id: '5.3.2-a', level: 'must', says: 'user info has the `sub` of the id token', answer: { met: 'tested' } },
        {
          id: '5.3.3-a',
          level: 'should',
          says: 'user info rejects ended and foreign tokens',
          answer: { met: 'tested' },
        },
        { id: '5.4-a', level: 'must', says: 'scopes decide which claims a tool gets', answer: { met: 'tested' } },
        {
          id: '5.5-a',
          level: 'should',
          says: 'the `claims` parameter',
          answer: { met: 'no', missing: 'it is ignored' },
        },
        {
          id: '6-a',
          level: 'must',
          says: 'request objects are supported, or refused by an error',
          answer: {
            met: 'tested',
            note: '`request_not_supported` and `request_uri_not_supported`; discovery says the same',
          },
        },
        {
          id: '8-a',
          level: 'must',
          says: 'subjects are unique and never reassigned',
          answer: {
            met: 'by-design',
            reason:
              '`sub` is a random id that [never changes](docs/decisions/0003-people-are-keyed-by-subject.md); only public subjects, no pairwise ones',
          },
        },
        { id: '10.1-a', level: 'must', says: 'keys are published and named by `kid`', answer: { met: 'tested' } },
        {
          id: '11-a',
          level: 'must',
          says: 'consent for `offline_access`',
          answer: { met: 'partly', missing: 'each tool gets a refresh token after consent, also without this scope' },
        },
        {
          id: '12.2-a',
          level: 'must',
          says: 'refreshed id tokens keep issuer, subject and audience',
          answer: { met: 'tested' },
        },
        { id: '12.1-a', level: 'must', says: 'a refresh token works for its client only', answer: { met: 'tested' } },
        {
          id: '15.1-a',
          level: 'must',
          says: 'what every provider has: RS256, `prompt`, `max_age`, `auth_time`, and no error for `display`, locales, `acr_values`',
          answer: { met: 'tested', note: '`display`, locales and `acr_values` change nothing' },
        },
        {
          id: '16.17-a',
          level: 'must',
          says: 'connections are encrypted',
          answer: { met: 'partly', missing: 'by the [proxy of the operator](docs/operating.md)' },
        },
      ],
    },
    {
      title: 'As a client',
      requirements: [
        {
          id: 'client-3.1.2.1-a',
          level: 'must',
          says: 'requests have scope, redirect, state and nonce',
          answer: { met: 'tested' },
        },
        {
          id: 'client-3.1.2.7-a',
          level: 'must',
          says: 'answers without the state of this browser are rejected',
          answer: { met: 'tested' },
        },
        {
          id: 'client-3.1.3.7-a',
          level: 'must',
          says: 'the issuer of an id token is checked',
          answer: { met: 'tested' },
        },
        {
          id: 'client-3.1.3.7-b',
          level: 'must',
          says: 'the audience and `azp` are checked, and further audiences refused',
          answer: { met: 'partly', missing: 'an id token for us and another is taken if `azp` names us' },
        },
        {
          id: 'client-3.1.3.7-c',
          level: 'must',
          says: 'the signature is checked, with the expected algorithm',
          answer: { met: 'tested' },
        },
        { id: 'client-3.1.3.7-d', level: 'must', says: 'expired id tokens are rejected', answer: { met: 'tested' } },
        { id: 'client-3.1.3.7-e', level: 'must', says: 'the nonce is checked', answer: { met: 'tested' } },
        {
          id: 'client-5.7-a',
          level: 'must',
          says: 'users are known by issuer and subject only',
          answer: { met: 'tested' },
        },
        {
          id: 'client-5.1-a',
          level: 'should',
          says: 'an address counts only if it is verified',
          answer: { met: 'tested' },
        },
        {
          id: 'client-16.15-a',
          level: 'must',
          says: 'the metadata of a provider name the issuer that was asked',
          answer: { met: 'tested' },
        },
        { id: 'client-2-a', level: 'must', says: 'subjects have 1 to 255 characters', answer: { met: 'tested' } },
      ],
    },
  ],
}
