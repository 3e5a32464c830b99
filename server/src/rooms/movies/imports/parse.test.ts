import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'

import { Problem } from '@marquee/contract/problems'

import { cardTable } from '../exports/tables.ts'
import { parseUpload } from './parse.ts'

const read = (fileName: string, content: string | Uint8Array, format?: 'titles' | 'csv') =>
  parseUpload({ fileName, bytes: typeof content === 'string' ? strToU8(content) : content, format })

/** A row in short: "2 Ran 1985", with "seen" at its end. */
const inShort = ({ rows }: ReturnType<typeof read>) =>
  rows.map(({ row, title, movie, isSeen }) => [row, title, movie.year, ...(isSeen ? ['seen'] : [])].join(' '))

const WATCHLIST = `Date,Name,Year,Letterboxd URI
2024-03-01,Ran,1985,https://boxd.it/2aUc
2024-03-02,"Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb",1964,https://boxd.it/29dK
2024-03-03,"Me, ""Myself""
& Irene",2000,https://letterboxd.com/film/me-myself-irene/
`

const IMDB_LIST = `Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors,Your Rating,Date Rated
1,tt0087884,2024-01-01,2024-01-01,,"Paris, Texas","Paris, Texas",https://www.imdb.com/title/tt0087884/,Movie,8.1,145,1984,"Drama",120000,1984-09-19,Wim Wenders,9,2024-02-01
2,tt0245429,2024-01-01,2024-01-01,,Spirited Away,Sen to Chihiro no kamikakushi,https://www.imdb.com/title/tt0245429/,Movie,8.6,124,2001,"Animation, Adventure",900000,2001-07-20,Hayao Miyazaki,,
3,tt0903747,2024-01-01,2024-01-01,,Breaking Bad,Breaking Bad,https://www.imdb.com/title/tt0903747/,TV Series,9.5,,2008,"Crime",2000000,2008-01-20,,,
`

describe('a Letterboxd file', () => {
  test('a Letterboxd file may have quotes and line breaks in quoted fields', () => {
    const parsed = read('watchlist.csv', WATCHLIST)

    expect(parsed.format).toBe('letterboxd')
    expect(parsed.problems).toEqual([])
    expect(inShort(parsed)).toEqual([
      '2 Ran 1985',
      '3 Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb 1964',
      '4 Me, "Myself" & Irene 2000',
    ])
    expect(parsed.rows[2]?.movie.ids).toEqual({ letterboxd: 'me-myself-irene' })
  })

  test('a Letterboxd file may have semicolons, another order of columns, and no year', () => {
    expect(inShort(read('watchlist.csv', 'Letterboxd URI;Name\r\nhttps://boxd.it/2aUc;Ran\r\n'))).toEqual(['2 Ran '])
  })

  test('a Letterboxd list file is read below the header that describes the list', () => {
    const list = `Letterboxd list export v7
Date,Name,Tags,URL,Description
2024-01-01,Best of Kurosawa,,https://letterboxd.com/ana/list/best/,

Position,Name,Year,URL,Description
1,Ran,1985,https://letterboxd.com/film/ran/,
2,Ikiru,1952,https://letterboxd.com/film/ikiru/,
`
    expect(inShort(read('best-of-kurosawa.csv', list))).toEqual(['6 Ran 1985', '7 Ikiru 1952'])
  })

  test('a file in the import format of Letterboxd provides ids, ratings and the day of watching', () => {
    const parsed = read(
      'export.csv',
      'LetterboxdURI,tmdbID,imdbID,Title,Year,Directors,Rating10,WatchedDate\n,11645,tt0089881,Ran,1985,"Akira Kurosawa",9,2024-01-05\n',
    )

    expect(inShort(parsed)).toEqual(['2 Ran 1985 seen'])
    expect(parsed.rows[0]?.mark).toEqual({ seenOn: '2024-01-05', halfStars: 9 })
    expect(parsed.rows[0]?.movie).toMatchObject({
      directors: ['Akira Kurosawa'],
      ids: { tmdb: '11645', imdb: 'tt0089881' },
    })
  })

  test('a Letterboxd zip provides each movie once, and marks movies that were only watched as seen', () => {
    const zip = zipSync({
      'watchlist.csv': strToU8(WATCHLIST.split('\n').slice(0, 2).join('\n')),
      'watched.csv': strToU8('Date,Name,Year,Letterboxd URI\n2024-01-01,RAN,1985,x\n2024-01-01,Alien,1979,x\n'),
      'ratings.csv': strToU8('Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,Alien,1979,x,4.5\n'),
      'diary.csv': strToU8(
        'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2024-01-01,Alien,1979,x,4.5,Yes,,2024-01-01\n2024-01-01,,1979,x,,,,2024-01-01\n',
      ),
      'profile.csv': strToU8('Date Joined,Username\n2020-01-01,ana\n'),
      'likes/films.csv': strToU8('Date,Name,Year,Letterboxd URI\n2024-01-01,Heat,1995,x\n'),
      'deleted/watchlist.csv': strToU8('Date,Name,Year,Letterboxd URI\n2024-01-01,Jaws,1975,x\n'),
    })
    const parsed = read('letterboxd-ana.zip', zip)

    expect(inShort(parsed)).toEqual(['2 Ran 1985', '3 Alien 1979 seen'])
    expect(parsed.rows.map(({ mark }) => mark)).toEqual([
      { seenOn: null, halfStars: null },
      { seenOn: '2024-01-01', halfStars: 9 },
    ])
    expect(parsed.rows.map(({ file }) => file)).toEqual(['watchlist.csv', 'watched.csv'])
    expect(parsed.problems).toEqual([{ file: 'diary.csv', row: 3, problem: 'The title is missing' }])
  })
})

