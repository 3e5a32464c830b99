import type { Standard } from '../standard.ts'

/** https://www.rfc-editor.org/rfc/rfc9700 */
export const oauth: Standard = {
  id: 'rfc9700',
  title: 'OAuth security: RFC 9700',
  intro: `How Marquee follows the [best current practice for OAuth 2.0 security](https://www.rfc-editor.org/rfc/rfc9700). It has two
parts: the authorization server that [signs users in to other tools](docs/other-tools.md), and the client of an
[external provider](docs/external-sign-in.md). The numbers are sections of the RFC, with a letter for each statement, in our own words.

**What was not done:** no one outside the project audited this, and no suite of another party was run. The tools of the tests use
the unmodified library openid-client, and so does Marquee as a client. No real provider such as Google or Keycloak was tried. The sign-in
of the web app itself speaks Amazon Cognito's protocol, not OAuth, and is not part of this page.`,
  groups: [
    {
      title: 'As an authorization server',
      requirements: [
        {
          id: '2.1-a',
          level: 'must',
          says: 'redirect URIs are compared exactly with registered ones',
          answer: { met: 'tested' },
        },
        { id: '2.1-b', level: 'must', says: 'no open redirect', answer: { met: 'tested' } },
        {
          id: '2.1.1-a',
          level: 'must',
          says: 'PKCE is supported, and enforced at the exchange',
          answer: { met: 'tested', note: 'it is required of every client' },
        },
        { id: '2.1.1-b', level: 'must', says: 'PKCE cannot be downgraded', answer: { met: 'tested' } },
        { id: '2.1.1-c', level: 'must', says: 'support of PKCE can be detected', answer: { met: 'tested' } },
        {
          id: '2.1.2-a',
          level: 'should',
          says: 'no tokens from the authorization endpoint',
          answer: { met: 'tested' },
        },
        {
          id: '2.2.1-a',
          level: 'should',
          says: 'access tokens are bound to their sender',
          answer: {
            met: 'no',
            missing: 'neither DPoP nor mutual TLS; access tokens are bearer tokens that live an hour',
          },
        },
        {
          id: '2.2.2-a',
          level: 'must',
          says: 'refresh tokens of public clients rotate or are bound',
          answer: { met: 'tested', note: 'they rotate for every client of OAuth' },
        },
        {
          id: '2.3-a',
          level: 'should',
          says: 'access tokens have few rights',
          answer: {
            met: 'tested',
            note: 'a tool may only read claims; it cannot call the product or change the account',
          },
        },
        {
          id: '2.3-b',
          level: 'should',
          says: 'access tokens are for one resource server',
          answer: { met: 'tested', note: 'by their scopes; they name no audience' },
        },
        { id: '2.4-a', level: 'must', says: 'no password grant', answer: { met: 'tested' } },
        {
          id: '2.5-a',
          level: 'should',
          says: 'clients authenticate where that is possible',
          answer: { met: 'tested' },
        },
        {
          id: '2.5-b',
          level: 'should',
          says: 'asymmetric methods of client authentication',
          answer: { met: 'no', missing: 'only secrets, in the header or in the form' },
        },
        {
          id: '2.6-a',
          level: 'should',
          says: 'metadata is published',
          answer: { met: 'tested', note: 'that of OpenID Connect, under the issuer; not the address of RFC 8414' },
        },
        {
          id: '2.6-b',
          level: 'should',
          says: 'connections are encrypted from end to end',
          answer: {
            met: 'partly',
            missing:
              'a reverse proxy of the operator [encrypts](docs/operating.md), and the connection behind it is theirs',
          },
        },
        {
          id: '2.6-c',
          level: 'must',
          says: 'no address without TLS is redirected to, but local ones of native apps',
          answer: { met: 'partly', missing: 'local addresses are also taken for clients with a secret' },
        },
        {
          id: '2.6-d',
          level: 'must',
          says: 'the authorization endpoint has no CORS',
          answer: {
            met: 'by-design',
            reason:
              'only the endpoints that programs call have it ([hosted-sign-in.ts](identity/src/http/hosted-sign-in.ts))',
          },
        },
        {
          id: '4.1.3-b',
          level: 'must',
          says: 'ports of the local addresses of native apps may vary',
          answer: { met: 'tested', note: 'for clients without a secret' },
        },
        {
          id: '4.2.4-a',
          level: 'should',
          says: 'codes and states do not leak by the Referer header',
          answer: { met: 'tested', note: 'every page says `no-referrer`' },
        },
        { id: '4.2.4-b', level: 'must', says: 'a code works once', answer: { met: 'tested' } },
        { id: '4.2.4-c', level: 'should', says: 'a second use of a code ends its tokens', answer: { met: 'tested' } },
        {
          id: '4.4.2.1-a',
          level: 'should',
          says: 'answers name the issuer, against mix-up',
          answer: { met: 'tested', note: '`iss` of RFC 9207' },
        },
        {
          id: '4.5.3.1-a',
          level: 'should',
          says: 'a code is bound to its client, redirect and challenge',
          answer: { met: 'tested' },
        },
        {
          id: '4.8.2-a',
          level: 'must',
          says: 'a verifier without a challenge is rejected',
          answer: { met: 'tested', note: 'no code exists without a challenge' },
        },
        {
          id: '4.11.2-a',
          level: 'must',
          says: 'errors redirect only to registered addresses',
          answer: { met: 'tested' },
        },
        {
          id: '4.11.2-b',
          level: 'must',
          says: 'the user is authenticated before an error redirects',
          answer: {
            met: 'no',
            missing:
              'a request with a wrong parameter redirects to the registered address of its tool without a sign-in',
          },
        },
        {
          id: '4.11.2-c',
          level: 'should',
          says: 'only trusted addresses are redirected to without a question',
          answer: { met: 'by-design', reason: 'the operator registers each ([settings](docs/settings.md))' },
        },
        {
          id: '4.12-a',
          level: 'must',
          says: 'no redirect with 307 repeats a form with credentials',
          answer: { met: 'tested', note: 'a form gets a 303' },
        },
        {
          id: '4.13-a',
          level: 'must',
          says: 'headers of a proxy are only taken from that proxy',
          answer: { met: 'tested' },
        },
        {
          id: '4.14.2-a',
          level: 'must',
          says: 'a replayed refresh token ends its session',
          answer: {
            met: 'partly',
            missing:
              'it ends its session after a minute; within it, for tabs that refresh at once, a replaced token gives the newest ones',
          },
        },
        {
          id: '4.14.2-b',
          level: 'must',
          says: 'refresh tokens are bound to scope and client',
          answer: { met: 'tested' },
        },
        {
          id: '4.14.2-c',
          level: 'should',
          says: 'refresh tokens expire if they are not used',
          answer: { met: 'tested' },
        },
        {
          id: '4.14.2-d',
          level: 'must',
          says: 'it is decided for each client whether it gets refresh tokens',
          answer: { met: 'no', missing: 'each tool gets one, after a consent that names its days' },
        },
        {
          id: '4.15.1-a',
          level: 'should',
          says: 'a client cannot pass for a user',
          answer: {
            met: 'by-design',
            reason:
              'the [token endpoint](identity/src/flows/oauth/token.ts) has no grant in which a client acts for itself',
          },
        },
        { id: '4.16-a', level: 'must', says: 'the screens cannot be framed', answer: { met: 'tested' } },
        {
          id: '4.17.2-a',
          level: 'must',
          says: 'messages between windows name the exact origin that gets them',
          answer: { met: 'not-applicable', reason: 'there is no such response mode' },
        },
      ],
    },
    {
      title: 'As a client of the external provider',
      requirements: [
        {
          id: 'client-2.1-a',
          level: 'must',
          says: 'forged requests (CSRF) are prevented',
          answer: { met: 'tested', note: 'state in an encrypted cookie, PKCE and nonce' },
        },
        {
          id: 'client-2.1-b',
          level: 'must',
          says: 'no open redirect',
          answer: {
            met: 'by-design',
            reason:
              'the [callback](identity/src/flows/external/routes.ts) opens pages of Marquee only, and the page after it is checked ([redirect-target.ts](web/src/session/redirect-target.ts))',
          },
        },
        { id: 'client-2.1.1-a', level: 'must', says: 'PKCE with S256', answer: { met: 'tested' } },
        { id: 'client-2.1.2-a', level: 'should', says: 'code flow only', answer: { met: 'tested' } },
        {
          id: 'client-2.5-a',
          level: 'should',
          says: 'client authentication with an asymmetric key',
          answer: { met: 'no', missing: 'a secret in the form, if the operator has one' },
        },
        {
          id: 'client-2.6-a',
          level: 'should',
          says: 'metadata is used',
          answer: {
            met: 'by-design',
            reason: 'the [provider](identity/src/flows/external/provider.ts) is discovered by its issuer',
          },
        },
        {
          id: 'client-4.4.2-a',
          level: 'must',
          says: 'mix-up is prevented',
          answer: { met: 'tested', note: 'one provider, and `iss` is checked where the provider sends it' },
        },
        { id: 'client-4.5.3.2-a', level: 'must', says: 'injected codes are rejected', answer: { met: 'tested' } },
        {
          id: 'client-4.7.1-a',
          level: 'must',
          says: 'state and nonce are used once, in the browser that began',
          answer: { met: 'tested' },
        },
      ],
    },
  ],
}
