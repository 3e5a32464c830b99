import type { NightAnswer } from '@marquee/contract/entities/night'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { ApiError } from '#web/api/api-error.ts'
import { KEPT } from '#web/api/kept.ts'

import { type Action, isKnown } from './actions.ts'
import { type Item, type Items, step } from './machine.ts'
import { createOutbox, type OutboxChange, type Outbox } from './outbox.ts'
import { withPictures, withText } from './picture.ts'
import { shownOf } from './shown.ts'
import type { Store } from './store.ts'

const RUNS = Number(import.meta.env['MARQUEE_OUTBOX_SEEDS'] ?? 500)
const CARDS = ['tram', 'tide', 'lions']
const NIGHTS = ['friday', 'sunday']
const TIMES = ['at eight', 'at nine']
const PLACES = [...CARDS, ...NIGHTS]
/** A comment on each card was sent long ago. */
const OLD_COMMENTS = CARDS.map((cardId) => `old of ${cardId}`)
const DAY_MS = 24 * 60 * 60_000
const KEYS_KEPT_MS = 7 * DAY_MS

/** How a request ends: answered, lost on the way there or back, refused, or the process fails. */
type Fate = 'answered' | 'lost' | 'done-but-lost' | 'refused' | 'failing' | 'killed' | 'done-but-killed'

type Done = { userId: string; key: string; text: string; place: string | undefined; image: string | undefined }

/** A server that remembers keys, as the real one does. */
function aServer(now: () => number) {
  const remembered = new Map<string, { at: number; reply: unknown; request: string }>()
  const done: Done[] = []
  const gone = new Set<string>()
  let comments = 0
  return {
    done,
    gone,
    take: (userId: string, key: string, action: Action): unknown => {
      const known = remembered.get(`${userId} ${key}`)
      const request = JSON.stringify(action)
      if (known !== undefined && now() - known.at < KEYS_KEPT_MS) {
        if (known.request !== request) throw new ApiError('BAD_REQUEST', 'another request', { status: 400 })
        return known.reply
      }
      const place = placeOf(action)
      const isGone = gone.has(place ?? '') || (action.kind === 'edit' && gone.has(action.commentId))
      if (isGone) throw new ApiError('NOT_FOUND', 'gone', { status: 404 })
      const text = textOf(action)
      done.push({ userId, key, text, place, image: action.kind === 'movie' ? action.body.image : undefined })
      comments += 1
      const reply = action.kind === 'comment' ? { commentId: `comment ${comments}` } : {}
      remembered.set(`${userId} ${key}`, { at: now(), reply, request })
      return reply
    },
  }
}

function placeOf(action: Action): string | undefined {
  if ('cardId' in action) return action.cardId
  return 'nightId' in action ? action.nightId : undefined
}

function pictureOf(text: string): string {
  return `data:image/webp;base64,${btoa(text)}`
}

/** What tells an action from all others. */
function textOf(action: Action): string {
  if (action.kind === 'viewing') return action.body.note ?? ''
  if (action.kind === 'movie') return action.body.title
  if (action.kind === 'answer') return action.answer
  // Also what only a later version knows.
  return 'content' in action ? action.content : ''
}

/** As a database copies it. */
function copyOf(item: Item): Item {
  const { action } = item
  if (action.kind !== 'movie') return structuredClone(item) as Item
  const { picture, ...movie } = action
  return { ...structuredClone({ ...item, action: movie }), action: { ...structuredClone(movie), picture } }
}

/** The database of one device, which survives its tabs. */
function aDevice() {
  let all = new Map<string, Items>()
  let isFull = false
  const copied = (items: Items): Items => items.map(copyOf)
  const store: Store = {
    read: async (userId) => copied(all.get(userId) ?? []),
    apply: async (userId, event) => {
      if (isFull) throw new DOMException('The disk is full', 'QuotaExceededError')
      const after = step(copied(all.get(userId) ?? []), event)
      all = new Map(all).set(userId, copied(after))
      return copied(after)
    },
    clear: async (userId) => {
      all.delete(userId)
    },
  }
  const fill = () => {
    isFull = true
  }
  return { store: withPictures(store), fill, items: (userId: string) => all.get(userId) ?? [] }
}

