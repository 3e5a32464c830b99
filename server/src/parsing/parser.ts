import { join } from 'node:path'

import { Problem, type ProblemKey } from '@marquee/contract/problems'
import type { Logger } from '@marquee/platform/runtime/logger'

import type { FetchedPage, MoviePage } from '../rooms/movies/catalogue/page.ts'
import { SourceUnavailable } from '../rooms/movies/catalogue/source.ts'
import { NAME as WIKIDATA } from '../rooms/movies/catalogue/wikidata-api.ts'
import type { FilmItem } from '../rooms/movies/catalogue/wikidata-items.ts'
import type { RestorablePart } from '../rooms/movies/exports/read-restorable.ts'
import type { UploadPart } from '../rooms/movies/imports/read-upload.ts'
import { createLimitedWorker, type Task, TaskEnded, WorkerBusy, type WorkerOptions } from './limited-worker.ts'
import { TOO_COMPLEX } from './too-complex.ts'

/** Reads what users and the internet send, in threads under limits of time and memory. */
export type Parser = {
  /** Undefined if the page breaks a limit. @throws {Problem} SERVICE_UNAVAILABLE if too much is waiting. */
  readonly parsePage: (page: FetchedPage, deadline: AbortSignal) => Promise<MoviePage | undefined>
  /** The items of an answer of Wikidata. @throws {SourceUnavailable}; {Problem} as `parsePage`. */
  readonly parseFilms: (body: Buffer, deadline: AbortSignal) => Promise<FilmItem[]>
  /** The head of an upload, then its rows. The bytes are gone then. @throws {Problem} BAD_REQUEST; SERVICE_UNAVAILABLE. */
  readonly parseUpload: (body: Buffer, userId: string) => AsyncGenerator<UploadPart>
  /**
   * The watchlist of a file, then its cards. The bytes are gone then.
   * @throws {Problem} as `parseUpload`, also if a time of the file is after `latest`.
   */
  readonly parseRestorable: (body: Buffer, userId: string, latest: string) => AsyncGenerator<RestorablePart>
  readonly stop: () => Promise<void>
}

type ParserOptions = { readonly logger: Logger } & Partial<
  Pick<WorkerOptions, 'timeLimitMs' | 'memoryLimitMb' | 'idleMs'>
>

// The build replaces the name.
const PROGRAM = join(import.meta.dirname, 'parse-worker.ts')

export function createParser(options: ParserOptions): Parser {
  const worker = createLimitedWorker({ ...options, program: PROGRAM, revive })
  let films = 0

  async function* parts(task: Task): AsyncGenerator<unknown, undefined> {
    try {
      yield* worker.run(task)
    } catch (error) {
      if (error instanceof WorkerBusy) throw new Problem('SERVICE_UNAVAILABLE')
      throw error
    }
  }

  /** The only part of a task; `onEnded` if it breaks a limit. It is read to its end, or its thread would end with it. */
  async function onlyPart<Part>(task: Task, onEnded: (error: TaskEnded) => Part): Promise<Part> {
    let only: unknown
    try {
      for await (const part of parts(task)) only = part
    } catch (error) {
      if (error instanceof TaskEnded) return onEnded(error)
      throw error
    }
    return only as Part
  }

  /** Reads a body, whose bytes are moved into the thread. */
  async function* partsOfBody<Part>(
    name: string,
    body: Buffer,
    userId: string,
    inputOf: (bytes: Buffer) => unknown = (bytes) => bytes,
  ): AsyncGenerator<Part> {
    // Small buffers share their memory.
    const bytes = body.byteLength === body.buffer.byteLength ? body : Buffer.from(Uint8Array.from(body).buffer)
    try {
      const transfer = [bytes.buffer as ArrayBuffer]
      for await (const part of parts({ name, input: inputOf(bytes), transfer, owner: userId })) yield part as Part
    } catch (error) {
      throw error instanceof TaskEnded ? new Problem('BAD_REQUEST', TOO_COMPLEX) : error
    }
  }

  return {
    parseUpload: (body, userId) => partsOfBody('upload', body, userId),
    parseRestorable: (body, userId, latest) =>
      partsOfBody('restorable', body, userId, (bytes) => ({ body: bytes, latest })),
    parsePage: async (page, deadline) => {
      const task = { name: 'page', input: page, owner: `page ${page.url}`, signal: deadline }
      return await onlyPart<MoviePage | undefined>(task, () => undefined)
    },
    parseFilms: async (body, deadline) => {
      films += 1
      const task = { name: 'films', input: body, owner: `films ${films}`, signal: deadline }
      return await onlyPart<FilmItem[]>(task, (error) => {
        throw new SourceUnavailable(WIKIDATA, error.message, { cause: error })
      })
    },
    stop: worker.stop,
  }
}

type Refusal =
  | { key: ProblemKey; message: string; details: Record<string, unknown> }
  | { source: string; reason: string }
  | { failure: string }

function revive(refusal: unknown): Error {
  const given = refusal as Refusal
  if ('failure' in given) return new Error('A task failed', { cause: given.failure })
  if ('source' in given) return new SourceUnavailable(given.source, given.reason)
  return new Problem(given.key, given.message, given.details)
}