/** A diary with one movie, seen on these days. */
const diary = (...viewings: string[]) =>
  strToU8(`Name,Year,Rating,Watched Date\nAlien,1979,${viewings.join('\nAlien,1979,')}\n`)
const CURRENT = strToU8('Date,Name,Year,Letterboxd URI,Rating\n2024-05-01,Alien,1979,x,3\n')

test.each([
  ['of the last viewing', { 'diary.csv': diary('2,2020-01-01', '4.5,2024-01-01', '1,2022-01-01') }, 9],
  ['of the last viewing that has one', { 'diary.csv': diary('2,2020-01-01', ',2024-01-01') }, 4],
  ['without a day', { 'diary.csv': diary('2,2020-01-01', '4.5,2024-01-01'), 'ratings.csv': CURRENT }, 6],
  ['without a day, also if it comes first', { 'ratings.csv': CURRENT, 'diary.csv': diary('4.5,2024-01-01') }, 6],
])('a movie that was seen several times gets the rating %s', (_which, files, halfStars) => {
  const [row] = read('letterboxd-ana.zip', zipSync(files)).rows

  expect(row?.mark).toEqual({ seenOn: '2024-01-01', halfStars })
})

test('rows with the same title and year are one movie unless their ids differ', () => {
  const table = (...rows: string[]) => strToU8(`Const,Title,Year\n${rows.join('\n')}\n`)
  const zip = zipSync({
    'watchlist.csv': table(',Dracula,1931', 'tt0022542,The Spider,1931'),
    'watched.csv': table('tt0021814,Dracula,1931', 'tt0021815,Drácula,1931', 'tt0021814,Dracula,1931'),
  })

  const { rows } = read('films.zip', zip)

  expect(rows.map(({ title, isSeen, movie }) => [title, isSeen, movie.ids.imdb])).toEqual([
    ['Dracula', false, 'tt0021814'],
    ['The Spider', false, 'tt0022542'],
    ['Drácula', true, 'tt0021815'],
  ])
})