type Tab = { name: string; userId: string; version: number; outbox: Outbox; isAlive: boolean; shown: Items }

/** A device with tabs, a connection and a session. Requests end as the seed says. */
function aWorld(fates: readonly Fate[]) {
  let now = 1_800_000_000_000
  let isOnline = true
  let signedIn: string | undefined = 'ana'
  let count = 0
  let lock = Promise.resolve()
  let sent = 0
  let parallel = 0
  let version = 1
  let line = Promise.resolve()
  const sentAt: string[] = []
  const server = aServer(() => now)
  const device = aDevice()
  const tabs: Tab[] = []
  const living = () => tabs.filter(({ isAlive }) => isAlive)

  async function send(tab: Tab, action: Action, key: string): Promise<unknown> {
    // Nothing is sent by a version that has no call for it.
    if (tab.version === 1 && !isKnown(action)) return undefined
    if (signedIn !== tab.userId) throw new ApiError('UNAUTHORIZED', 'over', { status: 401 })
    if (!isOnline) throw new ApiError('NETWORK_ERROR', 'offline')
    const fate = fates[sent % fates.length] ?? 'answered'
    sent += 1
    await line
    if (fate === 'lost') throw new ApiError('NETWORK_ERROR', 'lost')
    if (fate === 'failing') throw new ApiError('SERVER_ERROR', 'failing', { status: 500 })
    if (fate === 'refused') throw new ApiError('BAD_REQUEST', 'no', { status: 400 })
    if (fate !== 'killed') sentAt.push(textOf(action))
    const reply = fate === 'killed' ? undefined : server.take(tab.userId, key, action)
    if (fate === 'killed' || fate === 'done-but-killed') {
      tab.isAlive = false
      throw new TabKilled()
    }
    if (fate === 'done-but-lost') throw new ApiError('NETWORK_ERROR', 'no answer')
    return reply
  }

  function open(userId: string): Tab {
    count += 1
    const outbox = undefined as unknown as Outbox
    const tab: Tab = { name: `tab ${count}`, userId, version, isAlive: true, shown: [], outbox }
    const onlyAlive = <T>(work: () => T): T => {
      if (!tab.isAlive) throw new TabKilled()
      return work()
    }
    tab.outbox = createOutbox({
      userId,
      tab: tab.name,
      store: {
        read: async (id) => onlyAlive(async () => device.store.read(id)),
        apply: async (id, event) => onlyAlive(async () => device.store.apply(id, event)),
        clear: async (id) => onlyAlive(async () => device.store.clear(id)),
      },
      send: async (action, { idempotencyKey }) => {
        const text = await withText(action)
        return onlyAlive(async () => send(tab, text, idempotencyKey))
      },
      knows: (action) => tab.version > 1 || isKnown(action),
      canSend: () => tab.isAlive && isOnline && signedIn === userId,
      alone: async (work) => {
        const mine = lock.then(async () => {
          if (!tab.isAlive) return
          parallel += 1
          demand(parallel === 1, 'two tabs send')
          await work().catch(swallowKill)
          parallel -= 1
        })
        lock = mine
        await mine
      },
      livingTabs: async () => new Set(living().map(({ name }) => name)),
      announce: (change: OutboxChange) => {
        for (const other of living()) {
          if (other !== tab && other.userId === userId) void other.outbox.hear(change).catch(swallowKill)
        }
      },
      later: () => {},
      now: () => now,
      newId: () => {
        count += 1
        return `id ${count}`
      },
      show: (items) => {
        tab.shown = items
      },
      settle: () => {},
    })
    tabs.push(tab)
    return tab
  }

  const settleAll = async () => {
    let before: Promise<void>
    do {
      before = lock
      for (let turns = 0; turns < 40; turns += 1) await Promise.resolve()
      await lock
      for (let turns = 0; turns < 40; turns += 1) await Promise.resolve()
    } while (before !== lock)
  }

  return {
    server,
    device,
    sentAt,
    open,
    living,
    settleAll,
    setOnline: (next: boolean) => {
      isOnline = next
    },
    signIn: (userId: string | undefined) => {
      signedIn = userId
    },
    user: () => signedIn,
    /** Requests from now on arrive when this is over. */
    delay: (until: Promise<void>) => {
      line = until
    },
    /** Tabs that open from now on have the new version. Those that are open keep theirs. */
    deploy: () => {
      version += 1
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

class TabKilled extends Error {}

function swallowKill(error: unknown): void {
  if (!(error instanceof TabKilled)) throw error
}

const DEEDS = ['comment', 'rate', 'move', 'edit', 'movie', 'answer', 'later'] as const
type Deed = (typeof DEEDS)[number]

type Command =
  | { do: Deed; card: number; tab: number }
  | { do: 'discard' | 'retry'; at: number; tab: number }
  | { do: 'offline' | 'online' | 'expire' | 'sign-in' | 'other-user' | 'new-tab' | 'deploy' }
  | { do: 'kill' | 'reload' | 'send'; tab: number }
  | { do: 'remove'; what: string }
  | { do: 'wait'; days: number }

const tab = fc.nat(2)
const card = fc.nat(CARDS.length - 1)
const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom(...DEEDS, 'answer'), card, tab }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('discard', 'retry'), at: fc.nat(5), tab }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'offline',
        'online',
        'online',
        'expire',
        'sign-in',
        'sign-in',
        'other-user',
        'new-tab',
        'deploy',
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('kill', 'reload', 'send'), tab }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('remove' as const), what: fc.constantFrom(...PLACES, ...OLD_COMMENTS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 9 }) }) },
)
const FATES: fc.Arbitrary<Fate> = fc.constantFrom(
  'answered',
  'answered',
  'answered',
  'lost',
  'done-but-lost',
  'refused',
  'failing',
  'killed',
  'done-but-killed',
)

