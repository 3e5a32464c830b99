import type { Group } from '../../standard.ts'

export const communication: Group = {
  title: 'V12 Secure communication',
  requirements: [
    {
      id: '12.1.1',
      level: 1,
      says: 'TLS 1.2 and 1.3 only',
      answer: {
        met: 'partly',
        missing:
          'TLS ends in a proxy of the operator; our example for nginx allows no other version, and those for Caddy and Traefik leave it to their defaults',
      },
    },
    {
      id: '12.1.2',
      level: 2,
      says: 'only recommended cipher suites',
      answer: { met: 'partly', missing: 'the examples leave them to the defaults of the proxy' },
    },
    {
      id: '12.1.3',
      level: 2,
      says: 'client certificates are checked',
      answer: { met: 'not-applicable', reason: 'there are none' },
    },
    {
      id: '12.2.1',
      level: 1,
      says: 'TLS for all clients, without a fallback',
      answer: {
        met: 'partly',
        missing:
          'with a `PUBLIC_URL` of `https`, HSTS and the policy of the page keep browsers to it. The server itself speaks plain http, also to the internet if the operator lets it',
      },
    },
    {
      id: '12.2.2',
      level: 1,
      says: 'certificates are publicly trusted',
      answer: {
        met: 'by-design',
        reason:
          'the examples get them from public authorities ([Caddyfile](deploy/Caddyfile)); the choice is up to the operator',
      },
    },
    {
      id: '12.3.1',
      level: 2,
      says: 'all connections are encrypted',
      answer: {
        met: 'partly',
        missing: 'those to databases, Redis and mail servers can be, but the settings also accept plain ones',
      },
    },
    {
      id: '12.3.2',
      level: 2,
      says: 'certificates of other servers are checked',
      answer: {
        met: 'partly',
        missing: 'those of web pages, webhooks and media servers; but the address of a database may turn the check off',
      },
    },
    {
      id: '12.3.3',
      level: 2,
      says: 'internal HTTP is encrypted',
      answer: {
        met: 'no',
        missing: 'between proxy and Marquee it is plain, on one machine or in a network of containers',
      },
    },
    {
      id: '12.3.4',
      level: 2,
      says: 'internal TLS trusts certain certificates only',
      answer: { met: 'not-applicable', reason: 'in our set-ups there is no TLS between parts of Marquee' },
    },
  ],
}
