import { beforeEach, expect, test } from 'vitest'

import { type ConnectionStore, createConnection } from './connection.ts'

let hasNetwork: boolean
/** Whether the server answers each check, in order. The last one is repeated. */
let answers: boolean[]
let looks: number
let said: string[]
let connection: ConnectionStore

beforeEach(() => {
  hasNetwork = true
  answers = [true]
  looks = 0
  said = []
  connection = createConnection({
    hasNetwork: () => hasNetwork,
    answers: async () => {
      looks += 1
      return (answers.length > 1 ? answers.shift() : answers[0]) === true
    },
    wait: async () => {},
  })
  connection.subscribe(() => said.push(connection.current()))
})

test('one failed call does not count as a lost connection while the server answers', async () => {
  connection.doubt()

  await expect.poll(() => looks).toBe(1)
  expect([connection.current(), said]).toEqual(['online', []])
})

test('one failed check does not count as a lost connection', async () => {
  answers = [false, true]

  connection.doubt()

  await expect.poll(() => looks).toBe(2)
  expect([connection.current(), said]).toEqual(['online', []])
})

test('an unreachable server is checked again until it answers', async () => {
  answers = [false, false, false, true]

  connection.doubt()
  connection.doubt()

  await expect.poll(() => said).toEqual(['unreachable', 'online'])
  expect(looks).toBe(4)
})

test('nothing is checked without a network, and the connection is back once the server answers', async () => {
  hasNetwork = false
  connection.lose()
  connection.doubt()
  expect([connection.current(), looks]).toEqual(['offline', 0])

  hasNetwork = true
  answers = [false, false, true]
  await Promise.resolve()
  connection.doubt()

  await expect.poll(() => said).toEqual(['offline', 'unreachable', 'online'])
})
