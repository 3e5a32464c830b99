import type { Group } from '../../standard.ts'

export const api: Group = {
  title: 'V4 API and web services',
  requirements: [
    {
      id: '4.1.1',
      level: 1,
      says: 'replies have the right content type, with a charset for text and XML',
      answer: { met: 'tested', note: 'for samples of each kind of reply' },
    },
    {
      id: '4.1.2',
      level: 2,
      says: 'only pages redirect from http to https',
      answer: {
        met: 'tested',
        note: 'by the examples in [deploy](deploy/nginx-site.conf); the tests run nginx and Caddy if they are installed, and only read the one of Traefik',
      },
    },
    { id: '4.1.3', level: 2, says: 'clients cannot forge headers of the proxy', answer: { met: 'tested' } },
    {
      id: '4.2.1',
      level: 2,
      says: 'the length of a message is unambiguous',
      answer: { met: 'tested', note: 'for HTTP/1.1; HTTP/2 ends at the proxy of the operator' },
    },
    {
      id: '4.3.1',
      level: 2,
      says: 'GraphQL queries are limited',
      answer: { met: 'not-applicable', reason: 'there is no GraphQL' },
    },
    {
      id: '4.3.2',
      level: 2,
      says: 'GraphQL has no introspection',
      answer: { met: 'not-applicable', reason: 'there is no GraphQL' },
    },
    {
      id: '4.4.1',
      level: 1,
      says: 'WebSockets use TLS',
      answer: { met: 'not-applicable', reason: 'there are no WebSockets; events are replies of HTTP' },
    },
    {
      id: '4.4.2',
      level: 2,
      says: 'WebSockets check the origin',
      answer: { met: 'not-applicable', reason: 'there are no WebSockets' },
    },
    {
      id: '4.4.3',
      level: 2,
      says: 'WebSockets have tokens of their own',
      answer: { met: 'not-applicable', reason: 'there are no WebSockets' },
    },
    {
      id: '4.4.4',
      level: 2,
      says: 'these tokens come from the session',
      answer: { met: 'not-applicable', reason: 'there are no WebSockets' },
    },
  ],
}
