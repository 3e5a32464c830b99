import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { readServerSettings } from '../settings/settings.ts'
import { type CatalogueStandIn, startCatalogueStandIn } from '../testing/catalogue/stand-in.ts'
import { catalogue } from './catalogue.ts'

let standIn: CatalogueStandIn
let lines: string[]

beforeAll(async () => {
  standIn = await startCatalogueStandIn()
})
afterAll(async () => {
  await standIn.stop()
})
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

const check = async (settings: Record<string, string> = {}) => {
  await catalogue.run(['check'], readServerSettings({ ...standIn.settings, ...settings }))
}

test('the check prints one line for each call and kind of link', async () => {
  await check()

  expect(lines.map((line) => line.replace(/\d+ ms$/u, '… ms'))).toEqual([
    'search: ok, 2 results, … ms',
    'details: ok, 8 facts, a summary of 95 characters, … ms',
    expect.stringMatching(/^picture: ok, image\/png of \d+ bytes, … ms$/u),
    'https://www.themoviedb.org/movie/348-alien: ok, facts of the catalogue, … ms',
    'https://www.imdb.com/title/tt0078748/: ok, facts of the catalogue, … ms',
    'https://letterboxd.com/film/alien/: ok, facts of the catalogue, … ms',
    'https://trakt.tv/movies/alien-1979: ok, facts of the catalogue, … ms',
    'https://www.wikidata.org/wiki/Q103569: ok, facts of the catalogue, … ms',
    'https://en.wikipedia.org/wiki/Alien_(film): ok, facts of the catalogue, … ms',
  ])
})

test('the check fails with the reason if a source does not answer', async () => {
  standIn.fail('html')

  await expect(check()).rejects.toThrow('9 of 9 checks failed.')

  standIn.fail(undefined)
  expect(lines[0]).toBe('search: failed, wikidata: the answer is not JSON')
})

test('the check fails while the catalogue is switched off', async () => {
  await expect(check({ CATALOGUE: 'off' })).rejects.toThrow('The catalogue is switched off.')
})
