import type { ImportFormat, ImportProblem } from '@marquee/contract/entities/import'
import { IMPORT_ENDPOINTS } from '@marquee/contract/endpoints/imports'
import { MAX_SHOWN_PROBLEMS } from '@marquee/contract/limits'
import { readBody } from '@marquee/platform/json/read-body'
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

/** Reads the body of `beginImport`. It runs in a thread under limits. @throws {Problem} @throws {TooComplex} @throws {InvalidBody} */
export function* readUpload(body: Uint8Array): Generator<UploadPart> {
  const { fileName, fileData, format } = readBody(IMPORT_ENDPOINTS.beginImport.body, body)
  const parsed = parseUpload({ fileName, bytes: Buffer.from(fileData, 'base64'), format })
  yield {
    fileName,
    format: parsed.format,
    problems: parsed.problems.slice(0, MAX_SHOWN_PROBLEMS),
    problemCount: parsed.problems.length,
  }
  yield* inParts(parsed.rows, ROWS_AT_ONCE)
}
