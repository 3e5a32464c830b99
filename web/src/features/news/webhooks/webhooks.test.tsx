import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { WebhookSection } from './webhook-section.tsx'

tidyUp()

const WEBHOOK = {
  id: 'h1',
  name: 'Film club',
  format: 'discord',
  host: 'discord.com',
  kinds: ['card.revealed'],
  state: 'on',
  createdAt: '2026-03-01T18:00:00.000Z',
}

async function openSection(answers: FakeAnswers) {
  const api = fakeApi(answers)
  await renderPart(<WebhookSection watchlistId="w1" />)
  await userEvent.click(screen.getByRole('button', { name: 'Webhooks' }))
  return api
}

test('the owner creates a webhook and sees its secret once', async () => {
  let webhooks: object[] = []
  const made = { ...WEBHOOK, format: 'standard', host: 'club.example.org' }
  const api = await openSection({
    listWebhooks: () => ({ webhooks }),
    createWebhook: () => {
      webhooks = [made]
      return { ...made, secret: 'whsec_MfKQ9r8G' }
    },
  })

  await userEvent.click(await screen.findByRole('button', { name: 'New webhook' }))
  await userEvent.type(screen.getByLabelText('Name'), 'Film club')
  await userEvent.selectOptions(screen.getByLabelText('Service'), 'Signed JSON')
  await userEvent.type(screen.getByLabelText('Address'), 'https://club.example.org/hook')
  await userEvent.click(screen.getByLabelText('Someone comments'))
  await userEvent.click(screen.getByRole('button', { name: 'Create webhook' }))

  expect(await screen.findByText('whsec_MfKQ9r8G')).toBeTruthy()
  expect(api.callsOf('createWebhook').map(({ request }) => request.body)).toEqual([
    {
      name: 'Film club',
      url: 'https://club.example.org/hook',
      format: 'standard',
      kinds: ['card.revealed', 'night.planned', 'comment.added'],
    },
  ])
})

test('an address that the server rejects stays in the form with the reason', async () => {
  await openSection({
    listWebhooks: () => ({ webhooks: [] }),
    createWebhook: () => new Refusal(400, 'BAD_REQUEST', 'This address cannot be used'),
  })

  await userEvent.click(await screen.findByRole('button', { name: 'New webhook' }))
  await userEvent.type(screen.getByLabelText('Name'), 'Film club')
  await userEvent.type(screen.getByLabelText('Address'), 'http://10.0.0.7/')
  await userEvent.click(screen.getByRole('button', { name: 'Create webhook' }))

  expect(await screen.findByText('This address cannot be used')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('http://10.0.0.7/')
})

test('sending a test message opens the list of deliveries', async () => {
  const api = await openSection({
    listWebhooks: () => ({ webhooks: [WEBHOOK] }),
    testWebhook: () => undefined,
    listWebhookDeliveries: () => ({
      deliveries: [
        { id: 'd1', kind: 'test', at: '2026-03-01T18:00:00.000Z', state: 'delivered', attempts: 1, status: 204 },
      ],
    }),
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Send a test' }))

  expect(await screen.findByText('Delivered, answer 204')).toBeTruthy()
  expect(api.callsOf('testWebhook')).toHaveLength(1)
})

test('a webhook that was switched off shows why, and is deleted after a confirmation', async () => {
  let webhooks: object[] = [{ ...WEBHOOK, state: 'failed' }]
  await openSection({
    listWebhooks: () => ({ webhooks }),
    deleteWebhook: () => {
      webhooks = []
      return undefined
    },
  })

  expect(await screen.findByText('Switched off, because discord.com did not answer for a long time.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Delete Film club' }))
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))

  await waitFor(() => expect(screen.queryByText('Film club')).toBeNull())
})

test('the reason of a failed deletion is gone when the dialog opens again', async () => {
  await openSection({
    listWebhooks: () => ({ webhooks: [WEBHOOK] }),
    deleteWebhook: () => new Refusal(403, 'FORBIDDEN', 'Only the owner may do this'),
  })
  const ask = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Film club' }))
    return within(screen.getByRole('dialog'))
  }

  const dialog = await ask()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await dialog.findAllByRole('alert')).toHaveLength(1)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))

  expect((await ask()).queryByRole('alert')).toBeNull()
})

test('a link to the webhooks opens their section', async () => {
  fakeApi({ listWebhooks: () => ({ webhooks: [WEBHOOK] }) })
  await renderPart(<WebhookSection watchlistId="w1" />, { at: '/watchlists/w1#webhooks' })

  expect((await screen.findByText('Film club')).textContent).toBe('Film club')
  expect(screen.getByRole('button', { name: 'Webhooks' }).id).toBe('webhooks')
})
