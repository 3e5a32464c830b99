import { Readable } from 'node:stream'

/** What a socket takes at once, in characters. */
const CHARACTERS_AT_ONCE = 16_384

/**
 * The body of a reply whose text is made while it is sent. Small pieces leave together: each write that waits for the reader
 * costs several objects, however little it has.
 */
export function streamText(pieces: AsyncIterable<string>): Readable {
  return Readable.from(inLargePieces(pieces), { highWaterMark: 1 })
}

async function* inLargePieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let gathered: string[] = []
  let length = 0
  for await (const piece of pieces) {
    gathered.push(piece)
    length += piece.length
    if (length < CHARACTERS_AT_ONCE) continue
    yield gathered.join('')
    gathered = []
    length = 0
  }
  if (length > 0) yield gathered.join('')
}
