import { join } from 'node:path'

import { Refusal } from '@marquee/platform/runtime/refusal'

import { isOnAmazon } from './amazon-accounts.ts'
import { keepFilesPrivate } from './data-dir.ts'
import { readServerSettings, type Settings } from './settings/settings.ts'
import { explainStartFailure } from './start-failure.ts'
import { start } from './start.ts'
import { PRODUCT_NAME } from './texts/product-name.ts'

const wasLinked = process.connected
/** A shutdown that takes longer is cut short. */
const SHUTDOWN_MS = 10_000
/** npm and the terminal pass on the same Ctrl+C several times; after this time it is a second request. */
const SAME_REQUEST_MS = 1_000

/**
 * On a signal, or when the parent process with an IPC channel is gone: finishes running requests and exits. Exits at once
 * after a time limit or on a second signal.
 */
function closeOnRequest(close: () => Promise<void>, mostMs: number): void {
  let askedAt: number | undefined
  const leave = (): void => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > SAME_REQUEST_MS) process.exit(1)
      return
    }
    askedAt = performance.now()
    setTimeout(() => {
      console.error('Some requests did not finish in time.')
      process.exit(1)
    }, mostMs).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, leave)
  process.on('disconnect', leave)
  // The parent ended before this listener was added.
  if (wasLinked && !process.connected) leave()
}

/** What reads the output may end first, such as a pager or a program that ships logs. The server goes on without it. */
function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
}

async function main(): Promise<void> {
  outliveReaders()
  keepFilesPrivate()
  let settings: Settings | undefined
  try {
    settings = readServerSettings(process.env)
    const { close, isNew, setupUrl } = await start(settings)
    closeOnRequest(close, settings.SHUTDOWN_LEAD * 1000 + SHUTDOWN_MS)
    console.log(`${PRODUCT_NAME} is open at ${settings.PUBLIC_URL}`)
    if (isNew && !isOnAmazon(settings)) {
      console.log(`No one has an account yet. Create the first one at ${setupUrl}`)
    }
    if (settings.SMTP_URL === undefined) {
      console.log(`Mail is printed here and written to ${join(settings.DATA_DIR, 'outbox')}.`)
    }
  } catch (error) {
    const sentence = error instanceof Refusal ? error.message : settings && explainStartFailure(error, settings)
    console.error(sentence ?? error)
    // Exits at once: an open connection would keep the process alive for as long as the other side likes.
    process.exit(1)
  }
}

await main()
