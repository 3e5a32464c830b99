import { AsyncLocalStorage } from 'node:async_hooks'

import type { Database } from '@marquee/platform/database/database'
import { listenTo } from '@marquee/platform/testing/listen-to-statements'

import type { Ports } from '../ports.ts'
import { anApp, type TestApp } from './start-app.ts'

/** `for update` only locks. */
const CHANGES_ROWS = /\b(?:insert\s+into|delete\s+from)\b|(?<!\bfor (?:no key )?)\bupdate\b/iu

function changesRows(text: string, changed?: bigint): boolean {
  return CHANGES_ROWS.test(text) && changed !== 0n
}

type ObservedApp = {
  theApp: () => TestApp
  /**
   * The committed statements of an act that change rows, of any table. A test that nothing changes by a refused call sees
   * more with it than by reading what the call could have changed, and a call costs a tenth.
   */
  changesDuring: (act: () => Promise<unknown>) => Promise<readonly string[]>
}

/** `anApp`, whose writes a test can see. */
export function anObservedApp(theDatabase: () => Database<unknown>, ports: Partial<Ports> = {}): ObservedApp {
  const changes = new AsyncLocalStorage<string[]>()
  return {
    theApp: anApp(() => observed(theDatabase(), (texts) => changes.getStore()?.push(...texts)), ports),
    changesDuring: async (act) => {
      const texts: string[] = []
      await changes.run(texts, act)
      return texts
    },
  }
}

/** The same database, which reports the texts of statements that change rows once they are committed. */
function observed(database: Database<unknown>, onCommit: (texts: readonly string[]) => void): Database<unknown> {
  const watched: Database<unknown> = {
    ...database,
    read: listenTo(database.read, (text, changed) => {
      if (changesRows(text, changed)) onCommit([text])
    }),
    transaction: async (work, options) => {
      let texts: string[] = []
      const result = await database.transaction(async (trx) => {
        // PostgreSQL may repeat the work.
        texts = []
        const note = (text: string, changed?: bigint) => void (changesRows(text, changed) && texts.push(text))
        return await work(listenTo(trx, note))
      }, options)
      onCommit(texts)
      return result
    },
    withTables: <Other>() => watched as unknown as Database<Other>,
  }
  return watched
}
