import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { peopleKeys } from '#web/people/queries.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile, aWatchlist } from '#web/testing/samples.ts'

import { ServiceChoice } from './service-choice.tsx'

tidyUp()

const SERVICES = [
  { serviceId: 1, name: 'Mubi' },
  { serviceId: 2, name: 'Arte' },
  { serviceId: 3, name: 'Canal' },
]

/** The choice of Ana, who has Mubi. */
async function openChoice(answers: FakeAnswers = {}) {
  const server = { services: [1] }
  const profile = () => aProfile('Ana', { services: server.services })
  const api = fakeApi({
    listWatchlists: () => [aWatchlist('w1', { country: 'FR' })],
    listServices: () => ({ services: SERVICES }),
    getOwnProfile: profile,
    chooseServices: ({ body }) => {
      server.services = (body as { services: number[] }).services
      return profile()
    },
    ...answers,
  })
  const { client } = await renderPart(<ServiceChoice />)
  await screen.findByRole('button', { name: 'Mubi' })
  return {
    client,
    server,
    sent: () => api.callsOf('chooseServices').map(({ request }) => request.body),
  }
}

const press = async (name: string) => userEvent.click(screen.getByRole('button', { name }))
const chosen = () => screen.queryAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)

test('choosing a service keeps one that was chosen on another device', async () => {
  const { client, server, sent } = await openChoice()
  server.services = [1, 2]
  void client.invalidateQueries({ queryKey: peopleKeys.own() })
  await waitFor(() => expect(chosen()).toEqual(['Mubi', 'Arte']))

  await press('Canal')

  await waitFor(() => expect(sent()).toEqual([{ services: [1, 2, 3] }]))
  expect(chosen()).toEqual(['Mubi', 'Arte', 'Canal'])
})

test('services that are pressed in quick succession are shown at once and all saved', async () => {
  const { sent } = await openChoice()

  await press('Arte')
  await press('Canal')
  await press('Mubi')
  expect(chosen()).toEqual(['Arte', 'Canal'])

  await waitFor(() => expect(sent()).toEqual([{ services: [1, 2] }, { services: [1, 2, 3] }, { services: [2, 3] }]))
  expect(chosen()).toEqual(['Arte', 'Canal'])
})

test('a service that cannot be saved is deselected, and the reason is shown', async () => {
  await openChoice({ chooseServices: () => new Refusal(400, 'BAD_REQUEST', 'No such service') })

  await press('Arte')

  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Your services could not be saved.'))
  expect(chosen()).toEqual(['Mubi'])
})
