import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile } from '#web/testing/samples.ts'

import { Members } from '../card/card-context.ts'
import { CommentForm } from './comment-form.tsx'
import { MentionedText } from './mentions.tsx'

tidyUp()

const MEMBERS = ['Ana', 'Ana María', 'Ben'].map((username) => ({ username, joinedAt: '2026-01-01T00:00:00.000Z' }))
const DRAFT = { read: () => undefined, save: () => {}, clear: () => {} }

async function openForm() {
  fakeApi({ getProfile: ({ params }) => aProfile(params['username'] ?? '') })
  const sent: string[] = []
  await renderPart(
    <Members value={MEMBERS}>
      <CommentForm
        label="Your comment"
        submitLabel="Add comment"
        draft={DRAFT}
        takesFocus
        onSubmit={async (content) => {
          sent.push(content)
          return true
        }}
        onCancel={() => {}}
      />
    </Members>,
  )
  return { sent, field: screen.getByRole<HTMLTextAreaElement>('textbox') }
}

const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent.slice(1))
const isOpen = async () => await screen.findByRole('listbox', { name: 'Members to mention' })

test('an at sign opens a list of the members whose names match', async () => {
  const { field } = await openForm()

  await userEvent.type(field, 'Look, @')
  await isOpen()
  expect(offered()).toEqual(['Ana', 'Ana María', 'Ben'])
  await userEvent.type(field, 'an')
  expect(offered()).toEqual(['Ana', 'Ana María'])
  await userEvent.type(field, 'x')
  expect(offered()).toEqual([])
})

test('the arrow keys and Enter choose a name while the focus stays in the field', async () => {
  const { field, sent } = await openForm()
  await userEvent.type(field, 'Look, @a')
  await isOpen()

  await userEvent.keyboard('{ArrowDown}')
  const active = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  expect([active?.getAttribute('aria-selected'), active?.textContent]).toEqual(['true', 'AAna María'])
  await userEvent.keyboard('{Enter}')

  expect([field.value, document.activeElement === field, offered()]).toEqual(['Look, @Ana María ', true, []])
  await userEvent.keyboard('tonight?{Control>}{Enter}{/Control}')
  expect(sent).toEqual(['Look, @Ana María tonight?'])
})

test('a click inserts a name into the middle of a text', async () => {
  const { field } = await openForm()
  await userEvent.type(field, '@b and more', { initialSelectionStart: 0 })
  field.setSelectionRange(2, 2)
  await userEvent.click(field)
  field.setSelectionRange(2, 2)
  await userEvent.keyboard('{Shift}')
  await isOpen()

  await userEvent.click(screen.getByRole('option', { name: /Ben$/u }))

  expect([field.value, field.selectionStart]).toEqual(['@Ben and more', 5])
})

test('Escape closes the list, and Enter then starts a new line', async () => {
  const { field } = await openForm()
  await userEvent.type(field, '@a')
  await isOpen()

  await userEvent.keyboard('{Escape}{Enter}')

  expect([field.value, offered()]).toEqual(['@a\n', []])
})

test('mentioned members are highlighted in a text', async () => {
  const { container } = await renderPart(
    <Members value={MEMBERS}>
      <p>
        <MentionedText text="Hi @ana maría, ask @ben or @eve" />
      </p>
    </Members>,
  )

  expect([...container.querySelectorAll('strong')].map(({ textContent }) => textContent)).toEqual([
    '@ana maría',
    '@ben',
  ])
  expect(container.textContent).toBe('Hi @ana maría, ask @ben or @eve')
})