describe('an IMDb file', () => {
  test('an IMDb file provides the facts of its movies, and a row with a series is reported as a problem', () => {
    const parsed = read('list.csv', IMDB_LIST)

    expect(parsed.format).toBe('imdb')
    expect(inShort(parsed)).toEqual(['2 Paris, Texas 1984', '3 Spirited Away 2001'])
    expect(parsed.rows.map(({ mark }) => mark)).toEqual([{ seenOn: null, halfStars: 9 }, null])
    expect(parsed.rows[1]?.movie).toEqual({
      year: 2001,
      runtimeMinutes: 124,
      genres: ['Animation', 'Adventure'],
      directors: ['Hayao Miyazaki'],
      originalTitle: 'Sen to Chihiro no kamikakushi',
      language: null,
      source: null,
      ids: { imdb: 'tt0245429' },
    })
    expect(parsed.problems).toEqual([{ file: null, row: 4, problem: 'This is not a movie: TV Series' }])
  })

  test('an IMDb ratings file marks its movies as seen', () => {
    const ratings = `Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors
tt0087884,9,2024-02-01,"Paris, Texas","Paris, Texas",https://www.imdb.com/title/tt0087884,Movie,8.1,145,1984,Drama,120000,1984-09-19,Wim Wenders
`
    expect(inShort(read('ratings.csv', ratings))).toEqual(['2 Paris, Texas 1984 seen'])
    expect(read('ratings.csv', ratings).rows[0]?.mark).toEqual({ seenOn: null, halfStars: 9 })
  })
})

test('a Trakt file provides listed and seen movies, and reports series as problems', () => {
  const parsed = read(
    'lists-watchlist.json',
    JSON.stringify([
      {
        rank: 1,
        listed_at: '2024-01-01T00:00:00.000Z',
        type: 'movie',
        movie: { title: 'Ran', year: 1985, ids: { trakt: 1, slug: 'ran-1985', imdb: 'tt0089881', tmdb: 11_645 } },
      },
      { plays: 2, last_watched_at: '2024-01-01T00:00:00.000Z', movie: { title: 'Alien', year: 1979, ids: {} } },
      { rank: 2, type: 'show', show: { title: 'Dark', year: 2017 } },
      { rank: 3, type: 'movie', movie: { title: null, year: null, ids: { tmdb: null } } },
    ]),
  )

  expect(parsed.format).toBe('trakt')
  expect(inShort(parsed)).toEqual(['1 Ran 1985', '2 Alien 1979 seen'])
  expect(parsed.rows[0]?.movie.ids).toEqual({ imdb: 'tt0089881', tmdb: '11645' })
  expect(parsed.problems).toEqual([
    { file: null, row: 3, problem: 'This is not a movie: series' },
    { file: null, row: 4, problem: 'The title is missing' },
  ])
})

