import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

import { zipSync } from 'fflate'
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'

import { createParser } from './parser.ts'

const TOO_COMPLEX = 'The file is too complex: it has too many parts, or they are nested too deeply'
const TIME = '2025-01-01T12:00:00.000Z'
const parser = createParser({ logger: pino({ level: 'silent' }) })
afterAll(async () => {
  await parser.stop()
})

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const part of parts) found.push(part)
  return found
}

const upload = (fileName: string, file: string | Uint8Array): Buffer =>
  Buffer.from(JSON.stringify({ fileName, fileData: Buffer.from(file).toString('base64') }))

const card = (title: string): string =>
  JSON.stringify({
    title,
    description: null,
    imageUrl: '',
    status: 'SUGGESTED',
    creatorId: 'ana',
    createdAt: TIME,
    updatedAt: TIME,
    statusChanges: [{ status: 'SUGGESTED', changedBy: 'ana', changedAt: TIME }],
    comments: [],
  })

function restorable(cards: string): Buffer {
  const watchlist = { name: 'Films', description: null, isPrivate: true, createdAt: TIME, members: [] }
  const frame = JSON.stringify({ format: 'marquee-watchlist', version: 1, watchlist }).slice(0, -1)
  return Buffer.from(`${frame},"cards":${cards}}`)
}

describe('a file to import', () => {
  test('a file to import yields its head, then its rows in batches of 100', async () => {
    const lines = Array.from({ length: 250 }, (_, n) => `Film ${n}`).join('\n')
    const [head, ...rows] = await all(parser.parseUpload(upload('films.txt', lines), 'ana'))

    expect(head).toEqual({ fileName: 'films.txt', format: 'titles', problems: [], problemCount: 0 })
    expect(rows.map((part) => (part as unknown[]).length)).toEqual([100, 100, 50])
  })

  test.each([
    ['before its name', (file: string) => `{"fileData":"${file}","fileName":"films.txt"}`],
    ['after its name', (file: string) => `{"fileName":"films.txt","fileData":"${file}"}`],
    ['with spaces between all parts', (file: string) => `{ "fileName" : "films.txt" , "fileData" : "${file}" }`],
    ['with escaped slashes', (file: string) => `{"fileName":"films.txt","fileData":"${file.replaceAll('/', '\\/')}"}`],
    [
      'beside a field of that name inside',
      (file: string) => `{"a":{"fileData":"x"},"fileName":"films.txt","fileData":"${file}"}`,
    ],
  ])('a file to import is read from a body that has it %s', async (_where, body) => {
    // Its base64 has slashes, and is longer than the pieces in which it is decoded.
    const lines = Array.from({ length: 9_000 }, (_, n) => `Ünfaßbar??? ${n} ${'?'.repeat(1 + (n % 7))}`)
    const file = Buffer.from(lines.join('\n')).toString('base64')
    expect(file).toContain('/')

    const [head, ...parts] = await all(parser.parseUpload(Buffer.from(body(file)), 'ana'))

    expect(head).toEqual({ fileName: 'films.txt', format: 'titles', problems: [], problemCount: 0 })
    expect(parts.flat().map((row) => (row as { title: string }).title)).toEqual(lines)
  })

  const long = 'QUJD'.repeat(50_000)
  test.each([
    ['that is not base64', `"fileData":"QUJ*"`],
    ['that is not base64 in the middle', `"fileData":"${long}=${long}"`],
    ['that is not base64 at its end', `"fileData":"${long}QU======"`],
    ['that is given twice', `"fileData":"QUJD","fileData":"QUJD"`],
    ['that is not base64, with escapes', `"fileData":"QUJ\\u002a"`],
  ])('a file to import %s is refused', async (_what, field) => {
    const body = Buffer.from(`{"fileName":"films.txt",${field}}`)

    await expect(all(parser.parseUpload(body, 'ana'))).rejects.toThrow('fileData: The file must be sent as base64')
  })

  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${n}.txt`, new Uint8Array()]))
  // Evidence: asvs-5.2.3
  test.each([
    ['deep JSON', upload('list.json', '['.repeat(4_000_000)), TOO_COMPLEX],
    ['JSON of 65 levels', upload('list.json', `${'['.repeat(65)}${']'.repeat(65)}`), TOO_COMPLEX],
    ['deep objects', upload('list.json', `[${'{"a":'.repeat(1_000_000)}`), TOO_COMPLEX],
    ['wide JSON', upload('list.json', `[${'0,'.repeat(4_000_000)}0]`), TOO_COMPLEX],
    ['many objects', upload('list.json', `[${'{},'.repeat(2_000_000)}{}]`), TOO_COMPLEX],
    ['a wide table', upload('films.csv', `Title${','.repeat(8_000_000)}`), TOO_COMPLEX],
    ['a long table', upload('films.csv', `Title${'\n'.repeat(8_000_000)}`), TOO_COMPLEX],
    ['many blank lines', upload('films.txt', '\n'.repeat(8_000_000)), TOO_COMPLEX],
    ['too many rows', upload('films.txt', 'a\n'.repeat(10_001)), 'A file may have at most 10,000 rows'],
    [
      'an open quotation mark',
      upload('films.csv', `Title\n"${'x'.repeat(8_000_000)}`),
      'No row is a movie. Row 2: A quotation mark is not closed',
    ],
    ['a zip of many files', upload('all.zip', zipSync(many, { level: 0 })), TOO_COMPLEX],
    [
      'half a zip',
      upload('all.zip', Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(1_000_000)])),
      'The zip is damaged',
    ],
    ['a deep body', Buffer.from('['.repeat(11_000_000)), TOO_COMPLEX],
    ['no body', Buffer.alloc(0), 'body: Invalid input: expected object, received undefined'],
    ['half a body', Buffer.from('{"fileName":"a'), 'body: this is not valid JSON'],
  ])('a file to import with %s is refused', async (_what, body, message) => {
    await expect(all(parser.parseUpload(body, 'ana'))).rejects.toThrow(message)
  })
})

