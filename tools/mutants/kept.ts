import type { Mutant } from './mutant.ts'

const database = 'platform/src/database'
const queues = 'platform/src/queue'
const mails = 'platform/src/mail/queue.test.ts'
const ahead = 'server/src/times-ahead.test.ts'
const activities = 'server/src/rooms/news/activities'
const beside = `${database}/migrate-beside-requests.test.ts`
const streams = 'platform/src/http/event-stream.test.ts'
const close = ['platform/src/http/close-gently.test.ts', 'server/src/closing.test.ts']
const imports = 'server/src/rooms/movies/imports'
const nights = 'server/src/rooms/nights/nights'
const installation = 'server/src/installation/installation.test.ts'
const outbox = 'web/src/offline/outbox'
const movies = 'web/src/features/movies'
const backup = 'server/src/backup'
const clocks = 'tools/checks/clocks.test.ts'

/** Nothing is lost, late or told wrong: by an upgrade, a mail server, a clock, a disk or a stop. */
export const KEPT: readonly Mutant[] = [
  {
    name: 'a migration takes its locks one by one',
    file: `${database}/migrate.ts`,
    before: 'await lockTables(trx, [...new Set(steps.flatMap(({ migration }) => migration.changes ?? []))], waitMs)',
    after: 'await lockTables(trx, [], waitMs)',
    tests: [beside, 'server/src/rolling-upgrade.test.ts'],
  },
  {
    name: 'a migration takes its locks in another order than requests',
    file: `${database}/migration-store.ts`,
    before: 'group by relname order by max(depth), relname`',
    after: 'group by relname order by max(depth) desc, relname desc`',
    tests: [beside, 'server/src/rolling-upgrade.test.ts'],
  },
  {
    name: 'a migration waits for locks as long as it takes',
    file: `${database}/migration-store.ts`,
    before:
      '  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(db)\n  await sql`set local statement_timeout = ${sql.lit(waitMs)}`.execute(db)\n',
    after: '',
    tests: [beside],
  },
  {
    name: 'a migration that met a lock is not repeated',
    file: `${database}/finish-migrations.ts`,
    before: 'if (attempt === ATTEMPTS || !BLOCKED.has(codeOf(error))) throw error',
    after: 'if (attempt <= ATTEMPTS) throw error',
    tests: [beside, 'server/src/rolling-upgrade.test.ts'],
  },
  {
    name: 'a migration that met a deadlock is not repeated',
    file: `${database}/finish-migrations.ts`,
    before: "'40P01', ",
    after: '',
    tests: [beside],
  },
  {
    name: 'a backfill waits for locks as long as it takes',
    file: `${database}/finish-migrations.ts`,
    before: 'await waitForLocks(trx, waitMs)\n          const batch',
    after: 'const batch',
    tests: [beside],
  },
  {
    name: 'a backfill begins again after an interruption',
    file: `${database}/finish-migrations.ts`,
    before: 'place: left.place ?? undefined }',
    after: 'place: undefined }',
    tests: [beside],
  },
  {
    name: 'a migration does not name a table that it locks',
    file: 'server/src/migrations/0060-words-of-the-feed.ts',
    before: "changes: ['card'],",
    after: 'changes: [],',
    tests: ['server/src/migration-locks.test.ts'],
  },
  {
    name: 'an index of a full table blocks its writers',
    file: `${database}/finish-migrations.ts`,
    before: 'await createIndexConcurrently(schema, index)',
    after: 'await createIndex(schema, index)',
    tests: [beside],
  },
  {
    name: 'an upgrade of SQLite begins without free space',
    file: 'server/src/backup/room-for-migration.ts',
    before: 'if (free < needed) {',
    after: 'if (free < 0) {',
    tests: ['server/src/cli/backup.test.ts'],
  },
  {
    name: 'a long upgrade of SQLite says nothing in the terminal',
    file: 'server/src/migrations/make-tables.ts',
    before: 'refuse: refuseUnfinishedMove, beforeChange, print })',
    after: 'refuse: refuseUnfinishedMove, beforeChange })',
    tests: ['server/src/upgrade.process.test.ts'],
  },
  {
    name: 'an upgrade of SQLite does not count the rows that it fills',
    file: `${database}/migrate.ts`,
    before: '        report(filled)\n',
    after: '',
    tests: [`${database}/migrate.test.ts`],
  },
  {
    name: 'the server prints nothing of an upgrade',
    file: 'server/src/start.ts',
    before: 'print: console.log,',
    after: 'print: () => undefined,',
    tests: ['server/src/upgrade.process.test.ts'],
  },
  {
    name: 'codes wait behind all other mails',
    file: 'platform/src/mail/store.ts',
    before: 'is_urgent: mail.isUrgent === true ? 1 : 0,',
    after: 'is_urgent: 0,',
    tests: [mails],
  },
  {
    name: 'the codes of accounts are mails like all others',
    file: 'identity/src/parts/codes/code-delivery.ts',
    before: '{ isUrgent: true }',
    after: '{ isUrgent: false }',
    tests: ['identity/src/parts/codes/code-delivery.test.ts'],
  },
  {
    name: 'an address at which the mail server hangs takes a place of the others',
    file: 'platform/src/mail/queue.ts',
    before: '    slow: SLOW,\n',
    after: '',
    tests: [mails],
  },
  {
    name: 'a mail that its address refuses for good is tried again',
    file: 'platform/src/mail/fault.ts',
    before: 'const FIRST_PERMANENT_CODE = 500',
    after: 'const FIRST_PERMANENT_CODE = 600',
    tests: [mails],
  },
  {
    name: 'the creator of a refused mail learns nothing',
    file: 'platform/src/mail/queue.ts',
    before: 'if (origin) await tell?.(trx, origin, isRefused)',
    after: '',
    tests: [mails, 'server/src/refused-mails.test.ts'],
  },
  {
    name: 'a mail that cannot be delivered is tried for ever',
    file: 'platform/src/mail/queue.ts',
    before: 'return clock.now().getTime() - Date.parse(createdAt) > GIVEN_UP_AFTER_MS',
    after: 'return clock.now().getTime() - Date.parse(createdAt) < 0',
    tests: [mails],
  },
  {
    name: 'a claim of a clock that was ahead holds its row',
    file: `${queues}/times-ahead.ts`,
    before:
      'const count = await database.transaction(async (trx) => await bringForward(trx, table, { now, latest, claims }))',
    after:
      'const count = claims < 0 ? await database.transaction(async (trx) => await bringForward(trx, table, { now, latest, claims })) : 0',
    tests: [`${queues}/queue.test.ts`, mails],
  },
  {
    name: 'a pause that a clock ahead of time wrote keeps a target waiting',
    file: `${queues}/deliveries.ts`,
    before: 'return retryAt > now && retryAt <= now + LONGEST_PAUSE_MS ? retryAt : now',
    after: 'return Math.max(retryAt, now)',
    tests: ['platform/src/queue/deliveries.test.ts'],
  },
  {
    name: 'a mail that a clock ahead of time has sent keeps its topic away',
    file: 'server/src/rooms/news/notifications/mail-queue.ts',
    before: `  if (isDue && (await claimMailTime(trx, { userId, topic }, { now: dueAt, since: dueAt - PAUSE_MS }))) return dueAt
  const lastAt = (await findMailTimes(trx, userId)).get(topic)
  const pauseEnd = lastAt === undefined || lastAt > now.getTime() ? dueAt : Math.max(dueAt, lastAt + PAUSE_MS)`,
    after: `  const lastAt = (await findMailTimes(trx, userId)).get(topic)
  const pauseEnd = lastAt === undefined ? dueAt : Math.max(dueAt, lastAt + PAUSE_MS)
  if (isDue && pauseEnd === dueAt) {
    await claimMailTime(trx, { userId, topic }, { now: dueAt, since: dueAt - PAUSE_MS })
    return dueAt
  }`,
    tests: [ahead],
  },
  {
    name: 'invitations that a clock ahead of time has mailed keep the next away',
    file: 'server/src/rooms/club/invitations/mails.ts',
    before: 'at > now - DAY_MS && at <= now + HOUR_MS',
    after: 'at > now - DAY_MS',
    tests: ['server/src/rooms/club/invitations/mails.test.ts'],
  },
  {
    name: 'a mark waits for a pause that a clock ahead of time wrote',
    file: 'server/src/rooms/movies/media-links/mark-store.ts',
    before: "then media_link.retry_at else cast(${value('now')} as bigint) end`",
    after: "then media_link.retry_at else cast(media_link.retry_at + 0 * ${value('now')} as bigint) end`",
    tests: ['server/src/rooms/movies/media-links/marks.test.ts'],
  },
  {
    name: 'both reminders of a night come together after an outage',
    file: `${activities}/service.ts`,
    before: 'return REMINDERS.some((other) => other.beforeMs < own.beforeMs && beforeMs <= other.beforeMs)',
    after: 'return REMINDERS.some((other) => other.beforeMs < own.beforeMs && beforeMs <= 0)',
    tests: [`${activities}/activities.test.ts`],
  },
  {
    name: 'a reminder of a night comes after the night has begun',
    file: `${activities}/queue.ts`,
    before: '!(activity.starts_at !== null && activity.starts_at <= now) && ',
    after: '',
    tests: [`${activities}/activities.test.ts`],
  },
  {
    name: 'a row that fails holds up all rows after it',
    file: `${queues}/performer.ts`,
    before: 'if (rows.length === 1) await retryLater(rows[0], error)',
    after: 'if (rows.length === 1) throw error',
    tests: [`${queues}/queue.test.ts`],
  },
  {
    name: 'a row that fails is tried again at once, before all others',
    file: `${queues}/performer.ts`,
    before: 'else for (const row of rows) await performAll([row])',
    after: 'else for (const row of rows) await retryLater(row, error)',
    tests: [`${queues}/queue.test.ts`],
  },
  {
    name: 'a server starts without its images',
    file: 'server/src/installation/installation.ts',
    before: 'if (isComplete && lost !== undefined) throw gone(lost.place, known)',
    after: '',
    tests: [installation, 'server/src/one-installation.process.test.ts'],
  },
  {
    name: 'a server starts with the images of another installation',
    file: 'server/src/installation/installation.ts',
    before: 'if (id !== undefined && other !== undefined && id !== other.id) throw',
    after: "if (id !== undefined && other !== undefined && id === '') throw",
    tests: [installation],
  },
  {
    name: 'a stream keeps its request in memory',
    file: 'platform/src/http/event-stream.ts',
    before: '        forget,\n        flushSoon,\n      })',
    after: '        forget: (gone) => void [request, forget(gone)],\n        flushSoon,\n      })',
    tests: [streams],
  },
  {
    name: 'a reader that takes nothing keeps its events in memory',
    file: 'platform/src/http/event-stream.ts',
    before: 'if (this.#socket.writableLength > MAX_BACKLOG_BYTES) this.#socket.destroy()',
    after: '',
    tests: [streams],
  },
  {
    name: 'a stop resets connections that wait to be accepted',
    file: 'platform/src/http/stop-accepting.ts',
    before: 'if (performance.now() >= giveUpAt || (await queue.fill())) return',
    after: 'if (giveUpAt > 0) return',
    tests: close,
  },
  {
    name: 'a stop drops the connections in the backlog',
    file: 'platform/src/http/close-gently.ts',
    before: "      app.server.emit('connection', socket)\n",
    after: '      socket.resetAndDestroy()\n',
    tests: close,
  },
  {
    name: 'a stop ends connections that look idle at once',
    file: 'platform/src/http/close-gently.ts',
    before: 'await Promise.race([closed, pause(graceMs, undefined, { ref: false })])',
    after: '',
    tests: close,
  },
  {
    name: 'a connection whose request was not read yet is ended as idle',
    file: 'platform/src/http/close-gently.ts',
    before: '    await poll()\n',
    after: '',
    tests: close,
  },
  {
    name: 'a process that is about to stop keeps its connections open',
    file: 'platform/src/http/close-gently.ts',
    before: "if (leaving?.aborted === true) reply.setHeader('connection', 'close')",
    after: '',
    tests: close,
  },
  {
    name: 'a test may measure how fast the machine is',
    file: '.oxlintrc.json',
    before: '"object": "performance",\n            "property": "now",',
    after: '"object": "performance",\n            "property": "toJSON",',
    tests: [clocks],
  },
  {
    name: 'the product may read the clock of the machine',
    file: '.oxlintrc.json',
    before: `    "no-restricted-properties": [
      "error",
      {
        "object": "Date",
        "property": "now",`,
    after: `    "no-restricted-properties": [
      "error",
      {
        "object": "Date",
        "property": "UTC",`,
    tests: [clocks],
  },
  {
    name: 'a wait of a test has the limit of Vitest',
    file: 'server/src/library-secrecy.test.ts',
    before: '.state === state, {\n        timeout: 30_000,\n        interval: 10,\n      })',
    after: '.state === state)',
    tests: ['tools/checks/vitest-calls.test.ts'],
  },
  {
    name: 'an earlier version drops what a later one has kept on the device',
    file: `${outbox}/machine.ts`,
    before: 'if (isFree && knows(item.action)) return item',
    after: 'if (isFree) return item',
    tests: [`${outbox}/outbox.test.ts`],
  },
  {
    name: 'answers to one night overtake each other on their way from a device',
    file: `${outbox}/machine.ts`,
    before: "if ('nightId' in action) return `night ${action.nightId}`",
    after: '',
    tests: [`${outbox}/outbox.test.ts`],
  },
  {
    name: 'a session that ended by itself in another tab is taken for a sign-out',
    file: 'web/src/session/session-store.ts',
    before: "because !== 'none' && lastSignOut() !== before ? 'left' : because",
    after: "because === 'expired' ? 'left' : because",
    tests: ['web/src/session/session-store.test.ts'],
  },
  {
    name: 'a comment that is being sent is offered to be sent again',
    file: `${movies}/comments/comment-area.tsx`,
    before: 'isPending(one) && one.content === text?.trim()',
    after: 'isPending(one) && one.content === text',
    tests: [`${movies}/comments/comment-area.test.tsx`],
  },
  {
    name: 'a movie that is being sent is offered to be sent again',
    file: `${movies}/form/card-forms.tsx`,
    before: 'isAdding() ? undefined : draft.read()',
    after: 'draft.read()',
    tests: [`${movies}/section/add-movie.test.tsx`],
  },
  {
    name: 'a file that was replaced by another one says that it failed',
    file: `${movies}/form/image-choice.tsx`,
    before: 'if (latest.current !== file) return',
    after: '',
    tests: [`${movies}/form/add-movie-form.test.tsx`],
  },
  {
    name: 'a streaming service that was not saved stays chosen',
    file: 'web/src/features/club/profile-edit/service-choice.tsx',
    before: 'all.filter((one) => one !== change)',
    after: 'all',
    tests: ['web/src/features/club/profile-edit/service-choice.test.tsx'],
  },
  {
    name: 'an upload that is all sent ends with its screen',
    file: 'web/src/ui/image-upload.tsx',
    before: 'leave.current = sent < 1 ? () => stop.abort() : undefined',
    after: 'leave.current = () => stop.abort()',
    tests: ['web/src/ui/image-upload.test.tsx'],
  },
  {
    name: 'what waits behind a refused change is not sent',
    file: `${outbox}/outbox.ts`,
    before: 'await noteDone()\n          sendSoon()',
    after: 'await noteDone()',
    tests: [`${outbox}/outbox.test.ts`],
  },
  {
    name: 'a change of the master key leaves push devices under the old one',
    file: 'server/src/sealed-columns.ts',
    before: '  { ...SEALED_DEVICES, keyFrom: pushKey },\n',
    after: '',
    tests: ['server/src/sealed-columns.test.ts', 'tools/checks/sealed.test.ts'],
  },
  {
    name: 'a backup has only the images that are there after the copy of its database',
    file: `${backup}/make-backup.ts`,
    before: '    await keepImages()\n    const rows',
    after: '    const rows',
    tests: [`${backup}/make-backup.test.ts`],
  },
  {
    name: 'verifying a backup unpacks its images',
    file: `${backup}/restore-backup.ts`,
    before: "(entry.type === 'File' || entry.type === 'Directory') && !leaveOut(path)",
    after: "(entry.type === 'File' || entry.type === 'Directory')",
    tests: [`${backup}/make-backup.test.ts`],
  },
  {
    name: 'a killed attempt of the schedule leaves its copy of the database for a day',
    file: `${backup}/make-backup.ts`,
    before: "isDraft(file, dataDir) ? 'scheduled' : 'backup'",
    after: "'backup'",
    tests: [`${backup}/make-backup.test.ts`],
  },
  {
    name: 'backups dated in the future count as the newest',
    file: `${backup}/kept-backups.ts`,
    before:
      'return [...backups.filter(({ madeAt }) => madeAt <= now), ...backups.filter(({ madeAt }) => madeAt > now)]',
    after: 'return [...backups.filter(({ madeAt }) => madeAt > now), ...backups.filter(({ madeAt }) => madeAt <= now)]',
    tests: [`${backup}/bucket-place.test.ts`],
  },
  {
    name: 'a sweep that holds back its removals restores nothing',
    file: 'server/src/rooms/movies/images/sweep.ts',
    before: 'if (isHeldBack) return { removed: 0, ...emptied, heldBack: unusedCount }',
    after: 'if (isHeldBack) return { removed: 0, restored: 0, deleted: 0, heldBack: unusedCount }',
    tests: ['server/src/rooms/movies/images/sweep.test.ts'],
  },
  {
    name: 'a shutdown waits for the clean-up of a bucket that hangs',
    file: `${backup}/regular-backup.ts`,
    before: 'return await Promise.race([work, ended.promise])',
    after: 'return await work',
    tests: [`${backup}/regular-backup.test.ts`],
  },
  {
    name: 'a poster that the catalogue may not be asked for yet counts as an attempt',
    file: 'server/src/rooms/movies/posters/copying.ts',
    before: 'Math.max(earliest, next), { isUncounted: true })',
    after: 'Math.max(earliest, next))',
    tests: ['server/src/rooms/movies/posters/pictures.test.ts'],
  },
  {
    name: 'an import joins movies whose ids differ',
    file: `${imports}/parse.ts`,
    before: "compareNamesakes(one.movie, other.movie) !== 'different'",
    after: "compareNamesakes(one.movie, other.movie) !== 'unknown'",
    tests: [`${imports}/parse.test.ts`],
  },
  {
    name: 'an import brings the first rating of a movie',
    file: `${imports}/rows.ts`,
    before: 'const rating = rated.find(({ seenOn }) => seenOn === null) ?? rated[0]',
    after: 'const rating = marks.find(({ halfStars }) => halfStars !== null)',
    tests: [`${imports}/parse.test.ts`, `${imports}/imports.test.ts`],
  },
  {
    name: 'a message of a webhook quotes half a character',
    file: 'server/src/rooms/news/webhooks/content.ts',
    before: 'shorten(content, MAX_QUOTE_LENGTH)',
    after: 'content.slice(0, MAX_QUOTE_LENGTH)',
    tests: ['server/src/rooms/news/webhooks/webhooks.test.ts'],
  },
  {
    name: 'a member who joins before a night is saved gets no mail',
    file: `${nights}/plan/mails.ts`,
    before: 'if (asked && members?.some(',
    after: 'if (asked === null && members?.some(',
    tests: [`${nights}/routes.test.ts`],
  },
  {
    name: 'an upgrade leaves from where guests joined a night',
    file: 'server/src/migrations/0082-traces-of-ended-nights.ts',
    before: 'set device_hash = null, address_hash = null',
    after: 'set device_hash = device_hash, address_hash = address_hash',
    tests: [`${nights}/passes/guests.test.ts`],
  },
  {
    name: 'what a member says while a link has ended is lost',
    file: 'server/src/rooms/movies/media-links/mark-store.ts',
    before: "const HEARD = ['linked', 'ended'] as const",
    after: "const HEARD = ['linked'] as const",
    tests: ['server/src/rooms/movies/media-links/marks.test.ts'],
  },
  {
    name: 'a mark that a media server forbids for the moment ends the link',
    file: 'server/src/rooms/movies/media-servers/adapters/client.ts',
    before: 'if (answer.status === 403) throw new NotAllowed(',
    after: 'if (answer.status === 402) throw new NotAllowed(',
    tests: ['server/src/rooms/movies/media-links/marks.test.ts'],
  },
  {
    name: 'members see a key that was in the address of a media server',
    file: 'server/src/rooms/movies/media-servers/service.ts',
    before: 'const [url, openUrl] = [baseOf(entered.url), pageOf(entered.openUrl)]',
    after: 'const [url, openUrl] = [baseOf(entered.url) && entered.url, pageOf(entered.openUrl)]',
    tests: ['server/src/rooms/movies/media-servers/media-servers.test.ts'],
  },
  {
    name: 'a media server that repeats its movies in each library is read on and on',
    file: 'server/src/rooms/movies/media-servers/adapters/plex.ts',
    before: 'yield* pagesOf(reading, readPage, PlexItem)',
    after: 'yield* pagesOf({ ...reading }, readPage, PlexItem)',
    tests: ['server/src/rooms/movies/media-servers/adapters/adapters.test.ts'],
  },
  {
    name: 'a media server is read beyond 64 MB',
    file: 'server/src/rooms/movies/media-servers/adapters/client.ts',
    before: 'if (pageOf) pageOf.bytesLeft -= answer.bytes.length',
    after: 'if (pageOf) pageOf.bytesLeft -= 1',
    tests: ['server/src/rooms/movies/media-servers/adapters/adapters.test.ts'],
  },
  {
    name: 'a movie without an answer holds up the other movies of its box',
    file: 'server/src/rooms/movies/availability/box-queue.ts',
    before: 'if (!(error instanceof UnexpectedAnswer)) throw error',
    after: 'if (error !== undefined) throw error',
    tests: ['server/src/rooms/movies/availability/box-queue.test.ts'],
  },
  {
    name: 'a movie without an answer stops the questions about all others',
    file: 'server/src/rooms/movies/availability/unanswered.ts',
    before: 'errors.length >= SEVERAL && answered === 0',
    after: 'errors.length > 0',
    tests: ['server/src/rooms/movies/availability/availability.test.ts'],
  },
  {
    name: 'a movie that a media server fails to mark holds up the later marks of its user',
    file: 'server/src/rooms/movies/media-links/mark-store.ts',
    before: "  attempts: 'attempts',\n  fewestFirst: true,\n",
    after: "  attempts: 'attempts',\n",
    tests: ['server/src/rooms/movies/media-links/marks.test.ts'],
  },
  {
    name: 'a refused token ends the link that the member has made since',
    file: 'server/src/rooms/movies/media-links/store.ts',
    before: ".where('token', link.token === null ? 'is' : '=', link.token)",
    after: ".where('state', '=', link.token === null ? 'ended' : 'linked')",
    tests: ['server/src/rooms/movies/media-links/marks.test.ts'],
  },
  {
    name: 'a movie that is marked here already is not marked at the other servers once it was played',
    file: 'server/src/rooms/movies/media-links/reports.ts',
    before: "if (isNew) happened('viewing.changed', { cardId })",
    after: "if (!isNew) return false\n      happened('viewing.changed', { cardId })",
    tests: ['server/src/rooms/movies/media-links/marks.test.ts'],
  },
]