function actionOf(what: Deed, card: number, text: string, needs?: string): Action {
  const cardId = CARDS[card] ?? ''
  const place = { watchlistId: 'club', cardId }
  switch (what) {
    case 'comment':
      return { kind: 'comment', ...place, content: text }
    case 'edit':
      return { kind: 'edit', ...place, commentId: needs === undefined ? `old of ${cardId}` : '', content: text }
    case 'rate':
    case 'move':
      return { kind: 'viewing', ...place, body: { note: text } }
    case 'movie':
      return { kind: 'movie', watchlistId: 'club', body: { title: text, image: pictureOf(text) } }
    case 'answer': {
      // No code of this device reads an answer, so it can have a text.
      const answer = text as NightAnswer
      return {
        kind: 'answer',
        watchlistId: 'club',
        nightId: NIGHTS[card] ?? 'friday',
        startsAt: TIMES[Number(text.at(-1)) % 2] ?? '',
        answer,
      }
    }
    case 'later':
      return { kind: 'later', ...place, content: text } as unknown as Action
  }
}

/** Sorts by the order of birth. */
function keyOf(word: number): string {
  return `a key of sixteen ${String(word).padStart(3, '0')}`
}

type Said = { userId: string; text: string; fate: 'kept' | 'told' | 'shown as failed' | 'discarded' | 'unknown' }

