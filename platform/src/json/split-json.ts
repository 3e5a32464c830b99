export const MAX_JSON_DEPTH = 64
/** The most values of a document. So many take about 64 MB once they are parsed. */
export const MAX_JSON_VALUES = 1_000_000

/** A text has too many parts, or they are nested too deeply. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex'
}

/** A place in the bytes of a document. */
export type Range = readonly [start: number, end: number]

/** A document without the entries of one list, and where these are; or without one text. */
export type JsonParts = { readonly frame: string; readonly entries: readonly Range[]; readonly text?: Range }

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Looks once at each byte of a JSON document, and refuses one that would take too much memory. The entries of the list under
 * `key` are taken out, so that they can be parsed one by one; so is a text under it. It does not find all faults; parsing the
 * parts does.
 * @throws {TooComplex}
 */
export function splitJson(bytes: Buffer, key: string, maxValues = MAX_JSON_VALUES): JsonParts {
  const entries: Range[] = []
  let list: { readonly start: number; end?: number } | undefined
  let [depth, values, at] = [0, 0, 0]
  let text: Range = [0, 0]
  let taken: Range | undefined
  let isKey = false
  let entryFrom = 0
  for (at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    const isInList = list !== undefined && list.end === undefined && depth === 2
    if (byte === QUOTE) {
      const start = at + 1
      at = endOfText(bytes, start)
      text = [start, at]
      if (isKey && depth === 1 && list === undefined) taken ??= text
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      values += 1
      if (depth > MAX_JSON_DEPTH) throw new TooComplex('A JSON document is too complex')
      if (depth === 2 && byte === OPEN_LIST && isKey && list === undefined && taken === undefined) {
        list = { start: at }
        entryFrom = at + 1
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (isInList && list) {
        list.end = at
        if (entries.length > 0 || !isBlank(bytes, entryFrom, at)) entries.push([entryFrom, at])
      }
      depth -= 1
    } else if (byte === COMMA) {
      values += 1
      if (depth === 1) isKey = false
      if (isInList) {
        entries.push([entryFrom, at])
        entryFrom = at + 1
      }
    } else if (byte === COLON && depth === 1) isKey = bytes.toString('utf8', ...text) === key
    if (values > maxValues) throw new TooComplex('A JSON document is too complex')
  }
  if (taken) return { frame: without(bytes, taken), entries: [], text: taken }
  if (list?.end === undefined) return { frame: bytes.toString('utf8'), entries: [] }
  return { frame: without(bytes, [list.start + 1, list.end]), entries }
}

function without(bytes: Buffer, [start, end]: Range): string {
  return bytes.toString('utf8', 0, start) + bytes.toString('utf8', end)
}

function endOfText(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return bytes.toString('latin1', start, end).trim() === ''
}
