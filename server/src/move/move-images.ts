import { Refusal } from '@marquee/platform/runtime/refusal'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import type { Report } from './move-tables.ts'

/**
 * Copies every image that the target does not have yet, and reads each copy back.
 * @throws Refusal naming the first image whose copy differs.
 */
export async function moveImages(from: BlobStore, to: BlobStore, report: Report): Promise<number> {
  const names: string[] = []
  for await (const { name } of from.list()) names.push(name)
  let done = 0
  for (const name of names) {
    const original = await from.get(name)
    if (original) await moveImage(to, name, original)
    done += 1
    report({ doing: 'copying', what: 'images', done, of: names.length })
  }
  return names.length
}

async function moveImage(to: BlobStore, name: string, original: Buffer): Promise<void> {
  if (await isThere(to, name, original)) return
  await to.put(name, original)
  if (!(await isThere(to, name, original)))
    throw new Refusal(`The copy of the image ${name} differs from the original.`)
}

async function isThere(store: BlobStore, name: string, original: Buffer): Promise<boolean> {
  return (await store.get(name))?.equals(original) ?? false
}
