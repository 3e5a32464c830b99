// oxlint-disable-next-line typescript/triple-slash-reference -- declares a package, so it is not a module to import
/// <reference path="./s3rver.d.ts" />
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import S3rver from 's3rver'

export const S3_KEYS = { id: 'S3RVER', secret: 'S3RVER' }
export const S3_BUCKET = 'posters'

export type S3Server = {
  readonly url: string
  /** Every call gets this status and does not arrive, until `undefined` is set. */
  failWith: (status: number | undefined) => void
  /** Every reply stops after this many bytes of its body and stays open, until `undefined` is set. */
  holdAfter: (bytes: number | undefined) => void
  /** The number of calls so far, including failed ones. */
  calls: () => number
  /** Gets each call before it is answered. */
  watch: (onCall: (call: { method: string; path: string }) => void) => void
  /** The uploads in parts that were begun, and neither completed nor abandoned. */
  unfinishedUploads: () => Promise<string[]>
  stop: () => Promise<void>
}

/** An S3 endpoint with one empty bucket on a free port, behind a proxy that can fail on demand. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'marquee-s3-'))
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: S3_BUCKET, configs: [] }],
  })
  const { port } = await store.run()
  let failure: number | undefined
  let held: number | undefined
  let count = 0
  let onCall: (call: { method: string; path: string }) => void = () => undefined
  const uploads = join(directory, S3_BUCKET, '._S3rver_uploads')

  const front = createServer((incoming, answer) => {
    count += 1
    onCall({ method: incoming.method ?? '', path: incoming.url ?? '' })
    if (held === 0) return
    if (failure !== undefined) {
      incoming.resume()
      answer.writeHead(failure).end()
      return
    }
    const { method, url: path, headers } = incoming
    // The only call here that the store does not know.
    const abandoned = method === 'DELETE' ? new URL(path ?? '', 'http://s3').searchParams.get('uploadId') : null
    if (abandoned !== null) {
      void rm(join(uploads, basename(abandoned)), { recursive: true }).then(
        () => answer.writeHead(204).end(),
        () => answer.writeHead(404).end(),
      )
      return
    }
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      if (held === undefined) reply.pipe(answer)
      else reply.once('readable', () => answer.write(reply.read(held)))
    })
    onward.on('error', () => answer.destroy())
    // A client that left does not end its request.
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const address = front.address()
  if (address === null || typeof address === 'string') throw new Error('The front has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    failWith: (status) => {
      failure = status
    },
    holdAfter: (bytes) => {
      held = bytes
    },
    calls: () => count,
    watch: (watcher) => {
      onCall = watcher
    },
    unfinishedUploads: async () => await readdir(uploads).catch(() => []),
    stop: async () => {
      front.close()
      front.closeAllConnections()
      await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
