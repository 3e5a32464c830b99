/** The bucket cannot be used: the cause says why. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}
