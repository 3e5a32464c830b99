import type { Browser } from '@playwright/test'

import { type Person, test as journey } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { type CardWish, join } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'

import { drawCover, drawFaces } from './faces.ts'
import { drawPosters } from './posters.ts'

type Comment = { by: 'Mia' | 'Jonas' | 'Ada'; text: string }
type TalkedAbout = CardWish & { by: 'Mia' | 'Jonas' | 'Ada'; comments?: Comment[] }

/** The feed from its oldest card to its newest. */
export const FEED: TalkedAbout[] = [
  {
    by: 'Ada',
    title: 'A House of Weather',
    status: 'WATCHED',
    description: 'A family whose rooms each have a season of their own. Watch it with a blanket.',
    comments: [
      { by: 'Jonas', text: 'The winter kitchen! I want to live there.' },
      { by: 'Mia', text: 'You would, until the thaw.' },
    ],
  },
  {
    by: 'Jonas',
    title: 'The Understudy',
    status: 'REJECTED',
    description: 'Eleven years in the wings of the same play. Maybe on a day when nobody is tired.',
  },
  {
    by: 'Mia',
    title: 'Low Tide',
    status: 'WATCHED',
    description:
      'Two sisters sell the last boat of the village. The sea is the third lead, and it steals every scene.\n\n' +
      'A talk with the director: https://films.example.org/low-tide',
    comments: [
      { by: 'Ada', text: 'I had sand in my shoes afterwards.' },
      { by: 'Jonas', text: 'That was the popcorn.' },
    ],
  },
  {
    by: 'Ada',
    title: 'Night Tram',
    status: 'REVEALED',
    description:
      'The last tram of the night keeps finding one more stop. Everyone who saw it at the festival came out smiling, ' +
      'and nobody wanted to say why.\n\nSubtitled, 94 minutes: www.example.com/night-tram',
    comments: [
      { by: 'Jonas', text: 'Who put this in? I have been waiting for it since the festival.' },
      { by: 'Mia', text: 'Not me, but I would have.' },
      { by: 'Ada', text: 'Guilty. I bring the snacks, then. Salted or sweet?' },
      { by: 'Jonas', text: 'Both. It is the last tram, after all.' },
    ],
  },
]

const BOX = ['Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions', 'Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions']

export type FilmClub = {
  id: string
  mia: Person
  /** Is invited to the film club, and by a token of her own to the silent nights. */
  nora: Person
  norasToken: string
  posterOf: (title: string) => string
}

function aPerson(name: string): Person {
  return { name, email: `${name.toLowerCase()}@example.org`, password: 'Passw0rd-film' }
}

/** Whoever takes pictures finds the film club founded; nobody changes it. */
export const test = journey.extend<object, { club: FilmClub }>({
  club: [async ({ server, browser }, use) => await use(await foundFilmClub(server, browser)), { scope: 'worker' }],
})

/** Three friends with faces who share a watchlist, have talked about its films, and wait for two more. */
async function foundFilmClub(server: RunningServer, browser: Browser): Promise<FilmClub> {
  const posters = await drawPosters(browser)
  const faces = await drawFaces(browser)
  const posterOf = (title: string) => posters.get(title) ?? ''
  const [mia, jonas, ada, leo, nora] = [
    aPerson('Mia'),
    aPerson('Jonas'),
    aPerson('Ada'),
    aPerson('Leo'),
    aPerson('Nora'),
  ]
  const as = {
    Mia: await register(server, mia),
    Jonas: await register(server, jonas),
    Ada: await register(server, ada),
  }
  for (const [name, seeder] of Object.entries(as)) await seeder.avatar(faces.get(name))

  const { id } = await as.Mia.watchlist(
    'Friday film club',
    'Every Friday at eight, at Mia’s. Whoever put in the film that is drawn brings the snacks.',
  )
  await as.Mia.image(id, await drawCover(browser))
  await join(id, as.Mia, as.Jonas, jonas.name)
  await join(id, as.Mia, as.Ada, ada.name)
  for (const title of BOX) await as.Jonas.card(id, { title, image: posterOf(title) })
  for (const { by, comments = [], ...wish } of FEED) {
    const card = await as[by].card(id, { ...wish, image: posterOf(wish.title) })
    for (const comment of comments) await as[comment.by].comment(id, card.id, comment.text)
  }
  await as.Mia.watchlist('Rainy Sundays', 'Long films, short walks.')
  await as.Mia.watchlist('With the kids', 'Nothing with wolves in it, please.')
  const silentNights = await as.Ada.watchlist('Silent nights')

  for (const guest of [leo, nora]) {
    await register(server, guest)
    await as.Mia.invite(id, guest.name)
  }
  return { id, mia, nora, norasToken: await as.Ada.invite(silentNights.id, nora.name), posterOf }
}