describe('a Trakt export', () => {
  const json = (...entries: object[]) => strToU8(JSON.stringify(entries))
  const movie = (title: string, year: number) => ({ movie: { title, year, ids: {} } })
  const watched = { plays: 1, last_watched_at: '2024-01-01T20:00:00.000Z' }
  const rated = { rated_at: '2024-01-02T00:00:00.000Z', rating: 8 }

  test('a Trakt export provides watchlist, rated and watched movies, but not owned or noted ones', () => {
    const parsed = read(
      'trakt-ana.zip',
      zipSync({
        'collection-movies.json': json({ collected_at: '2024-01-01', ...movie('Owned', 1990) }),
        'comments-movies.json': json({ comment: { comment: 'Fine' }, ...movie('Commented', 1991) }),
        'hidden-progress_watched.json': json({ hidden_at: '2024-01-01', ...movie('Hidden', 1992) }),
        'likes-movies.json': json({ liked_at: '2024-01-01', ...movie('Liked', 1993) }),
        'lists-favorites.json': json({ listed_at: '2024-01-01', ...movie('Favourite', 1994) }),
        'lists-lists.json': json({ name: 'Rainy days', item_count: 3 }),
        'lists-watchlist.json': json({ listed_at: '2024-01-01', ...movie('Ran', 1985) }),
        'notes-movies.json': json({ note: { notes: 'Own it' }, ...movie('Noted', 1995) }),
        'ratings-movies.json': json({ ...rated, ...movie('Heat', 1995) }),
        'watched-history-1.json': json({ watched_at: '2024-01-01T20:00:00.000Z', ...movie('Ikiru', 1952) }),
        'watched-history-2.json': json({ watched_at: '2024-01-01T20:00:00.000Z', ...movie('Alien', 1979) }),
        'watched-movies.json': json({ ...watched, ...movie('Ikiru', 1952) }),
        'watched-playback.json': json({ progress: 40, paused_at: '2024-01-01', ...movie('Half watched', 1996) }),
      }),
    )

    expect(inShort(parsed)).toEqual(['1 Ran 1985', '1 Heat 1995 seen', '1 Ikiru 1952 seen', '1 Alien 1979 seen'])
    expect(parsed.problems).toEqual([])
  })

  test('a Trakt list provides movies to watch, except those that another file lists as seen', () => {
    const parsed = read(
      'trakt-ana.zip',
      zipSync({
        'lists-rainy-days.json': json(movie('Stalker', 1979), movie('Ikiru', 1952), movie('Ran', 1985)),
        'lists-best-of-japan.json': json(movie('Ikiru', 1952), movie('Ran', 1985)),
        'lists-watchlist.json': json(movie('Ran', 1985)),
        'watched-movies.json': json({ ...watched, ...movie('Ikiru', 1952) }, { ...watched, ...movie('Ran', 1985) }),
      }),
    )

    expect(inShort(parsed).toSorted()).toEqual(['1 Ikiru 1952 seen', '1 Ran 1985', '1 Stalker 1979'])
    expect(parsed.rows.find(({ title }) => title === 'Ran')?.file).toBe('lists-watchlist.json')
  })

  test.each(['watchlist.json', 'trakt/watchlist-2.json', 'history.json', 'movies.json', 'SimklBackup.json'])(
    'the file %s in a zip is read',
    (name) => {
      expect(inShort(read('a.zip', zipSync({ [name]: json(movie('Ran', 1985)) })))).toEqual(['1 Ran 1985'])
    },
  )
})

test('a Simkl file provides planned movies, and completed movies as seen', () => {
  const movie = { ids: { simkl: 53_536, slug: 'x', imdb: 'tt0078748', tmdb: '348' }, poster: '17/1' }
  const parsed = read(
    'SimklBackup.json',
    JSON.stringify({
      shows: [{ status: 'watching', show: { title: 'Dark' } }],
      movies: [
        {
          status: 'plantowatch',
          last_watched_at: null,
          user_rating: null,
          movie: { title: 'Alien', year: 1979, ...movie },
        },
        { status: 'completed', last_watched_at: '2024-01-01', user_rating: 8, movie: { title: 'Ran', year: 1985 } },
      ],
    }),
  )

  expect(parsed.format).toBe('simkl')
  expect(inShort(parsed)).toEqual(['1 Alien 1979', '2 Ran 1985 seen'])
  expect(parsed.rows.map(({ mark }) => mark)).toEqual([null, { seenOn: '2024-01-01', halfStars: 8 }])
})

test('a Simkl file leaves out dropped and uninteresting movies, unless the member rated them', () => {
  const entry = (status: string, title: string, more: object = {}) => ({
    status,
    movie: { title, year: 1990 },
    ...more,
  })
  const parsed = read(
    'SimklBackup.json',
    JSON.stringify({
      movies: [
        entry('notinteresting', 'Not for me'),
        entry('dropped', 'Left early', { last_watched_at: '2024-01-01T20:00:00Z', user_rating: null }),
        entry('dropped', 'Left and rated', { last_watched_at: '2024-01-01T20:00:00Z', user_rating: 3 }),
        entry('notinteresting', 'Never again', { user_rating: 1 }),
        entry('hold', 'Later'),
        entry('plantowatch', 'Once more', { user_rating: 9 }),
      ],
    }),
  )

  expect(inShort(parsed)).toEqual([
    '3 Left and rated 1990 seen',
    '4 Never again 1990 seen',
    '5 Later 1990',
    '6 Once more 1990',
  ])
  expect(parsed.rows.map(({ mark }) => mark)).toEqual([
    { seenOn: '2024-01-01', halfStars: 3 },
    { seenOn: null, halfStars: 1 },
    null,
    { seenOn: null, halfStars: 9 },
  ])
  expect(parsed.problems).toEqual([
    { file: null, row: 1, problem: 'Simkl lists this movie as not interesting' },
    { file: null, row: 2, problem: 'Simkl lists this movie as dropped' },
  ])
})

