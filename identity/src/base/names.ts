const EMAIL = /^[^\s@<>()[\]\\,;:"\p{C}]+@([^\s@<>()[\]\\,;:"\p{C}.]+\.)+(?!\d+$)[^\s@<>()[\]\\,;:"\p{C}.]+$/u
const LOOKS_LIKE_EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/u
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u
/** Single spaces inside are a superset of Amazon's rule, which allows none. */
const VISIBLE = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+( [\p{L}\p{M}\p{S}\p{N}\p{P}]+)*$/u
/** Invisible letters and marks. Emoji variation selectors are allowed, since they change the emoji before them. */
const INVISIBLE = /(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|\u2800/u
const DRAWN = /[\p{L}\p{S}\p{N}\p{P}]/u

/** An address is also a login name, which has this limit. */
export const NAME_LIMIT = 128

/** The form in which usernames and e-mail addresses are compared: trimmed, NFC, without case. */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}

/** The name as it is stored and shown. */
export function enteredName(username: string): string {
  return username.trim().normalize('NFC')
}

/** 1 to 128 visible characters with single spaces between them. */
export function isUsername(name: string): boolean {
  return Array.from(name).length <= NAME_LIMIT && isVisibleName(name)
}

/** Whether a new user may have this name. It cannot be taken for an address, nor for the id of another user. */
export function isNewUsername(name: string): boolean {
  return isUsername(name) && !isEmailShaped(name) && !isUuid(nameKey(name))
}

/** Whether a name has no control or direction-changing characters, and no two spaces in a row. */
export function isVisibleName(name: string): boolean {
  return VISIBLE.test(name) && !INVISIBLE.test(name) && DRAWN.test(name)
}

export function isEmailShaped(name: string): boolean {
  return LOOKS_LIKE_EMAIL.test(name)
}

/** An address that mail can be sent to, without the quoting and comments that only mail software understands. */
export function isEmailAddress(text: string): boolean {
  return text.length <= NAME_LIMIT && EMAIL.test(text) && !INVISIBLE.test(text)
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** Sixteen bytes in the usual notation, `8-4-4-4-12` hex digits. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
