import type { Card } from '@marquee/contract/entities/card'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'

import { SessionContext } from '#web/session/use-session.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { EditCardForm } from './card-forms.tsx'

tidyUp()
afterEach(() => sessionStorage.clear())

async function openForm(movie = ALIEN) {
  const card = aCard('c1', 'REVEALED', { title: 'Alien', movie })
  const api = fakeApi({ editCard: () => card })
  await renderPart(<EditCardForm card={card} onClose={() => {}} />)
  return {
    save: async () => userEvent.click(screen.getByRole('button', { name: 'Save' })),
    sent: async () => {
      await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1))
      return api.callsOf('editCard')[0]?.request.body
    },
  }
}

async function replace(name: string, text: string) {
  const field = screen.getByRole('textbox', { name })
  await userEvent.clear(field)
  if (text !== '') await userEvent.type(field, text)
}

test('unchanged facts are not sent, even if a name contains a comma', async () => {
  const { save, sent } = await openForm({ ...ALIEN, directors: ['Robert Downey, Sr.'] })

  await replace('Title', 'Alien: Director\u2019s Cut')
  await save()

  expect(await sent()).not.toHaveProperty('movie')
})

test('an edit keeps the title and facts that another member corrected in the meantime', async () => {
  const card = aCard('c1', 'REVEALED', { title: 'Allien', movie: ALIEN })
  const api = fakeApi({ editCard: () => card })
  const { rerender, client } = await renderPart(<EditCardForm card={card} onClose={() => {}} />)
  const corrected = { ...card, title: 'Alien', movie: { ...ALIEN, year: 1980 } }
  rerender(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <EditCardForm card={corrected} onClose={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  )

  await replace('Description', 'In space')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))

  await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1))
  const body = api.callsOf('editCard')[0]?.request.body
  expect(body).toMatchObject({ title: 'Alien', description: 'In space' })
  expect(body).not.toHaveProperty('movie')
})

/** Opens the form of a card for a user whose drafts are kept. */
async function openKept(card: Card) {
  const session = aSession({ userId: 'ben', username: 'Ben', loginId: 'ben' })
  await session.refresh()
  return renderPart(
    <SessionContext value={session}>
      <EditCardForm card={card} onClose={() => {}} />
    </SessionContext>,
  )
}

const save = async () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const textOf = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value

test('a draft that is opened again keeps the title and the facts that another member has corrected meanwhile', async () => {
  const card = aCard('c1', 'REVEALED', { title: 'Allien', movie: ALIEN })
  const api = fakeApi({ editCard: () => card })
  const { unmount } = await openKept(card)
  await replace('Description', 'In space')
  unmount()

  const corrected = { ...card, title: 'Alien', movie: { ...ALIEN, year: 1980 } }
  const again = await openKept(corrected)
  expect([textOf('Title'), textOf('Description')]).toEqual(['Alien', 'In space'])
  await replace('Description', 'Far out')
  again.unmount()
  await openKept({ ...corrected, title: 'Alien (1979)' })
  await save()

  await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1))
  const body = api.callsOf('editCard')[0]?.request.body
  expect(body).toMatchObject({ title: 'Alien (1979)', description: 'Far out' })
  expect(body).not.toHaveProperty('movie')
})

test('a draft of facts is sent although another member has changed them meanwhile', async () => {
  const card = aCard('c1', 'REVEALED', { title: 'Alien', movie: ALIEN })
  const api = fakeApi({ editCard: () => card })
  const { unmount } = await openKept(card)
  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
  await replace('Year', '2003')
  unmount()

  await openKept({ ...card, movie: { ...ALIEN, year: 1980 } })
  await save()

  await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1))
  expect(api.callsOf('editCard')[0]?.request.body).toMatchObject({ movie: { ...ALIEN, year: 2003 } })
})

test.each(['19', '2h'])(
  'a draft that is opened again shows the half-typed year %s, and keeps the other facts',
  async (typed) => {
    const movie = { ...ALIEN, year: null }
    const card = aCard('c1', 'REVEALED', { title: 'Alien', movie })
    const api = fakeApi({ editCard: () => card })
    const { unmount } = await openKept(card)
    await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
    await replace('Original title', 'Alien 1')
    await replace('Year', typed)
    unmount()

    await openKept({ ...card, movie: { ...movie, runtimeMinutes: 118 } })
    await save()
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Year' }, WITHIN)).value).toBe(typed)
    expect(api.callsOf('editCard')).toEqual([])
    await replace('Year', '1979')
    await save()

    await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1), WITHIN)
    const changed = { ...ALIEN, originalTitle: 'Alien 1', year: 1979 }
    expect(api.callsOf('editCard')[0]?.request.body).toMatchObject({ movie: changed })
  },
)

