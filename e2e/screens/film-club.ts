import type { Browser } from '@playwright/test'

import { type Person, test as journey } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { join, type NewCard } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'

import { drawCover, drawFaces } from './faces.ts'
import { drawPosters } from './posters.ts'

type Comment = { by: 'Mia' | 'Jonas' | 'Ada'; text: string }
type FeedCard = NewCard & { by: 'Mia' | 'Jonas' | 'Ada'; comments?: Comment[] }

/** The cards of the feed, oldest first. */
export const FEED: FeedCard[] = [
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
    description: 'Eleven years in the wings of the same play. Maybe on a day when none of us is tired.',
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
      'and none of them would say why.\n\nSubtitled, 94 minutes: www.example.com/night-tram',
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
  /** Has invitations to the film club and to the silent nights. */
  nora: Person
  /** The token of the second invitation. */
  norasToken: string
  posterOf: (title: string) => string
}

function aPerson(name: string): Person {
  return { name, email: `${name.toLowerCase()}@example.org`, password: 'Passw0rd-film' }
}

/** All pictures of a worker share one film club, and none changes it. */
export const test = journey.extend<object, { club: FilmClub }>({
  club: [async ({ server, browser }, use) => await use(await createFilmClub(server, browser)), { scope: 'worker' }],
})

/** Creates a watchlist that three friends share, with comments and two pending invitations. */
async function createFilmClub(server: RunningServer, browser: Browser): Promise<FilmClub> {
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
    'Every Friday at eight, at Mia’s. If your film is drawn, you bring the snacks.',
  )
  await as.Mia.image(id, await drawCover(browser))
  await join(id, as.Mia, as.Jonas, jonas.name)
  await join(id, as.Mia, as.Ada, ada.name)
  for (const title of BOX) await as.Jonas.card(id, { title, image: posterOf(title) })
  for (const { by, comments = [], ...newCard } of FEED) {
    const card = await as[by].card(id, { ...newCard, image: posterOf(newCard.title) })
    for (const comment of comments) await as[comment.by].comment(id, card.id, comment.text)
  }
  await as.Mia.watchlist('Rainy Sundays', 'Long films, short walks.')
  await as.Mia.watchlist('With the kids', 'Nothing with wolves in it, please.')
  const silentNights = await as.Ada.watchlist('Silent nights')

  for (const invitee of [leo, nora]) {
    await register(server, invitee)
    await as.Mia.invite(id, invitee.name)
  }
  return { id, mia, nora, norasToken: await as.Ada.invite(silentNights.id, nora.name), posterOf }
}