/** Plays a story, and keeps account of what the users have read. */
async function play(commands: readonly Command[], fates: readonly Fate[]) {
  const world = aWorld(fates)
  const said: Said[] = []
  const replaced = new Set<string>()
  const doubted = new Set<string>()
  const retried = new Set<string>()
  let words = 0
  world.open('ana')
  const tabOf = (n: number) => {
    const mine = world.living().filter(({ userId }) => userId === world.user())
    return mine[n % Math.max(1, mine.length)]
  }
  const newTab = () => world.living().find(({ userId, version }) => userId === world.user() && version > 1)
  const openTab = async () => {
    const user = world.user()
    if (user !== undefined && world.living().length < 4) await world.open(user).outbox.send().catch(swallowKill)
  }
  const sendAll = async () => {
    for (const { outbox } of world.living()) await outbox.send().catch(swallowKill)
  }

  for (const command of commands) {
    switch (command.do) {
      case 'comment':
      case 'rate':
      case 'move':
      case 'edit':
      case 'movie':
      case 'answer':
      case 'later': {
        const at = command.do === 'later' ? newTab() : tabOf(command.tab)
        if (at === undefined) break
        const cardId = CARDS[command.card] ?? ''
        const before = world.device.items(at.userId)
        const edited = before.find(
          ({ action, state }) => action.kind === 'comment' && action.cardId === cardId && state === 'waiting',
        )
        words += 1
        const text = `${at.userId} ${words}`
        const needs = command.do === 'edit' ? edited?.id : undefined
        const action = actionOf(command.do, command.card, text, needs)
        const one: Said = { userId: at.userId, text, fate: 'unknown' }
        said.push(one)
        const done = await at.outbox.perform(action, { idempotencyKey: keyOf(words), title: cardId, needs }).then(
          (reply) => (reply === KEPT ? 'kept' : 'told'),
          (error: unknown) => (error instanceof TabKilled ? 'kept' : 'shown as failed'),
        )
        one.fate = done
        // What never left is replaced in its place.
        const after = world.device.items(at.userId)
        for (const item of before) {
          const now = after.find(({ id }) => id === item.id)
          if (now === undefined || textOf(now.action) !== text) continue
          demand(placeOf(item.action) === placeOf(action), 'something else is replaced')
          replaced.add(textOf(item.action))
        }
        break
      }
      case 'discard':
      case 'retry': {
        const at = tabOf(command.tab)
        const items = at === undefined ? [] : world.device.items(at.userId)
        const item = items[command.at % Math.max(1, items.length)]
        if (at === undefined || item === undefined) break
        if (command.do === 'retry') {
          retried.add(item.key)
          if (item.refusal?.reason === 'unsure' || item.mayBeDone === true) doubted.add(textOf(item.action))
          await at.outbox.retry(item.id).catch(swallowKill)
        } else {
          await at.outbox.discard(item.id).catch(swallowKill)
          const isGone = world.device.items(at.userId).every(({ id }) => id !== item.id)
          const one = said.find(({ text }) => text === textOf(item.action))
          if (isGone && one !== undefined) {
            // What was taken back before it left must never arrive.
            demand(item.state !== 'waiting' || item.tries === 0, 'taken back too late')
            one.fate = 'discarded'
          }
        }
        break
      }
      case 'offline':
      case 'online':
        world.setOnline(command.do === 'online')
        if (command.do === 'online') await sendAll()
        break
      case 'expire':
        world.signIn(undefined)
        break
      case 'sign-in':
        world.signIn('ana')
        await sendAll()
        break
      case 'other-user':
        world.signIn('bo')
        if (world.living().every(({ userId }) => userId !== 'bo')) world.open('bo')
        await sendAll()
        break
      case 'new-tab':
        await openTab()
        break
      case 'kill':
      case 'reload': {
        const at = tabOf(command.tab)
        if (at === undefined) break
        at.isAlive = false
        if (command.do === 'reload') await world.open(at.userId).outbox.send().catch(swallowKill)
        break
      }
      case 'send':
        await sendAll()
        break
      case 'deploy':
        world.deploy()
        await openTab()
        break
      case 'remove':
        world.server.gone.add(command.what)
        break
      case 'wait':
        world.pass(command.days * DAY_MS)
        break
    }
    await world.settleAll()
    for (const one of world.living()) {
      // Another user sees nothing of it.
      demand(
        one.shown.every(({ userId }) => userId === one.userId),
        'seen by another user',
      )
    }
  }
  return { world, said, replaced, doubted, retried }
}

/** An account that does not add up. */
function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

