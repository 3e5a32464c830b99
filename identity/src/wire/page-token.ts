/** Where a list goes on, as clients carry it; it holds nothing that the list itself does not show. */
export function toPageToken(lastKey: string): string {
  return Buffer.from(lastKey, 'utf8').toString('base64url')
}

/** The key after which to go on; the beginning, if no token came along. */
export function readPageToken(token: string | undefined): string {
  return Buffer.from(token ?? '', 'base64url')
    .toString('utf8')
    .replaceAll('\0', '')
}
