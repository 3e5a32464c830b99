import type { Group } from '../../standard.ts'

export const web: Group = {
  title: 'V3 Web frontend security',
  requirements: [
    {
      id: '3.2.1',
      level: 1,
      says: 'replies are not shown in a wrong context',
      answer: {
        met: 'tested',
        note: '`nosniff` and a Content-Security-Policy; exports are attachments, and the policy of images has `sandbox`',
      },
    },
    { id: '3.2.2', level: 1, says: 'texts are shown as text, not as HTML', answer: { met: 'tested' } },
    {
      id: '3.3.1',
      level: 1,
      says: 'cookies are `Secure` and have a prefix',
      answer: {
        met: 'tested',
        note: 'there is one cookie, for a sign-in at the provider; over plain http it can have neither',
      },
    },
    { id: '3.3.2', level: 2, says: '`SameSite` fits the purpose of the cookie', answer: { met: 'tested' } },
    { id: '3.3.3', level: 2, says: 'cookies have the prefix `__Host-`', answer: { met: 'tested', note: 'with https' } },
    { id: '3.3.4', level: 2, says: 'cookies that scripts do not need are `HttpOnly`', answer: { met: 'tested' } },
    {
      id: '3.4.1',
      level: 1,
      says: 'HSTS on all replies, for a year, with subdomains',
      answer: {
        met: 'partly',
        missing:
          'where `PUBLIC_URL` has `https`; replies to requests that are not HTTP, and the port of the metrics, have no such headers',
      },
    },
    {
      id: '3.4.2',
      level: 1,
      says: 'other origins are allowed from a list, or get nothing sensitive',
      answer: {
        met: 'partly',
        missing:
          'replies of the user pool and of OpenID Connect have `*` and can contain tokens and profiles; no cookie is involved, so a page needs the secrets of the caller. All others have no such header',
      },
    },
    {
      id: '3.4.3',
      level: 2,
      says: 'a Content-Security-Policy, with `object-src` and `base-uri` closed',
      answer: { met: 'tested', note: 'images have a stricter one' },
    },
    {
      id: '3.4.4',
      level: 2,
      says: '`nosniff` on all replies',
      answer: {
        met: 'partly',
        missing: 'replies to requests that are not HTTP, and the port of the metrics, lack it',
      },
    },
    { id: '3.4.5', level: 2, says: 'a referrer policy', answer: { met: 'tested', note: '`no-referrer`' } },
    { id: '3.4.6', level: 2, says: 'pages cannot be embedded (`frame-ancestors`)', answer: { met: 'tested' } },
    {
      id: '3.5.1',
      level: 1,
      says: 'requests from other sites are refused where a cookie or form would do',
      answer: { met: 'tested' },
    },
    {
      id: '3.5.2',
      level: 1,
      says: 'calls that rely on CORS cannot be made without a preflight',
      answer: {
        met: 'tested',
        note: 'the product takes JSON and a token in a header, the user pool needs a header of its own; link pages and reports of media servers rely on a secret in the address',
      },
    },
    {
      id: '3.5.3',
      level: 1,
      says: 'calls that change something need POST, PUT, PATCH or DELETE',
      answer: {
        met: 'tested',
        note: 'the redirects of OAuth, which are GET by their standard, use up a state of their own',
      },
    },
    {
      id: '3.5.4',
      level: 2,
      says: 'separate applications have separate hostnames',
      answer: {
        met: 'by-design',
        reason:
          'Marquee is one application under one origin ([architecture](docs/architecture.md)); what else runs under its host is up to the operator',
      },
    },
    {
      id: '3.5.5',
      level: 2,
      says: 'messages from other windows are checked',
      answer: {
        met: 'by-design',
        reason:
          'no window listens to others; channels and the service worker connect only pages of this origin ([confirmed-account.ts](web/src/account/confirmed-account.ts))',
      },
    },
    {
      id: '3.7.1',
      level: 2,
      says: 'only supported client technology',
      answer: {
        met: 'by-design',
        reason: 'a page of HTML, CSS and JavaScript without plug-ins ([web/package.json](web/package.json))',
      },
    },
    { id: '3.7.2', level: 2, says: 'automatic redirects lead only to listed places', answer: { met: 'tested' } },
  ],
}
