import type { RestorableCard, RestorableExport } from '@marquee/contract/entities/export'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_WATCHLIST_NAME_LENGTH } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { isSameUser } from '@marquee/contract/rules/account'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { Database } from '@marquee/platform/database/database'
import { inParts } from '@marquee/platform/database/parts'
import { DAY_MS } from '@marquee/platform/runtime/durations'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { type CardPorts, type RestoredCard, restoreCards } from '../cards/service.ts'
import { insertComments } from '../comments/service.ts'
import type { User } from '../../club/people/service.ts'
import { beginRestored, listWatchlists, loadWatchlist, type RestoredDraft } from '../../club/watchlists/service.ts'
import { peopleOf } from './marked-names.ts'
import type { RestorablePart } from './read-restorable.ts'

const COMMENTS_AT_ONCE = 200
/** The clock of the server that wrote a file may be ahead. */
const CLOCKS_DIFFER_MS = DAY_MS

export type RestorePorts = CardPorts & {
  /** The database whose transactions do not store a reply. */
  readonly slices: Database<unknown>
  readonly parser: {
    readonly parseRestorable: (body: Buffer, userId: string, latest: string) => AsyncIterable<RestorablePart>
  }
}

/**
 * Creates a watchlist from an export. The user is its owner and only member. Its rows are saved in short transactions of
 * `slices`; until the last transaction the watchlist is hidden, and if that does not come, it is removed.
 * @throws {Problem} BAD_REQUEST if the file cannot be read, or the user has too many watchlists; SERVICE_UNAVAILABLE.
 */
export async function restoreWatchlist(ports: RestorePorts, user: User, body: Buffer): Promise<Watchlist> {
  const draft = beginRestored(ports, ports.random.uuid())
  let watchlist: RestorableExport['watchlist'] | undefined
  const latest = new Date(ports.clock.now().getTime() + CLOCKS_DIFFER_MS).toISOString()
  try {
    for await (const part of ports.parser.parseRestorable(body, user.userId, latest)) {
      await nextTurn()
      if ('members' in part) {
        watchlist = part
        await draft.open(user, { ...part, name: await freeName(ports, user, part.name) })
      } else await restoreSlice(ports, draft, user, part)
    }
    if (!watchlist) throw new Error('A file has no watchlist')
    const restored = await finish(ports, draft, user, watchlist)
    ports.posters.wake()
    return restored
  } catch (error) {
    await draft.giveUp()
    throw error
  }
}

async function finish(
  ports: RestorePorts,
  draft: RestoredDraft,
  user: User,
  { members, isPrivate, imageUrl, country }: RestorableExport['watchlist'],
): Promise<Watchlist> {
  const imageHash = await findImage(ports, user, imageUrl)
  return await ports.database.transaction(async (trx) => {
    const now = ports.clock.now().toISOString()
    const joinedAt = members.find(({ username }) => isSameUser(username, user.username))?.joinedAt ?? now
    await draft.show(trx, user, { isPrivate, joinedAt, updatedAt: now, imageHash, country: country ?? null })
    return await loadWatchlist(ports, trx, draft.watchlistId)
  })
}

/** The name of the file, with a number if the user has a watchlist of this name, so that they can tell the two apart. */
async function freeName(ports: CardPorts, user: User, name: string): Promise<string> {
  const taken = new Set((await listWatchlists(ports, user)).map((watchlist) => watchlist.name))
  const nameAt = (copy: number) => {
    const number = ` (${copy})`
    const start = Array.from(name).slice(0, MAX_WATCHLIST_NAME_LENGTH - number.length)
    return `${start.join('')}${number}`
  }
  if (!taken.has(name)) return name
  for (let copy = 2; ; copy += 1) if (!taken.has(nameAt(copy))) return nameAt(copy)
}

/** The image of a watchlist, if this server still has it. */
async function findImage({ images }: CardPorts, user: User, address: string | undefined): Promise<string | null> {
  if (address === undefined || images.foreignAddressOf(address) !== undefined) return null
  const image = await images.keep(address, user.userId).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  return image?.hash ?? null
}

async function restoreSlice(
  ports: RestorePorts,
  draft: RestoredDraft,
  user: User,
  part: readonly RestorableCard[],
): Promise<void> {
  const { watchlistId } = draft
  const personOf = peopleOf(user, watchlistId)
  const cards = part.map((card) => ({ ...readCard(ports, user, personOf, card), comments: card.comments }))
  const withoutPoster = cards.filter(({ imageUrl }) => imageUrl === null).map(({ id }) => id)
  await ports.slices.transaction(async (trx) => {
    await draft.keep(trx)
    await restoreCards(trx, watchlistId, cards)
    await ports.posters.requestPictures(trx, { watchlistId, userId: user.userId }, withoutPoster)
  })
  for (const comments of inParts(cards.flatMap(commentsOf), COMMENTS_AT_ONCE)) {
    await nextTurn()
    await ports.slices.transaction(async (trx) => {
      await draft.keep(trx)
      await insertComments(trx, comments)
    })
  }

  function commentsOf({ id: cardId, comments: newestFirst }: { id: string; comments: RestorableCard['comments'] }) {
    // Comments are shown in the order of their ids.
    return newestFirst.toReversed().map(({ content, authorId, createdAt, updatedAt }) => {
      const { userId, username } = personOf(authorId)
      return {
        watchlist_id: watchlistId,
        card_id: cardId,
        id: ports.random.orderedId(),
        author_id: userId,
        author_username: username,
        content,
        created_at: createdAt,
        updated_at: updatedAt,
      }
    })
  }
}

/** A card in the box becomes one of the user's own: an export has no others there, and they are secret to the rest. */
function readCard(
  { images, random }: Pick<CardPorts, 'images' | 'random'>,
  user: User,
  personOf: ReturnType<typeof peopleOf>,
  { imageUrl, creatorId, statusChanges, wantedBy = [], ...card }: RestorableCard,
): RestoredCard {
  const isInBox = isInTheBox(card.status)
  // The first is the creator.
  const [, ...others] = isInBox ? [] : wantedBy
  return {
    ...card,
    id: random.orderedId(),
    imageUrl: images.foreignAddressOf(imageUrl) ?? null,
    creator: isInBox ? user : personOf(creatorId),
    history: statusChanges.map((change) => ({ ...change, changedBy: personOf(change.changedBy).username })),
    wants: others.map((name) => ({ ...personOf(name), id: random.orderedId() })),
  }
}
