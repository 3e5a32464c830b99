/** The bucket cannot be used. The message says why. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}
