import type { Watchlist } from '@marquee/contract/entities/watchlist'

import type { User } from '../people/service.ts'
import { authorizeUpload, editWatchlist, type WatchlistPorts } from './service.ts'

export type UploadPorts = WatchlistPorts & {
  readonly images: WatchlistPorts['images'] & {
    keepUpload: (dataUrl: string, kind: 'picture', userId: string) => Promise<string>
  }
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the upload is not an image, or too large. */
export async function setWatchlistImage(
  ports: UploadPorts,
  user: User,
  watchlistId: string,
  imageData: string,
): Promise<Watchlist> {
  await authorizeUpload(ports.database.read, user, 'watchlist.edit', watchlistId)
  const hash = await ports.images.keepUpload(imageData, 'picture', user.userId)
  return await editWatchlist(ports, user, 'watchlist.edit', watchlistId, async () => ({ image_hash: hash }))
}

/** Does nothing if there is no image. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function removeWatchlistImage(ports: WatchlistPorts, user: User, watchlistId: string): Promise<void> {
  await editWatchlist(ports, user, 'watchlist.edit', watchlistId, async () => ({ image_hash: null }))
}
