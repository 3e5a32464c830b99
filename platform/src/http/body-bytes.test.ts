import { describe, expect, test } from 'vitest'

import { createByteBudget } from './body-bytes.ts'

const never = (): void => {
  throw new Error('A body was refused')
}

test('an owner gets no more bytes than allowed, and other owners still get some', () => {
  const budget = createByteBudget({ total: 100, perOwner: 60 })
  const [first, second] = [budget.open('ana', never), budget.open('ana', never)]

  expect([first.take(40), second.take(20), second.take(1)]).toEqual([true, true, false])
  expect(budget.open('ben', never).take(40)).toBe(true)
})

test('all owners together get no more bytes than the total limit', () => {
  const budget = createByteBudget({ total: 100, perOwner: 60 })
  const whole = budget.open('ana', never)
  whole.take(60)
  whole.complete()

  expect(budget.open('ben', never).take(41)).toBe(false)
  expect(budget.open('cleo', never).take(40)).toBe(true)
})

test('the bytes of a body are returned once, no matter how often the body is freed', () => {
  const budget = createByteBudget({ total: 100, perOwner: 60 })
  const [first, second] = [budget.open('ana', never), budget.open('ana', never)]
  first.take(30)
  second.take(30)

  first.free()
  first.free()

  expect([budget.open('ana', never).take(30), budget.open('ana', never).take(1)]).toEqual([true, false])
})

describe('a budget without free bytes', () => {
  /** Two callers with 55 and 45 bytes: one has a larger and a smaller body. */
  function aFullBudget() {
    const budget = createByteBudget({ total: 100, perOwner: 60 })
    const refused: string[] = []
    const open = (owner: string, name: string, bytes: number) => {
      const body = budget.open(owner, () => void refused.push(name))
      expect(body.take(bytes)).toBe(true)
      return body
    }
    const bodies = [open('ana', 'larger', 30), open('ana', 'smaller', 25), open('ben', 'whole', 45)]
    return { budget, refused, bodies }
  }

  test('a new caller gets the bytes of an unfinished body of a caller that holds more', () => {
    const { budget, refused } = aFullBudget()

    expect(budget.open('cleo', never).take(15)).toBe(true)
    expect(refused).toEqual(['larger'])
  })

  test('a body that has fully arrived keeps its bytes', () => {
    const { budget, refused, bodies } = aFullBudget()
    for (const body of bodies) body.complete()

    expect(budget.open('cleo', never).take(15)).toBe(false)
    expect(refused).toEqual([])
  })

  test('a caller that would hold the most bytes itself gets none from other callers', () => {
    const { budget, refused } = aFullBudget()

    expect(budget.open('cleo', never).take(55)).toBe(false)
    expect(budget.open('ben', never).take(10)).toBe(false)
    expect(refused).toEqual([])
  })

  test('freeing a refused body does not return its bytes a second time', () => {
    const { budget, bodies } = aFullBudget()
    budget.open('cleo', never).take(15)

    bodies[0]?.free()

    expect(budget.open('dora', never).take(15)).toBe(true)
    expect(budget.open('eve', never).take(20)).toBe(true)
  })
})
