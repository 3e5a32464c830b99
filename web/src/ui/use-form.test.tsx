import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { useForm } from './use-form.ts'

tidyUp()

function Places() {
  const form = useForm<{ note: string; places: { name: string }[]; city: string }>({ defaultValues: { note: '' } })
  return (
    <form aria-label="Places" onSubmit={(event) => void form.handleSubmit(() => undefined)(event)}>
      <input aria-label="Note" {...form.register('note')} />
      <input aria-label="First place" {...form.register('places.0.name', { required: true })} />
      <input aria-label="City" {...form.register('city', { required: true })} />
    </form>
  )
}

test('a submit moves the focus once to the first invalid field', async () => {
  render(<Places />)

  await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Places' })))
  expect(document.activeElement).toBe(screen.getByLabelText('First place'))
  screen.getByLabelText('City').focus()
  // Timers run in their order, so one that the submit started has run by then.
  await new Promise((resolve) => {
    setTimeout(resolve, 5)
  })

  expect(document.activeElement).toBe(screen.getByLabelText('City'))
})
