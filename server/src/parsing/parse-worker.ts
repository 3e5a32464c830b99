/** The thread that reads what users and the internet send; parser.ts starts and ends it. */
import { Problem } from '@marquee/contract/problems'
import { InvalidBody } from '@marquee/platform/json/read-body'
import { TooComplex } from '@marquee/platform/json/split-json'

import { type FetchedPage, readMoviePage } from '../rooms/movies/catalogue/page.ts'
import { SourceUnavailable } from '../rooms/movies/catalogue/source.ts'
import { readFilmItems } from '../rooms/movies/catalogue/wikidata-items.ts'
import { readRestorable } from '../rooms/movies/exports/read-restorable.ts'
import { readUpload } from '../rooms/movies/imports/read-upload.ts'
import { TOO_COMPLEX } from './too-complex.ts'
import { answerTasks } from './worker-tasks.ts'

const TASKS = {
  *page(page: FetchedPage) {
    yield readMoviePage(page)
  },
  *films(body: Uint8Array) {
    yield readFilmItems(body)
  },
  upload: readUpload,
  restorable: readRestorable,
}

answerTasks(TASKS, (error) => {
  if (error instanceof TooComplex) return { key: 'BAD_REQUEST', message: TOO_COMPLEX }
  if (error instanceof InvalidBody) return { key: 'BAD_REQUEST', message: error.message }
  if (error instanceof Problem) return { key: error.key, message: error.message, details: error.details }
  if (error instanceof SourceUnavailable) return { source: error.source, reason: error.reason }
  return { failure: error instanceof Error ? error.stack : String(error) }
})