test('the JSON export of Marquee provides its titles with their facts', () => {
  const movie = {
    year: 1985,
    runtimeMinutes: 162,
    genres: ['Drama'],
    directors: ['Akira Kurosawa'],
    originalTitle: '乱',
    language: 'ja',
    source: 'tmdb',
    ids: { tmdb: '11645', wikidata: 'Q223299' },
  }
  const parsed = read(
    'Friday films.json',
    JSON.stringify({
      format: 'marquee-watchlist',
      version: 1,
      watchlist: { name: 'Friday films' },
      cards: [
        { title: 'Ran', description: null, movie, status: 'REVEALED', creatorId: 'ana' },
        { title: 'Heat', status: 'WATCHED' },
        { status: 'WATCHED' },
      ],
    }),
  )

  expect(parsed.format).toBe('marquee')
  expect(inShort(parsed)).toEqual(['1 Ran 1985', '2 Heat  seen'])
  expect(parsed.rows[0]?.movie).toEqual({ ...movie, language: null, source: null })
  expect(parsed.problems).toEqual([{ file: null, row: 3, problem: 'The title is missing' }])
})

test('the CSV export of Marquee provides its titles with their facts', async () => {
  const movie = {
    year: 1985,
    runtimeMinutes: 162,
    genres: ['Drama', 'War'],
    directors: ['Akira Kurosawa', 'Ishirō Honda'],
    originalTitle: '乱',
    language: null,
    source: null,
    ids: { tmdb: '11645', imdb: 'tt0089881', wikidata: 'Q223299', letterboxd: 'ran' },
  }
  const card = {
    title: 'Ran',
    description: 'A king',
    imageUrl: 'https://example.org/ran.jpg',
    status: 'REVEALED',
  } as const
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', statusChanges: [] }
  async function* cards() {
    await Promise.resolve()
    yield { card: { ...card, ...times, movie, creatorId: 'ana' }, comments: [] }
  }

  let table = ''
  for await (const line of cardTable(cards())) table += line

  const parsed = read('Friday films.csv', table)

  expect(inShort(parsed)).toEqual(['2 Ran 1985'])
  expect(parsed.rows[0]?.movie).toEqual(movie)
})

test('a table with two rating columns uses the rating that a row has', () => {
  const parsed = read('diary.csv', 'Title,Rating,Rating10\nRan,4,\nHeat,,7\nIkiru,4.5,9\nJaws,,\n')

  expect(parsed.rows.map(({ mark }) => mark?.halfStars)).toEqual([8, 7, 9, null])
})

test('a plain list may have years in brackets, numbers and bullet points', () => {
  const parsed = read(
    'films.txt',
    'Alien (1979)\n\n1. Ran\n- Heat [1995]\n2001: A Space Odyssey\nhttps://boxd.it/2aUc\n',
  )

  expect(parsed.format).toBe('titles')
  expect(inShort(parsed)).toEqual(['1 Alien 1979', '3 Ran ', '4 Heat 1995', '5 2001: A Space Odyssey '])
  expect(parsed.problems).toEqual([{ file: null, row: 6, problem: 'This is an address, not a title' }])
})

test('a given format takes precedence over the detected one', () => {
  expect(inShort(read('x.txt', 'Title\n[REC] (2007)', 'titles'))).toEqual(['1 Title ', '2 [REC] 2007'])
})

