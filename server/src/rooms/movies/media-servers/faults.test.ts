import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { MEDIA_SERVER_FAULTS } from '@marquee/contract/entities/media-server'

import { MediaServerFault, PlayerGone, PlayRefused, QuickConnectOff, SignInRefused } from './adapters/port.ts'
import { sentenceOf } from './faults.ts'

test('each fault has a sentence of its own, which the web app translates', () => {
  const sentences = [
    ...MEDIA_SERVER_FAULTS.map((kind) => new MediaServerFault(kind, 'why')),
    new PlayerGone(),
    new PlayRefused(400),
    new SignInRefused('password'),
    new SignInRefused('code'),
    new QuickConnectOff(),
  ].map(sentenceOf)

  expect(sentences).toEqual([
    'This address of a media server is not allowed here',
    'No media server answers at this address',
    'The media server does not answer in time',
    'The certificate of the media server cannot be verified',
    'The media server does not accept this key',
    'The media server sends us to another address: enter that one',
    'There is no media server of this kind at this address',
    'This version of the media server is too old',
    'The answer of the media server cannot be read',
    'This player is not there any more',
    'The media server did not start this movie',
    'The media server does not accept this name and password',
    'This code has expired: start again',
    'Quick Connect is switched off on this media server',
  ])
  expect(sentences.filter((sentence) => !translated().includes(sentence))).toEqual([])
})

/** The messages of the server that the web app shows in other languages. */
function translated(): unknown[] {
  const file = new URL('../../../../../web/src/i18n/locales/en/problems.json', import.meta.url)
  return Object.values(JSON.parse(readFileSync(file, 'utf8')) as object)
}