function checkAccount({ world, said, replaced, doubted, retried }: Awaited<ReturnType<typeof play>>): void {
  const { done } = world.server
  for (const place of PLACES) {
    for (const user of ['ana', 'bo']) {
      const keys = done.flatMap((one) => (one.place === place && one.userId === user ? one.key : []))
      const inTurn = keys.filter((key) => !retried.has(key))
      demand(inTurn.join(' ') === inTurn.toSorted().join(' '), `${place} was changed in another order`)
    }
  }
  for (const { text, image } of done)
    demand(image === undefined || image === pictureOf(text), `${text} has another picture`)
  for (const { userId, text, fate } of said) {
    const times = done.filter((one) => one.text === text).length
    const item = world.device.items(userId).find(({ action }) => textOf(action) === text)
    const saysMaybe = item?.mayBeDone === true || item?.refusal?.reason === 'unsure'
    // Unless the user sent again what they have read may have arrived.
    demand(times <= 1 || doubted.has(text), `${text} was done twice`)
    demand(fate !== 'told' || times === 1, `${text} was not done`)
    demand(
      done.every((one) => one.text !== text || one.userId === userId),
      `${text} was done as another user`,
    )
    demand(fate !== 'kept' || times > 0 || item !== undefined || replaced.has(text), `${text} is lost`)
    demand(item?.state !== 'refused' || times === 0 || saysMaybe, `${text} is shown as not done`)
  }
}

test('no order of events loses, repeats or wrongly denies an action of a user', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(COMMANDS, { minLength: 1, maxLength: 25, size: 'max' }),
      fc.array(FATES, { minLength: 1, maxLength: 12 }),
      async (commands, given) => {
        const fates = [...given]
        const story = await play(commands, fates)
        checkAccount(story)
        // In the end there is a connection, a session and a server that answers.
        const { world } = story
        world.signIn('ana')
        world.setOnline(true)
        fates.fill('answered')
        await world.open('ana').outbox.send()
        await world.settleAll()
        checkAccount(story)
        expect(world.device.items('ana').filter(({ state }) => state !== 'refused')).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
})

test('changes of one card are sent in the order they were made', async () => {
  const world = aWorld(['answered'])
  const { outbox } = world.open('ana')
  world.setOnline(false)
  for (const content of ['one', 'two', 'three']) {
    const action = { kind: 'comment', watchlistId: 'club', cardId: 'tram', content } as const
    await outbox.perform(action, { idempotencyKey: `a key of sixteen ${content}`, title: 'Night Tram' })
  }
  world.setOnline(true)
  await outbox.send()

  expect(world.sentAt).toEqual(['one', 'two', 'three'])
})

test('a change that waited behind a rejected one is still sent', async () => {
  const world = aWorld(['refused', 'answered'])
  const { outbox } = world.open('ana')
  const say = async (content: string) =>
    await outbox.perform(
      { kind: 'comment', watchlistId: 'club', cardId: 'tram', content },
      { idempotencyKey: `a key of sixteen ${content}`, title: 'Night Tram' },
    )

  const arrival = Promise.withResolvers<void>()
  world.delay(arrival.promise)
  const first = say('one').catch((error: unknown) => error)
  expect(await say('two')).toBe(KEPT)
  await world.settleAll()

  arrival.resolve()
  expect(await first).toMatchObject({ message: 'no' })
  await world.settleAll()

  expect(world.sentAt).toEqual(['two'])
  expect(world.device.items('ana')).toEqual([])
})

/** Changes the old comment on a card, decides about the card and says something, all without a connection, and sends it. */
async function sendWithout(gone: string) {
  const world = aWorld(['answered'])
  const { outbox } = world.open('ana')
  world.setOnline(false)
  for (const what of ['edit', 'rate', 'comment'] as const) {
    await outbox.perform(actionOf(what, 0, what), { idempotencyKey: `a key of sixteen ${what}`, title: 'Night Tram' })
  }
  world.server.gone.add(gone)
  world.setOnline(true)
  await outbox.send()
  const refused = world.device.items('ana').map(({ action, refusal }) => [textOf(action), refusal])
  return { done: world.server.done.map(({ text }) => text), refused }
}

