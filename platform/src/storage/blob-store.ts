/**
 * Where files are kept under names of their own: lower-case letters, digits, dots and dashes. Those who put content
 * under a name that tells the content may put it again without harm.
 */
export type BlobStore = {
  /** Durable when the promise resolves; a reader sees all of it or nothing. */
  put: (name: string, bytes: Uint8Array) => Promise<void>
  get: (name: string) => Promise<Buffer | undefined>
  has: (name: string) => Promise<boolean>
  delete: (name: string) => Promise<void>
  /** Every blob and when it was put last, in no order. One that is put or deleted meanwhile may be missed. */
  list: () => AsyncIterable<BlobEntry>
}

export type BlobEntry = { name: string; putAt: Date }

const NAME = /^[a-z0-9][a-z0-9.-]{0,199}$/u

/** @throws {TypeError} if the name could lead anywhere but to a blob. */
export function checkBlobName(name: string): void {
  if (!NAME.test(name)) throw new TypeError('A blob cannot have this name')
}
