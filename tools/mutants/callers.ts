import type { Mutant } from './mutant.ts'

const catalogue = 'server/src/rooms/movies/catalogue'
const page = `${catalogue}/page.test.ts`
const lookup = `${catalogue}/lookup.test.ts`
const parser = 'server/src/parsing/parser.test.ts'
const worker = 'server/src/parsing/limited-worker.test.ts'
const slices = 'server/src/slices.test.ts'
const bodies = 'server/src/unfinished-bodies.test.ts'
const limits = 'server/src/rate-limits.test.ts'
const guests = 'server/src/rooms/nights/nights/passes/guests.test.ts'
const wrongCodes = 'server/src/rooms/nights/nights/passes/wrong-codes.test.ts'
const queue = 'platform/src/queue/queue.test.ts'
const webhooks = 'server/src/rooms/news/webhooks/webhooks.test.ts'
const budget = 'identity/src/base/mails/mail-budget.test.ts'

/** No caller stops the others: by a page, a file, a body, a budget, or a service that hangs. */
export const CALLERS: readonly Mutant[] = [
  {
    name: 'a page is read to a depth whose square takes seconds',
    file: `${catalogue}/page.ts`,
    before: 'const MAX_DEPTH = 256',
    after: 'const MAX_DEPTH = 4_096',
    tests: [page],
  },
  {
    name: 'a page of 3 MB is read whole',
    file: `${catalogue}/fetch-page.ts`,
    before: 'const MAX_PAGE_BYTES = 512 * 1024',
    after: 'const MAX_PAGE_BYTES = 4 * 1024 * 1024',
    tests: [lookup, page],
  },
  {
    name: 'a page may have any number of objects',
    file: `${catalogue}/page.ts`,
    before: 'const MAX_VALUES = 100',
    after: 'const MAX_VALUES = 100_000_000',
    tests: [page],
  },
  {
    name: 'a file may be nested to any depth',
    file: 'platform/src/json/split-json.ts',
    before: 'MAX_JSON_DEPTH = 64',
    after: 'MAX_JSON_DEPTH = 64_000_000',
    tests: [parser],
  },
  {
    name: 'reading a page goes on after its deadline',
    file: 'server/src/parsing/parser.ts',
    before: 'owner: `page ${page.url}`, signal: deadline }',
    after: 'owner: `page ${page.url} ${deadline.aborted}` }',
    tests: [parser],
  },
  {
    name: 'the deadline of a page ends with its download',
    file: `${catalogue}/lookup.ts`,
    before: 'return await parsePage(page, deadline)',
    after: 'return await parsePage(page, new AbortController().signal)',
    tests: [lookup],
  },
  {
    name: 'posters of an import use the whole limit of the catalogue',
    file: `${catalogue}/client.ts`,
    before: 'Math.floor(limit.max * IN_BACKGROUND)',
    after: 'limit.max',
    tests: [lookup],
  },
  {
    name: 'the first limit of a name counts for all of that name',
    file: 'platform/src/limits/rate-limiter.ts',
    before: '`${name} ${limit.max} ${limit.windowSeconds}`',
    after: '`${name}`',
    tests: ['platform/src/limits/rate-limiter.test.ts'],
  },
  {
    name: 'requests in the background take all places of a source',
    file: `${catalogue}/client.ts`,
    before: 'const background = pLimit(1)',
    after: 'const background = pLimit(parallel)',
    tests: [lookup],
  },
  {
    name: 'an invitation of a watchlist that is being removed stays due',
    file: 'server/src/rooms/news/activities/queue.ts',
    before: 'const taken = await takeRows(',
    after: 'if (!isHere) return []\n      const taken = await takeRows(',
    tests: ['server/src/rooms/news/activities/failed-transaction.test.ts'],
  },
  {
    name: 'a task may work for ever',
    file: 'server/src/parsing/limited-worker.ts',
    before: 'if (nowMs >= mostMs) end(',
    after: 'if (nowMs < 0) end(',
    tests: [worker],
  },
  {
    name: 'a task may take any memory',
    file: 'server/src/parsing/limited-worker.ts',
    before: 'maxOldGenerationSizeMb: memoryLimitMb',
    after: 'maxOldGenerationSizeMb: memoryLimitMb * 1_000',
    tests: [worker, parser],
  },
  {
    name: 'one owner takes all places of the parser',
    file: 'server/src/parsing/limited-worker.ts',
    before: 'const WAITING_PER_OWNER = 5',
    after: 'const WAITING_PER_OWNER = 30',
    tests: [worker],
  },
  {
    name: 'a file to import is read in the thread of requests',
    file: 'server/src/parsing/parser.ts',
    before: "parseUpload: (body, userId) => partsOfBody('upload', body, userId),",
    after: `parseUpload: async function* read(body) {
      yield* (await import('../rooms/movies/imports/read-upload.ts')).readUpload(body)
    },`,
    tests: [parser],
  },
  {
    name: 'a whole watchlist is read in one turn',
    file: 'server/src/rooms/movies/cards/card/key-ranges.ts',
    before: '    await nextTurn()\n',
    after: '',
    tests: [slices],
  },
  {
    name: 'all wants of a member are read in one turn',
    file: 'server/src/rooms/movies/cards/box/wants.ts',
    before: '    await nextTurn()\n',
    after: '',
    tests: [slices],
  },
  {
    name: 'a restore saves all cards in one transaction',
    file: 'server/src/rooms/movies/exports/read-restorable.ts',
    before: 'const CARDS_AT_ONCE = 25',
    after: 'const CARDS_AT_ONCE = 10_000',
    tests: [slices],
  },
  {
    name: 'an import adds all cards in one transaction',
    file: 'server/src/rooms/movies/imports/queue.ts',
    before: 'const BATCH = 50',
    after: 'const BATCH = 10_000',
    tests: [slices],
  },
  {
    name: 'an account counts any number of statistics at once',
    file: 'server/src/rooms/nights/statistics/routes.ts',
    before: 'if (!leave) throw',
    after: "if (user.userId === '') throw",
    tests: ['server/src/rooms/nights/statistics/routes.test.ts'],
  },
  {
    name: 'a large watchlist is removed in one transaction',
    file: 'server/src/rooms/club/watchlists/removal-store.ts',
    before: "{ table: 'card', key: ['id'], limit: 25 }",
    after: "{ table: 'card', key: ['id'], limit: 1_000_000 }",
    tests: ['server/src/rooms/club/watchlists/removal.test.ts'],
  },
  {
    name: 'unfinished bodies take any memory',
    file: 'platform/src/http/body-bytes.ts',
    before: 'while (allTaken + bytes > total) {',
    after: 'while (allTaken + bytes < 0) {',
    tests: [bodies],
  },
  {
    name: 'one user takes the memory of all bodies',
    file: 'platform/src/http/body-bytes.ts',
    before: 'if (own > perOwner) return false',
    after: 'if (own > total) return false',
    tests: [bodies],
  },
  {
    name: 'the memory of a body that was cut off is never given back',
    file: 'server/src/rate-limits.ts',
    before: 'if (reply) whenClosed(reply, bytes.free)',
    after: '',
    tests: [bodies],
  },
  {
    name: 'a refusal of a busy server is an error in the log',
    file: 'platform/src/http/kernel.ts',
    before: "log.info({ reason: reasonOf(error), requestId }, 'a request was refused because the server is busy')",
    after: "log.error({ err: error, requestId }, 'a request failed')",
    tests: ['platform/src/http/kernel.test.ts'],
  },
  {
    name: 'a refusal of a busy server costs its caller nothing',
    file: 'server/src/rate-limits.ts',
    before: 'if (reply.statusCode !== 503 || wasRefused(request)) return',
    after: 'if (reply.statusCode !== 503) return',
    tests: [limits, bodies],
  },
  {
    name: 'wrong night codes of a network shut out right ones',
    file: 'server/src/rooms/nights/nights/passes/wrong-codes.ts',
    before: '  if (!last) return [own, few]\n',
    after: '',
    tests: [guests],
  },
  {
    name: 'wrong night codes count for the whole installation',
    file: 'server/src/rooms/nights/nights/passes/wrong-codes.ts',
    before: "const own: Counter = ['wrong night codes', client, byAddress]",
    after: "const own: Counter = ['wrong night codes', 'all', byAddress]",
    tests: [guests],
  },
  {
    name: 'right night codes count as wrong',
    file: 'server/src/rooms/nights/nights/passes/wrong-codes.ts',
    before: '    await giveBack()\n    return joined',
    after: '    return joined',
    tests: [wrongCodes],
  },
  {
    name: 'an address guesses any number of night codes',
    file: 'server/src/rooms/nights/nights/passes/wrong-codes.ts',
    before: 'if (refusal) throw tooMany(refusal)',
    after: '',
    tests: [wrongCodes],
  },
  {
    name: 'a call of the product counts for all strangers together',
    file: 'server/src/rate-limits.ts',
    before: '[[name, keyOf(user), limit]]',
    after: "[[name, 'all', limit]]",
    tests: [limits],
  },
  {
    name: 'a call of the user pool counts for all strangers together',
    file: 'identity/src/base/limits/address-limits.ts',
    before: "if (operation === 'SignUp') await take('identity sign-up', ADDRESS_LIMITS.signUp)",
    after: "if (operation === 'SignUp') await limiter.take('identity sign-up', 'all', ADDRESS_LIMITS.signUp)",
    tests: ['identity/src/base/limits/address-limits.test.ts'],
  },
  {
    name: 'new accounts spend the codes of older ones',
    file: 'identity/src/base/mails/mail-budget.ts',
    before: 'return isNew ? `${purpose} of new accounts` : purpose',
    after: 'return isNew ? purpose : purpose',
    tests: [budget],
  },
  {
    name: 'an owner takes all places of a queue',
    file: 'platform/src/queue/fairness.ts',
    before: 'if ((atWork.get(one.owner) ?? 0) >= perOwner) continue',
    after: '',
    tests: [queue],
  },
  {
    name: 'owners do not take turns',
    file: 'platform/src/queue/fairness.ts',
    before: '        lastTurns.get(owner) ?? 0,\n',
    after: '',
    tests: [queue],
  },
  {
    name: 'a target that hangs takes more than one place',
    file: 'platform/src/queue/fairness.ts',
    before: 'for (const lane of busy) lanes.delete(lane)',
    after: '',
    tests: [queue, webhooks],
  },
  {
    name: 'owners behind many due rows of others wait for them',
    file: 'platform/src/queue/fairness.ts',
    before: 'const isBacklog = due.length >= window && table.lane > 0',
    after: 'const isBacklog = due.length < 0',
    tests: [queue],
  },
]
