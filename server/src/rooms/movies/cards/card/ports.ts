import type { AnyDb } from '@marquee/platform/database/database'
import type { Sent } from '@marquee/platform/database/sent'

import type { ImageAddresses, KeptImage } from '../../images/service.ts'
import type { Posters } from '../../posters/service.ts'
import type { WatchlistPorts } from '../../../club/watchlists/service.ts'
import type { CardKey } from './store.ts'

export type CardPorts = WatchlistPorts & {
  readonly images: ImageAddresses & { keep: (image: string, userId: string) => Promise<KeptImage> }
  readonly posters: Posters
}

/** What moves of cards need of movie nights. `Night` is the open one, with those who are there. */
export type MovePorts = CardPorts & {
  readonly nights: {
    /** Only the night of this id, if one is given. */
    readonly findOpen: (db: AnyDb, watchlistId: string, now: string, nightId?: string) => Promise<Night | undefined>
    /** Makes an accepted card the film of the night. */
    readonly record: (trx: AnyDb, card: CardKey, night: Night, at: string) => Sent<unknown>[]
    readonly takeBack: (trx: AnyDb, card: CardKey) => Sent<unknown>
    /** The night whose film a card is. */
    readonly findNight: (db: AnyDb, card: CardKey) => Promise<object | null>
  }
}

type Person = { userId: string; username: string }
type Night = { nightId: string; members: Person[]; guests: Person[] }
