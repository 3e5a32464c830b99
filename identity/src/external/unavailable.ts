/** The external provider cannot be used at the moment, or not for this. */
export class ExternalUnavailable extends Error {
  override readonly name = 'ExternalUnavailable'
}
