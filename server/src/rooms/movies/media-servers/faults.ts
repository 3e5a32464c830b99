import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'

import { type MediaServerFault, PlayerGone, PlayRefused, QuickConnectOff, SignInRefused } from './adapters/port.ts'

/** What the owner reads, by what is wrong. They tell of a network that the owner may use, and nothing that a server said. */
const SENTENCES: Readonly<Record<MediaServerFaultKind, string>> = {
  address: 'This address of a media server is not allowed here',
  unreachable: 'No media server answers at this address',
  slow: 'The media server does not answer in time',
  certificate: 'The certificate of the media server cannot be verified',
  key: 'The media server does not accept this key',
  redirect: 'The media server sends us to another address: enter that one',
  // Also for another machine than was connected, such as a server that was installed again.
  'other-server': 'There is no media server of this kind at this address',
  version: 'This version of the media server is too old',
  unreadable: 'The answer of the media server cannot be read',
}

const PLAYER_GONE = 'This player is not there any more'
const WRONG_PASSWORD = 'The media server does not accept this name and password'
const CODE_ENDED = 'This code has expired: start again'
const NO_QUICK_CONNECT = 'Quick Connect is switched off on this media server'
const PLAY_REFUSED = 'The media server did not start this movie'

export function sentenceOf(fault: MediaServerFault): string {
  if (fault instanceof PlayerGone) return PLAYER_GONE
  if (fault instanceof QuickConnectOff) return NO_QUICK_CONNECT
  if (fault instanceof SignInRefused) return fault.how === 'password' ? WRONG_PASSWORD : CODE_ENDED
  return fault instanceof PlayRefused ? PLAY_REFUSED : SENTENCES[fault.kind]
}
