/**
 * Stores files by name. A name has lower-case letters, digits, dots and dashes. Putting the same content under the same
 * name again is harmless.
 */
export type BlobStore = {
  /** Durable when the promise resolves. A reader sees the whole file or nothing. */
  put: (name: string, bytes: Uint8Array) => Promise<void>
  get: (name: string) => Promise<Buffer | undefined>
  has: (name: string) => Promise<boolean>
  delete: (name: string) => Promise<void>
  /** Every blob and when it was last put, in no order. A blob that changes during the listing may be missing. */
  list: () => AsyncIterable<BlobEntry>
}

export type BlobEntry = { name: string; putAt: Date }

const NAME = /^[a-z0-9][a-z0-9.-]{0,199}$/u

/** @throws {TypeError} if the name could escape the store. */
export function checkBlobName(name: string): void {
  if (!NAME.test(name)) throw new TypeError('A blob cannot have this name')
}

/** The bucket cannot be used. The message says why. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}
