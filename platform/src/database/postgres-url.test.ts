import { expect, test } from 'vitest'

import { readPostgresUrl } from './postgres-url.ts'

test.each([
  ['postgres://marquee:secret@db.example.org/marquee', ['postgres://marquee:secret@db.example.org/marquee'], false],
  ['postgresql://[::1]:5433/marquee', ['postgresql://[::1]:5433/marquee'], false],
  ['postgres://a:b@one,two:5433/m?x=1', ['postgres://a:b@one/m?x=1', 'postgres://a:b@two:5433/m?x=1'], true],
  ['postgres://one/m?target_session_attrs=read-write', ['postgres://one/m?target_session_attrs=read-write'], true],
])('the hosts of %s are %j', (text, urls, mustSearch) => {
  expect(readPostgresUrl(text)).toEqual({ urls, mustSearch })
})

test.each([
  ['another kind of database', 'mysql://db/marquee'],
  ['no host', 'postgres://'],
  ['an empty host', 'postgres://one,,two/marquee'],
  ['an invalid port', 'postgres://one:port,two/marquee'],
  ['an unsupported option', 'postgres://one,two/marquee?target_session_attrs=standby'],
])('a URL with %s is rejected', (_what, text) => {
  expect(readPostgresUrl(text)).toBeUndefined()
})
