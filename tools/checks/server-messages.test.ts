import type { Expression } from 'oxc-parser'
import { expect, test } from 'vitest'

import { read } from './repository.ts'
import { type Source, sources, stringsOf, visit } from './syntax.ts'

/** Messages that no screen can cause. A page in another language shows the message of their type. */
const FOR_PROGRAMS = new Set([
  'nextToken: this is not a token of an earlier page',
  'This personal token can only read',
  'p256dh: this is not a key of a browser',
  'closing',
  // The web app keeps the order of a draw, and a device that takes no part says nothing.
  'Your device did not open its seed, so it takes no part in this draw',
  'This draw takes the hashes of seeds first',
  'No hash of this seed was sent in time',
  'Devices are still opening their seeds',
  'damaged',
  // The web app does not ask how many movies can be watched.
  'watchable: How many movies can be watched tonight stays secret until you draw',
  // The web app offers each kind of server its way, and no one reads what a media server gets.
  'Users of this kind of media server are linked in another way',
  'This is not a report of a media server',
  // The web app always sends a device.
  'Choose where to play the movie',
])

type Texts = { [key: string]: string | Texts }
const leaves = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : leaves(text)))
const VALUE = /\{\{\w+\}\}/gu
const translated = leaves(JSON.parse(read('web/src/i18n/locales/en/problems.json')) as Texts).map((text) =>
  text.replaceAll(VALUE, '{}'),
)

const server = sources().filter(
  ({ path }) => /^(?:server|identity|platform|contract)\/src\//u.test(path) && !/\.test\.ts$|\/testing\//u.test(path),
)

/** The texts of an expression, with `{}` for computed parts; none where it is computed as a whole. */
function textsOf(expression: Expression | undefined, constants: ReadonlyMap<string, Expression>): string[] {
  if (expression?.type === 'Literal') return typeof expression.value === 'string' ? [expression.value] : []
  if (expression?.type === 'TemplateLiteral')
    return [expression.quasis.map(({ value }) => value.cooked ?? '').join('{}')]
  if (expression?.type === 'ConditionalExpression') {
    return [...textsOf(expression.consequent, constants), ...textsOf(expression.alternate, constants)]
  }
  return expression?.type === 'Identifier' ? textsOf(constants.get(expression.name), new Map()) : []
}

function constantsOf(source: Source): ReadonlyMap<string, Expression> {
  const constants = new Map<string, Expression>()
  visit(source, {
    VariableDeclarator: ({ id, init }) => id.type === 'Identifier' && init && constants.set(id.name, init),
  })
  return constants
}

/** The second argument of each `new Problem(…)`. */
function messagesOf(source: Source): string[] {
  const constants = constantsOf(source)
  const messages: string[] = []
  visit(source, {
    NewExpression: ({ callee, arguments: [, message] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'Problem' || message?.type === 'SpreadElement') return
      messages.push(...textsOf(message, constants))
    },
  })
  return messages
}

test('each message that a user can cause has a translation', () => {
  const messages = server.filter(({ path }) => path.startsWith('server/')).flatMap(messagesOf)
  const missing = messages.filter((message) => !FOR_PROGRAMS.has(message) && !translated.includes(message))

  expect(messages.length).toBeGreaterThan(60)
  expect(missing).toEqual([])
})

/** Messages of the library that signs in, and of the web app itself. */
const FROM_BROWSER = new Set([
  'There is already a signed in user.',
  'User needs to be authenticated to call this API.',
  'A network error has occurred.',
  'User is not authenticated',
])

test('each translated message is one that the server sends', () => {
  const strings = server.map(stringsOf)
  const sent = new Set([
    ...FROM_BROWSER,
    ...strings.flatMap(({ literals }) => literals),
    ...strings.flatMap(({ templates }) => templates.map((parts) => parts.join('{}'))),
  ])

  expect(translated.filter((message) => !sent.has(message))).toEqual([])
})
