/** The bucket cannot be used: the message says why. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}
