import { isUtf8 } from 'node:buffer'

import { unzipSync } from 'fflate'

import { MAX_IMPORT_BYTES, MAX_UNZIPPED_BYTES } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { TooComplex } from '@marquee/platform/json/split-json'

/** A file to import as text. `isZipped`: one of the files in a zip. */
export type TextFile = { readonly name: string; readonly text: string; readonly isZipped: boolean }

const MIB = 1024 * 1024
/** A large export has some hundreds. */
const MAX_ZIPPED_FILES = 10_000

/** The files of a Letterboxd, Trakt or Simkl export that hold movies, at the top of the zip or in one folder. */
const ZIPPED_FILE =
  /^(?:(?!deleted|orphaned|likes|lists|__MACOSX)[^/]+\/)?(?:(?:watchlist|watched|ratings|diary)\.csv|[^/.][^/]*\.json)$/iu
/** A list that a member of Trakt has made. Trakt names two others in the same way: the names of the lists, and favourites. */
const OWN_LIST = /^lists-(?!(?:watchlist(?:-movies)?|lists|favorites)(?:-\d+)?\.json$).+\.json$/iu
/**
 * The other JSON files with movies that a member wants to see or has seen. Trakt exports as many movies that a member owns, has
 * hidden, liked, noted, commented on or begun to watch.
 */
const JSON_WITH_MOVIES =
  /^(?:movies|(?:lists-)?watchlist(?:-movies)?|watched(?:-movies)?|(?:watched-)?history(?:-movies)?|ratings-movies|.*simkl.*)(?:-\d+)?\.json$/iu

/**
 * The text files of an upload: the file itself, or those in a zip that hold movies. The size that a zip declares for a
 * file is checked, with those before it, before that file is unpacked, and unpacking stops at the declared size.
 * @throws {Problem} BAD_REQUEST if it is too large, is not text, or is a zip without such a file. @throws {TooComplex}
 */
export function readTextFiles(fileName: string, bytes: Uint8Array): TextFile[] {
  if (bytes.length > MAX_IMPORT_BYTES) {
    throw new Problem('BAD_REQUEST', `A file may have at most ${MAX_IMPORT_BYTES / MIB} MB`)
  }
  if (!isZip(bytes)) return [{ name: fileName, text: decodeText(bytes), isZipped: false }]
  const files = Object.entries(unzip(bytes)).map(([path, content]) => ({
    name: nameOf(path),
    text: decodeText(content),
    isZipped: true,
  }))
  if (files.length === 0) throw new Problem('BAD_REQUEST', 'The zip has no file with movies that Marquee knows')
  return files
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0
  let files = 0
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        files += 1
        if (files > MAX_ZIPPED_FILES) throw new TooComplex('A zip has too many files')
        if (!ZIPPED_FILE.test(name) || (/\.json$/iu.test(name) && !hasMovies(nameOf(name)))) return false
        total += originalSize
        if (originalSize > MAX_IMPORT_BYTES || total > MAX_UNZIPPED_BYTES) {
          throw new Problem(
            'BAD_REQUEST',
            `The files in the zip are too large. Each may have ${MAX_IMPORT_BYTES / MIB} MB.`,
          )
        }
        return true
      },
    })
  } catch (error) {
    if (error instanceof Problem || error instanceof TooComplex) throw error
    throw new Problem('BAD_REQUEST', 'The zip is damaged')
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function hasMovies(name: string): boolean {
  return isOwnList(name) || JSON_WITH_MOVIES.test(name)
}

/** Whether the name of a file in a zip is that of a list of the member, which may have movies of any kind. */
export function isOwnList(name: string): boolean {
  return OWN_LIST.test(name)
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
}

/** UTF-8, or UTF-16 by its byte-order mark or its zero bytes; everything else is read as Windows-1252, which has Latin-1. */
function decodeText(bytes: Uint8Array): string {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  if (text.includes('\u0000')) throw new Problem('BAD_REQUEST', 'This is not a text file, or it is damaged')
  return text
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}
