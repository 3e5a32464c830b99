import type { ImportFormat, ImportProblem } from '@marquee/contract/entities/import'
import { IMPORT_ENDPOINTS } from '@marquee/contract/endpoints/imports'
import { MAX_SHOWN_PROBLEMS } from '@marquee/contract/limits'
import { checkBody, parseBody, readBody } from '@marquee/platform/json/read-body'
import { type Range, splitJson } from '@marquee/platform/json/split-json'
import { inParts } from '@marquee/platform/database/parts'

import { type ImportedRow, parseUpload } from './parse.ts'

/** What comes before the rows of an upload. */
export type UploadHead = {
  readonly fileName: string
  readonly format: ImportFormat
  readonly problems: readonly ImportProblem[]
  readonly problemCount: number
}

/** A part of an upload: its head first, then rows. */
export type UploadPart = UploadHead | readonly ImportedRow[]

const ROWS_AT_ONCE = 100
const Body = IMPORT_ENDPOINTS.beginImport.body

/** Reads the body of `beginImport`. It runs in a thread under limits. @throws {Problem} @throws {TooComplex} @throws {InvalidBody} */
export function* readUpload(body: Uint8Array): Generator<UploadPart> {
  const { bytes, fileName, format } = readFile(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  const parsed = parseUpload({ fileName, bytes, format })
  yield {
    fileName,
    format: parsed.format,
    problems: parsed.problems.slice(0, MAX_SHOWN_PROBLEMS),
    problemCount: parsed.problems.length,
  }
  yield* inParts(parsed.rows, ROWS_AT_ONCE)
}

/** Decodes the file in the memory of the body: a long file would be there four times, as bytes, as text and as a value. */
function readFile(body: Buffer) {
  const { frame, text } = splitJson(body, 'fileData')
  const hasEscapes = text !== undefined && body.subarray(...text).includes('\\')
  if (text === undefined || hasEscapes) {
    const { fileData, ...rest } = readBody(Body, body)
    return { ...rest, bytes: Buffer.from(fileData, 'base64') }
  }
  const { fileData, ...rest } = checkBody(Body, parseBody(frame))
  // If the field occurs twice, the last one counts, but only the first was cut out. It is then not empty, and the file is
  // refused.
  const bytes = fileData === '' ? decodeInPlace(body, text) : undefined
  return { ...rest, bytes: bytes ?? refuseFile(rest) }
}

const CHUNK = 64 * 1024
const [INSIDE, AT_END] = [/^[A-Za-z0-9+/]*$/u, /^[A-Za-z0-9+/]*={0,2}$/u]

/** Base64 is longer than the bytes in it, so the decoded bytes never reach what is still to be read. */
function decodeInPlace(body: Buffer, [start, end]: Range): Buffer | undefined {
  let length = 0
  for (let from = start; from < end; from += CHUNK) {
    const to = Math.min(from + CHUNK, end)
    const chunk = body.toString('latin1', from, to)
    if (!(to === end ? AT_END : INSIDE).test(chunk)) return undefined
    length += body.write(chunk, length, 'base64')
  }
  return body.subarray(0, length)
}

function refuseFile(rest: object): never {
  checkBody(Body, { ...rest, fileData: '?' })
  throw new Error('A file that is not base64 was accepted')
}