describe('the encoding', () => {
  const table = 'Name,Year\nAmélie,2001\n'
  const utf16 = (isLittle: boolean, mark: string) => {
    const bytes = Buffer.from(mark + table, 'utf16le')
    return isLittle ? bytes : bytes.swap16()
  }

  test.each([
    ['UTF-8', Buffer.from(table)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\uFEFF${table}`)],
    ['UTF-16, little end first', utf16(true, '\uFEFF')],
    ['UTF-16, big end first', utf16(false, '\uFEFF')],
    ['UTF-16 without a byte-order mark', utf16(true, '')],
    ['Latin-1', Buffer.from(table, 'latin1')],
  ])('the encoding %s is recognised', (_name, bytes) => {
    expect(inShort(read('films.csv', bytes))).toEqual(['2 Amélie 2001'])
  })
})

test('rows that cannot be imported are reported with their row numbers', () => {
  const long = 'x'.repeat(301)
  const parsed = read(
    'films.csv',
    `Title,Year\nRan,1985\n,1979\n${long},1979\nHeat,nineties\n\nJaws,1066\n"Alien,1979\n`,
  )

  expect(inShort(parsed)).toEqual(['2 Ran 1985'])
  expect(parsed.problems).toEqual([
    { file: null, row: 3, problem: 'The title is missing' },
    { file: null, row: 4, problem: 'The title is longer than 300 characters' },
    { file: null, row: 5, problem: '“nineties” is not a year' },
    { file: null, row: 7, problem: '“1066” is not a year' },
    { file: null, row: 8, problem: 'A quotation mark is not closed' },
  ])
})

describe('a file that cannot be imported', () => {
  /** A zip whose one file unpacks to so many zeros. */
  const bomb = (size: number) => zipSync({ 'watched.csv': new Uint8Array(size) })
  const manyRows = `Title\n${'Ran\n'.repeat(10_001)}`
  const withoutTitle = 'Place,Date\nBerlin,2024\n'

  // Evidence: asvs-5.2.2, asvs-5.2.3
  test.each([
    ['that is empty', 'a.txt', '', 'The file has no movies'],
    ['without a usable row', 'a.csv', 'Title,Year\nRan,x\n', 'No row is a movie. Row 2: “x” is not a year'],
    [
      'without titles',
      'a.csv',
      withoutTitle,
      'The first row of the table must name its columns, one of them Title or Name',
    ],
    ['with 10,001 rows', 'a.csv', manyRows, 'A file may have at most 10,000 rows'],
    ['with 10,001 lines', 'a.txt', 'Ran\n'.repeat(10_001), 'A file may have at most 10,000 rows'],
    ['that is too large', 'a.txt', new Uint8Array(8_388_609), 'A file may have at most 8 MB'],
    ['that is binary', 'a.txt', new Uint8Array([1, 2, 3, 0, 5]), 'This is not a text file, or it is damaged'],
    ['that is a damaged zip', 'a.zip', new Uint8Array([0x50, 0x4b, 3, 4, 9, 9]), 'The zip is damaged'],
    [
      'that is a zip of something else',
      'a.zip',
      zipSync({ 'a.png': new Uint8Array(9) }),
      'The zip has no file with movies that Marquee knows',
    ],
    ['that is a zip bomb', 'a.zip', bomb(50_000_000), 'The files in the zip are too large. Each may have 8 MB.'],
    ['that is other JSON', 'a.json', '{"name":"x"}', 'This JSON file is not an export of Trakt, Simkl or Marquee'],
    ['that is damaged JSON', 'a.json', '[{"movie":', 'The JSON file is damaged'],
  ])('a file %s is rejected, and the reason is named', (_why, name, content, message) => {
    expect(() => read(name, content)).toThrow(new Problem('BAD_REQUEST', message))
  })

  // Evidence: asvs-5.2.3
  test('a zip that declares a smaller size than it has is unpacked only to that size', () => {
    const zip = bomb(5_000_000)
    const entry = new DataView(zip.buffer, zip.byteOffset)
    entry.setUint32(entry.getUint32(zip.length - 6, true) + 24, 10, true)

    expect(() => read('a.zip', zip)).toThrow('This is not a text file, or it is damaged')
  })
})