test('a change of a deleted comment is rejected alone, with the server’s message', async () => {
  expect(await sendWithout('old of tram')).toEqual({
    done: ['rate', 'comment'],
    refused: [['edit', { reason: 'said', message: 'gone' }]],
  })
})

test('everything queued for a deleted card is rejected', async () => {
  expect(await sendWithout('tram')).toEqual({
    done: [],
    refused: [
      ['edit', { reason: 'said', message: 'gone' }],
      ['rate', { reason: 'gone' }],
      ['comment', { reason: 'gone' }],
    ],
  })
})

const rate = async (outbox: Outbox, body: { stars?: number; note?: string }, key: string) =>
  outbox.perform(
    { kind: 'viewing', watchlistId: 'club', cardId: 'tram', body },
    { idempotencyKey: `a key of sixteen ${key}`, title: 'Night Tram' },
  )

test('a mark without a rating keeps a rating that is waiting', async () => {
  const world = aWorld(['answered'])
  const { outbox } = world.open('ana')
  world.setOnline(false)

  await rate(outbox, { stars: 4, note: 'Lovely' }, 'one')
  await rate(outbox, {}, 'two')

  expect(world.device.items('ana').map(({ action }) => action)).toEqual([
    { kind: 'viewing', watchlistId: 'club', cardId: 'tram', body: { stars: 4, note: 'Lovely' } },
  ])
})

const isRating = ({ kind }: Action) => kind === 'viewing'

test('a call that cannot wait fails offline and keeps the action it would replace', async () => {
  const world = aWorld(['answered'])
  const { outbox } = world.open('ana')
  world.setOnline(false)
  await rate(outbox, { note: 'Lovely' }, 'one')

  expect(await outbox.overtake(isRating)).toBe(false)

  expect(world.device.items('ana').map(({ action }) => textOf(action))).toEqual(['Lovely'])
})

test('a call that cannot wait is made only after the action it replaces has been answered', async () => {
  const world = aWorld(['done-but-lost', 'lost', 'answered'])
  const { outbox } = world.open('ana')
  expect(await rate(outbox, { note: 'Lovely' }, 'one')).toBe(KEPT)

  expect(await outbox.overtake(isRating)).toBe(false)
  expect(await outbox.overtake(isRating)).toBe(true)

  expect(world.server.done.map(({ text }) => text)).toEqual(['Lovely'])
  expect(world.device.items('ana')).toEqual([])
})

test('a device with a full disk sends actions directly, and fails offline', async () => {
  const world = aWorld(['answered'])
  const { outbox } = world.open('ana')
  world.device.fill()
  const say = async (content: string) =>
    await outbox.perform(
      { kind: 'comment', watchlistId: 'club', cardId: 'tram', content },
      { idempotencyKey: `a key of sixteen ${content}`, title: 'Night Tram' },
    )

  await say('one')
  expect(world.server.done.map(({ text }) => text)).toEqual(['one'])

  world.setOnline(false)
  await expect(say('two')).rejects.toMatchObject({ kind: 'NETWORK_ERROR' })
})

test('a disk that fills up during a request does not hide its success', async () => {
  const world = aWorld(['answered'])
  const { outbox } = world.open('ana')
  const action = { kind: 'comment', watchlistId: 'club', cardId: 'tram', content: 'one' } as const
  const sent = outbox.perform(action, { idempotencyKey: 'a key of sixteen one', title: 'Night Tram' })
  await Promise.resolve()
  world.device.fill()

  await expect(sent).resolves.toMatchObject({ commentId: 'comment 1' })
})

test('an older version of the app hides actions that it does not know', async () => {
  const world = aWorld(['answered'])
  world.deploy()
  const { outbox } = world.open('ana')
  world.setOnline(false)
  for (const what of ['later', 'comment'] as const) {
    await outbox.perform(actionOf(what, 0, what), { idempotencyKey: `a key of sixteen ${what}`, title: 'Night Tram' })
  }

  expect(shownOf(world.device.items('ana')).all.map(({ action }) => textOf(action))).toEqual(['comment'])
})