test('a half-typed year survives in a draft and changes no other fact', async () => {
  const movie = { ...ALIEN, year: null }
  const card = aCard('c1', 'REVEALED', { title: 'Alien', movie })
  fakeApi({})
  const { unmount } = await openKept(card)
  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
  await replace('Year', '2h')
  unmount()

  await openKept(card)
  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))

  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Year' }).value).toBe('2h')
})

test('a draft of an earlier version with a half-typed year keeps the facts of the card', async () => {
  const card = aCard('c1', 'REVEALED', { title: 'Alien', movie: ALIEN })
  const api = fakeApi({ editCard: () => card })
  const { unmount } = await openKept(card)
  await replace('Description', 'In space')
  unmount()
  const [place = ''] = Object.keys(sessionStorage)
  const { base: _, facts: __, ...draft } = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Record<string, unknown>
  sessionStorage.setItem(place, JSON.stringify({ ...draft, movie: { ...ALIEN, year: 19 } }))

  await openKept(card)
  await save()

  await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1), WITHIN)
  expect(api.callsOf('editCard')[0]?.request.body).not.toHaveProperty('movie')
})

test('a draft whose facts were removed still removes them when it is opened again', async () => {
  const card = aCard('c1', 'REVEALED', { title: 'Alien', movie: ALIEN })
  const api = fakeApi({ editCard: () => card })
  const { unmount } = await openKept(card)
  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove details' }))
  unmount()

  await openKept(card)
  await save()

  await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1), WITHIN)
  expect(api.callsOf('editCard')[0]?.request.body).toMatchObject({ movie: null })
})

test('a draft that is opened again still has the address of another poster', async () => {
  const card = aCard('c1', 'REVEALED', { movie: ALIEN })
  const api = fakeApi({ editCard: () => card })
  const { unmount } = await openKept(card)
  await userEvent.click(screen.getByRole('radio', { name: 'Image URL' }))
  await replace('Image URL', 'https://posters.test/new.jpg')
  unmount()

  await openKept(card)
  await save()

  await waitFor(() => expect(api.callsOf('editCard')).toHaveLength(1))
  expect(api.callsOf('editCard')[0]?.request.body).toMatchObject({ image: 'https://posters.test/new.jpg' })
})

test('edited facts are sent together with those that have no field', async () => {
  const { save, sent } = await openForm()

  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
  await replace('Year', '2003')
  await replace('Length in minutes', '')
  await userEvent.click(screen.getByRole('textbox', { name: 'Genres' }))
  await userEvent.keyboard('{Backspace}{Backspace}Horror, , Thriller ')
  await save()

  expect(await sent()).toMatchObject({
    movie: { ...ALIEN, year: 2003, runtimeMinutes: null, genres: ['Horror', 'Thriller'] },
  })
})

test('names are added with Enter or a comma, and removed with their buttons', async () => {
  const { save, sent } = await openForm()
  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))

  await userEvent.click(screen.getByRole('button', { name: 'Remove Ridley Scott' }))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Directors' }))
  await userEvent.keyboard('Ana{Enter}Ben،cleo, ben,')
  const chips = screen.getByRole('list', { name: 'Directors' })
  expect(
    within(chips)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Ana', 'Ben', 'cleo'])
  await save()

  expect(await sent()).toMatchObject({ movie: { ...ALIEN, directors: ['Ana', 'Ben', 'cleo'] } })
})

test('too many names show an error at their field, which gets the focus', async () => {
  const { save } = await openForm()
  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
  await userEvent.click(screen.getByRole('textbox', { name: 'Genres' }))
  await userEvent.keyboard('a,b,c,d,e,f,g,h,i,')
  await save()

  expect((await screen.findByRole('alert')).textContent).toBe('Please enter at most 10 short names')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Genres' })))
})

test('an invalid year shows an error at its field, which gets the focus', async () => {
  const { save } = await openForm()

  await userEvent.click(screen.getByRole('button', { name: 'Edit details' }))
  await replace('Year', 'soon')
  await save()

  expect((await screen.findByRole('alert')).textContent).toBe('Please enter a year from 1870 to 2200')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Year' })))
})

test('all facts of a movie can be removed', async () => {
  const { save, sent } = await openForm()

  await userEvent.click(screen.getByRole('button', { name: 'Remove details' }))
  await save()

  expect(await sent()).toMatchObject({ movie: null })
})