test('a large file is not kept as text in the memory of its thread', async () => {
  const small = createParser({ logger: pino({ level: 'silent' }), memoryLimitMb: 24 })
  const zip = zipSync({ 'picture.png': randomBytes(8_000_000) }, { level: 0 })

  const reading = all(small.parseUpload(upload('all.zip', zip), 'ana'))

  await expect(reading).rejects.toThrow('The zip has no file with movies that Marquee knows')
  await small.stop()
})

describe('a file to restore', () => {
  test('a file to restore yields its watchlist, then its cards in batches of 25', async () => {
    const cards = Array.from({ length: 60 }, (_, n) => card(`Film ${n}`)).join(' ,\n')
    const [watchlist, ...parts] = await all(
      parser.parseRestorable(restorable(`[${cards}]`), 'ana', '2027-01-01T00:00:00.000Z'),
    )

    expect(watchlist).toMatchObject({ name: 'Films', isPrivate: true })
    expect(parts.map((part) => (part as unknown[]).length)).toEqual([25, 25, 10])
    expect(parts.flat().at(-1)).toMatchObject({ title: 'Film 59' })
  })

  test.each([
    ['deep JSON', `[${'['.repeat(8_000_000)}]`, TOO_COMPLEX],
    ['JSON of 65 levels', `[${'['.repeat(63)}${']'.repeat(63)}]`, TOO_COMPLEX],
    ['wide JSON', `[${'0,'.repeat(8_000_000)}0]`, TOO_COMPLEX],
    ['many cards', `[${`${card('A')},`.repeat(10_000)}${card('A')}]`, 'cards: There are more than 10000'],
    ['a card that is none', `[${card('A')},{}]`, 'cards.1.title: '],
    ['a missing card', `[${card('A')},]`, 'body: this is not valid JSON'],
    ['cards that are not a list', '7', 'cards: Invalid input: expected array, received number'],
    ['a second list of cards', `[],"cards":[${card('A')}]`, 'cards: '],
    ['a title without an end', '["', 'body: this is not valid JSON'],
  ])('a file to restore with %s is refused before its first part', async (_what, cards, message) => {
    const parts: unknown[] = []
    const read = async () => {
      for await (const part of parser.parseRestorable(restorable(cards), 'ana', '2027-01-01T00:00:00.000Z'))
        parts.push(part)
    }

    await expect(read()).rejects.toThrow(message)
    expect(parts).toEqual([])
  })
})

test.each([
  ['import', 'parseUpload', upload('films.txt', 'Alien\n'.repeat(10_000))],
  ['restore', 'parseRestorable', restorable(`[${Array(10_000).fill(card('Alien')).join()}]`)],
] as const)('a file to %s that takes too long to read is refused', async (_what, read, body) => {
  const hasty = createParser({ logger: pino({ level: 'silent' }), timeLimitMs: 0 })

  await expect(all<unknown>(hasty[read](body, 'ana', '2027-01-01T00:00:00.000Z'))).rejects.toThrow(TOO_COMPLEX)
  await hasty.stop()
})

test('a page that takes too long to parse yields no movie', async () => {
  const page = { bytes: Buffer.from('<title>Alien</title>'), contentType: 'text/html', url: 'https://movies.example/' }

  expect(await parser.parsePage(page, AbortSignal.abort())).toBeUndefined()
})

test('one thread parses all pages and all answers of Wikidata', async () => {
  const own = createParser({ logger: pino({ level: 'silent' }) })
  let threads = 0
  const count = () => void (threads += 1)
  subscribe('worker_threads', count)
  const page = { bytes: Buffer.from('<title>Alien</title>'), contentType: 'text/html', url: 'https://movies.example/' }
  for (const deadline of [AbortSignal.timeout(120_000), AbortSignal.timeout(120_000)]) {
    await own.parsePage(page, deadline)
    await own.parseFilms(Buffer.from('{"entities":{}}'), deadline)
  }
  unsubscribe('worker_threads', count)
  await own.stop()

  expect(threads).toBe(1)
})

test('an answer of Wikidata that takes too long to parse makes the source unavailable', async () => {
  const answer = Buffer.from('{"entities":{}}')

  await expect(parser.parseFilms(answer, AbortSignal.abort())).rejects.toThrow('wikidata: the caller gave up')
})

test.each([
  ['is not JSON', '{"entities":', 'wikidata: the answer is not JSON'],
  ['has no items', '{"entities":7}', 'wikidata: unexpected answer at entities'],
  ['is deeply nested', `{"entities":${'['.repeat(1_000_000)}`, 'wikidata: the answer is not JSON'],
])('an answer of Wikidata that %s makes the source unavailable', async (_what, answer, message) => {
  await expect(parser.parseFilms(Buffer.from(answer), AbortSignal.timeout(120_000))).rejects.toThrow(message)
})
