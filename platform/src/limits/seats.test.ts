import { expect, test } from 'vitest'

import { createSeats } from './seats.ts'

test('an owner gets no more seats than allowed, and other owners still get one', () => {
  const seats = createSeats({ total: 3, perOwner: 2 })

  expect([seats.take('ana'), seats.take('ana')]).not.toContain(undefined)
  expect(seats.take('ana')).toBeUndefined()
  expect(seats.take('ben')).toBeDefined()
})

test('all owners together get no more seats than exist', () => {
  const seats = createSeats({ total: 2, perOwner: 2 })
  seats.take('ana')
  seats.take('ben')

  expect(seats.take('cleo')).toBeUndefined()
})

test('a seat that is freed twice counts as one', () => {
  const seats = createSeats({ total: 2, perOwner: 2 })
  const free = seats.take('ana')
  seats.take('ana')

  free?.()
  free?.()

  expect(seats.take('ana')).toBeDefined()
  expect(seats.take('ana')).toBeUndefined()
})
