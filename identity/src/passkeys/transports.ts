import type { PasskeyRow } from '../tables.ts'

const KNOWN: ReadonlySet<string> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** How browsers reach the authenticator of a passkey. */
export function transportsOf({ transports }: Pick<PasskeyRow, 'transports'>): string[] {
  return transports.split(',').filter((name) => name !== '')
}

/** The column for what a browser says of its authenticator; what is not in the standard is left out. */
export function transportsColumn(transports: readonly string[]): string {
  return [...new Set(transports)].filter((name) => KNOWN.has(name)).join(',')
}
