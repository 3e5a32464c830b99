import { expect, test } from 'vitest'

import { createByteBudget } from './body-bytes.ts'

test('an owner gets no more bytes than allowed, and other owners still get some', () => {
  const budget = createByteBudget({ total: 100, perOwner: 60 })
  const [first, second] = [budget.open('ana'), budget.open('ana')]

  expect([first.take(40), second.take(20), second.take(1)]).toEqual([true, true, false])
  expect(budget.open('ben').take(40)).toBe(true)
})

test('all owners together get no more bytes than the total limit', () => {
  const budget = createByteBudget({ total: 100, perOwner: 60 })
  budget.open('ana').take(60)

  expect(budget.open('ben').take(41)).toBe(false)
  expect(budget.open('cleo').take(40)).toBe(true)
})

test('the bytes of a body are returned once, no matter how often the body is freed', () => {
  const budget = createByteBudget({ total: 100, perOwner: 60 })
  const [first, second] = [budget.open('ana'), budget.open('ana')]
  first.take(30)
  second.take(30)

  first.free()
  first.free()

  expect([budget.open('ana').take(30), budget.open('ana').take(1)]).toEqual([true, false])
})
