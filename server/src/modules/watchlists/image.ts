import type { Watchlist } from '@marquee/contract/entities/watchlist'

import type { User } from '../profiles/service.ts'
import { type Access, beginChange, changeWatchlist, type WatchlistPorts } from './service.ts'

export type UploadPorts = WatchlistPorts & {
  readonly images: WatchlistPorts['images'] & {
    keepUpload: (dataUrl: string, kind: 'picture', userId: string) => Promise<string>
  }
}

/** @throws {Problem} BAD_REQUEST in the spec's words if the upload is no image, or too large. */
export async function setWatchlistImage(
  ports: UploadPorts,
  user: User,
  access: Access,
  imageData: string,
): Promise<Watchlist> {
  const hash = await ports.images.keepUpload(imageData, 'picture', user.userId)
  return await saveImage(ports, user, access, hash)
}

/** Takes the image away, if there is one. */
export async function removeWatchlistImage(ports: WatchlistPorts, user: User, access: Access): Promise<void> {
  await saveImage(ports, user, access, null)
}

async function saveImage(ports: WatchlistPorts, user: User, access: Access, hash: string | null): Promise<Watchlist> {
  return await changeWatchlist(ports, user, access, async (trx, membership) => {
    await beginChange(trx, membership)
    return { image_hash: hash }
  })
}
