import type { Mutant } from './mutant.ts'

const rooms = 'server/src/rooms'
const cards = `${rooms}/movies/cards/routes.test.ts`
const draws = `${rooms}/draws/draws.test.ts`
const votes = `${rooms}/nights/nights/vote/votes.test.ts`
const nights = `${rooms}/nights/nights/routes.test.ts`
const imports = `${rooms}/movies/imports/imports.test.ts`
const activities = `${rooms}/news/activities/activities.test.ts`
const queue = 'platform/src/queue/queue.test.ts'
const idempotency = 'platform/src/idempotency/repeatable.test.ts'

/** Bugs in what users do together, which the simulation looks for. */
export const WORK: readonly Mutant[] = [
  {
    name: 'activities are recorded after their transaction',
    file: `${rooms}/club/watchlists/change.ts`,
    before: `    return sentWith(result, recorded)
  }
  const result = await database.transaction(transaction, isShared ? { locks: watchlistId } : undefined)`,
    after: `    return sentWith(result, [])
  }
  const result = await database.transaction(transaction, isShared ? { locks: watchlistId } : undefined)
  await database.transaction(async (own) => {
    for (const fact of committed) for (const sent of facts.record(own, fact, { hasOthers: true })) await arrival(sent)
  }).catch(() => undefined)`,
    tests: [activities, cards],
  },
  {
    name: 'a comment is not announced',
    file: `${rooms}/movies/comments/service.ts`,
    before: `    happened('comment.added', { cardId, commentId: comment.id })
`,
    after: '',
    tests: [activities],
  },
  {
    name: 'a row of a queue is claimed without a check',
    file: 'platform/src/queue/store.ts',
    before: ".where('due_at', '=', (row as Columns)['due_at'])\n    .returningAll()",
    after: '.returningAll()',
    tests: [queue, 'platform/src/mail/queue.test.ts'],
  },
  {
    name: 'an activity that another process has taken is announced again',
    file: 'platform/src/queue/store.ts',
    before: 'return rows.filter((row) => ids.has(nameIn(row as Columns, table.key)))',
    after: 'return ids.size < 0 ? [] : [...rows]',
    tests: [queue, activities],
  },
  {
    name: 'the hold of an image never ends',
    file: `${rooms}/movies/images/store.ts`,
    before: ".doUpdateSet({ held_until: until, is_going: 1 }).where('image_hold.held_until', '<', now)",
    after: ".doUpdateSet({ held_until: until, is_going: 1 }).where('image_hold.held_until', '<', '')",
    tests: [`${rooms}/movies/images/sweep.test.ts`, `${rooms}/movies/images/images.test.ts`],
  },
  {
    name: 'a vote of seven puts only five cards back',
    file: `${rooms}/nights/nights/vote/votes.ts`,
    before: 'const back = revealed.filter(({ id }) => id !== result.winner)',
    after: 'const back = revealed.filter(({ id }) => id !== result.winner).slice(0, 5)',
    tests: [votes],
  },
  {
    name: 'a vote puts a card too few back',
    file: `${rooms}/nights/nights/vote/votes.ts`,
    before: '...putBackCards(trx, { watchlistId, cards: back, by, at, boxCount }),',
    after: '...putBackCards(trx, { watchlistId, cards: back.slice(1), by, at, boxCount }),',
    tests: [votes],
  },
  {
    name: 'the winner of a vote is not announced',
    file: `${rooms}/nights/nights/vote/votes.ts`,
    before: `if (result.winner !== null) happened('card.won', { cardId: result.winner, by })`,
    after: '',
    tests: [votes, activities],
  },
  {
    name: 'a ballot counts twice',
    file: `${rooms}/nights/nights/vote/vote-disclosure.ts`,
    before: 'const { winner, cards } = countVotes(cardIds, counted.map(ballotOf))',
    after: 'const { winner, cards } = countVotes(cardIds, [...counted, ...counted].map(ballotOf))',
    tests: [votes],
  },
  {
    name: 'a veto is not counted',
    file: `${rooms}/nights/nights/vote/vetoes.ts`,
    before: 'requireVeto(user, evening.vetoes)',
    after: '',
    tests: [`${rooms}/nights/nights/vote/vetoes.test.ts`],
  },
  {
    name: 'a night is reported as started twice',
    file: `${rooms}/nights/nights/service.ts`,
    before: "happened(isNew ? 'night.started' : 'night.attended', { nightId: id })",
    after: "for (let n = 0; n < 2; n += 1) happened(isNew ? 'night.started' : 'night.attended', { nightId: id })",
    tests: [activities, nights],
  },
  {
    name: 'the end of a night leaves its vote open',
    file: `${rooms}/nights/nights/service.ts`,
    before: 'await closeIfComplete(trx, key, found, true)',
    after: '',
    tests: [votes, nights],
  },
  {
    name: 'a planned night sends no mail',
    file: `${rooms}/nights/nights/plan/plans.ts`,
    before: 'await mailMembers(ports, trx, { ...about, ...addresses, now: time })',
    after: '',
    tests: [nights],
  },
  {
    name: 'a key for repeats is ignored',
    file: 'platform/src/idempotency/repeatable.ts',
    before: 'if (!key) return await handle(ports, input)',
    after: 'if (key !== undefined || !key) return await handle(ports, input)',
    tests: [idempotency],
  },
  {
    name: 'a key that another transaction has claimed is used again',
    file: 'platform/src/idempotency/repeatable.ts',
    before: 'if (!(await claimKey(trx, key.row, { requestMac: key.requestMac, now, cutoff: oldest }))) {',
    after:
      'await claimKey(trx, key.row, { requestMac: key.requestMac, now, cutoff: oldest })\n      if (isUsed === undefined) {',
    tests: [idempotency],
  },
  {
    name: 'the version of the feed does not change with a vote',
    file: `${rooms}/club/watchlists/change.ts`,
    before: 'if (raises) recorded.push(',
    after: 'if (raises && made.length < 0) recorded.push(',
    tests: [votes, cards],
  },
  {
    name: 'a decision is not announced',
    file: `${rooms}/movies/cards/feed/move-card.ts`,
    before: `happened('card.decided', { cardId, to })`,
    after: '',
    tests: [activities, cards],
  },
  {
    name: 'the box counts one card too few that was put back',
    file: `${rooms}/movies/cards/box/bulk.ts`,
    before: '    countIntoBox(trx, watchlistId, cards.length),',
    after: '    countIntoBox(trx, watchlistId, Math.max(0, cards.length - 1)),',
    tests: [votes],
  },
  {
    name: 'a draw of several cards takes one out of the count of the box',
    file: `${rooms}/draws/reveal.ts`,
    before: 'const counted = countIntoBox(trx, watchlistId, -rows.length)',
    after: 'const counted = countIntoBox(trx, watchlistId, -1)',
    tests: [draws],
  },
  {
    name: 'a repeated reveal is announced again',
    file: `${rooms}/draws/reveal.ts`,
    before: '{ cardIds: [], receipt, outcome: { cards, receipt } }',
    after: '{ cardIds: ids, receipt, outcome: { cards, receipt } }',
    tests: [draws, activities],
  },
  {
    name: 'a prepared draw reveals a card that has left the box',
    file: `${rooms}/draws/reveal.ts`,
    before:
      'if (candidates.some(({ id, changeCount }) => boxed.get(id)?.changeCount !== changeCount)) return undefined',
    after: '',
    tests: [draws],
  },
  {
    name: 'a number of a draw is left out',
    file: `${rooms}/draws/store.ts`,
    before: "draw_count: eb('draw_state.draw_count', '+', 1)",
    after: "draw_count: eb('draw_state.draw_count', '+', 2)",
    tests: [draws],
  },
  {
    name: 'an undone import forgets the slots of its cards',
    file: `${rooms}/movies/cards/box/bulk.ts`,
    before:
      'for (const [index, to] of gaps.entries()) await moveSlot(trx, { watchlistId, from: behind[index] ?? to, to })',
    after: 'if (behind.length < 0) for (const to of gaps) await moveSlot(trx, { watchlistId, from: to, to })',
    tests: [imports],
  },
  {
    name: 'an undone import leaves its cards in the box',
    file: `${rooms}/movies/cards/box/bulk.ts`,
    before: 'untouched.filter(({ isWanted }) => !isWanted),',
    after: 'untouched.filter(({ isWanted }) => isWanted),',
    tests: [imports],
  },
  {
    name: 'a removed member is still notified',
    file: `${rooms}/news/notifications/announce.ts`,
    before: 'const members = await keepMembers(trx, watchlistId)',
    after: `const known = ((globalThis as any).knownMembers ??= new Map())
    if (!known.has(watchlistId)) known.set(watchlistId, await keepMembers(trx, watchlistId))
    const members = known.get(watchlistId)`,
    tests: [`${rooms}/news/notifications/routes.test.ts`, activities],
  },
  {
    name: 'members are notified of what they did',
    file: `${rooms}/news/notifications/announce.ts`,
    before: 'const others = members.filter(({ username }) => username !== actor)',
    after: 'const others = members.filter(({ username }) => username !== actor || actor !== null)',
    tests: [activities],
  },
  {
    name: 'a push message is not queued',
    file: `${rooms}/news/notifications/announce.ts`,
    before: 'if (dueAt === undefined) continue',
    after: 'if (dueAt === undefined || pushes.length > 0) continue',
    tests: [`${rooms}/news/push/push.test.ts`],
  },
  {
    name: 'a webhook reports no comments',
    file: 'contract/src/facts.ts',
    before: `webhook: 'comment.added',`,
    after: 'webhook: null,',
    tests: [`${rooms}/news/webhooks/webhooks.test.ts`, activities],
  },
  {
    name: 'an undone decision is announced',
    file: `${rooms}/movies/cards/feed/undo-move.ts`,
    before: '.with(...takenBack, settle({ decisionsOn: cardId }))',
    after: '.with(...takenBack)',
    tests: [`${rooms}/movies/cards/feed/undo-move.test.ts`, activities],
  },
  {
    name: 'a member who leaves is still counted',
    file: `${rooms}/club/watchlists/member-store.ts`,
    before: "member_count: eb('member_count', '-', 1)",
    after: "member_count: eb('member_count', '-', 0)",
    tests: [`${rooms}/club/watchlists/members.test.ts`],
  },
]
