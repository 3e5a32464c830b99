import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'
import { createSeats } from '@marquee/platform/limits/seats'
import type { Logger } from '@marquee/platform/runtime/logger'
import { Outage } from '@marquee/platform/runtime/outage'

import { acceptedTypeOf } from './header.ts'
import type { ImageSize } from './names.ts'

export type Rendition = { readonly width: number; readonly bytes: Buffer }

/** The messages to and from the process. `ready` comes once, before the first answer. */
export type DecodeRequest = { readonly bytes: Buffer; readonly sizes: readonly ImageSize[]; readonly maxPixels: number }
export type DecodeAnswer = 'ready' | { readonly renditions: readonly Rendition[] } | { readonly refusal: string }

/** The bytes are not an accepted image, or decoding them took too much time or memory. */
export class UndecodableImage extends Error {
  override readonly name = 'UndecodableImage'
}

/** Too many images are waiting, of this owner or in total. */
export class DecoderBusy extends Error {
  override readonly name = 'DecoderBusy'
}

export type ImageDecoder = {
  /**
   * Decodes an image once and encodes it as WebP, without metadata, in each of the sizes. One image is decoded at a time.
   * @throws {UndecodableImage}
   * @throws {DecoderBusy}
   */
  render: (bytes: Buffer, sizes: readonly ImageSize[], owner: string) => Promise<readonly Rendition[]>
  stop: () => void
}

type DecoderOptions = {
  readonly logger: Logger
  /** For one image. */
  readonly timeLimitMs?: number
  /** Of the whole process, which uses 120 MB without an image and at most 400 MB with one of 24 megapixels. */
  readonly memoryLimitMb?: number
  /** How long an idle process stays alive. */
  readonly idleMs?: number
}

const PROGRAM = join(import.meta.dirname, 'decode-process.mjs')
const STARTS_WITHIN_MS = 20_000
const WAITING = 30
const WAITING_PER_OWNER = 3

/**
 * Decodes images in a child process, because native code can only be stopped by ending its process. The process is killed
 * when an image takes too long, and the operating system limits its memory. It starts with the first image.
 */
export function createImageDecoder(options: DecoderOptions): ImageDecoder {
  const { logger, timeLimitMs = 20_000, memoryLimitMb = 512, idleMs = 60_000 } = options
  const seats = createSeats({ total: WAITING, perOwner: WAITING_PER_OWNER })
  let worker: DecodeProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let previous: Promise<unknown> = Promise.resolve()

  function stop(): void {
    clearTimeout(idle)
    worker?.kill()
    worker = undefined
  }

  async function decode(request: DecodeRequest): Promise<readonly Rendition[]> {
    clearTimeout(idle)
    if (!worker || worker.hasEnded()) worker = startProcess(memoryLimitMb)
    try {
      return await worker.ask(request, timeLimitMs)
    } catch (error) {
      if (error instanceof ProcessEnded) {
        logger.warn(
          { bytes: request.bytes.length },
          'decoding of an image was stopped: it took too much time or memory',
        )
        throw new UndecodableImage('The process ended', { cause: error })
      }
      throw error
    } finally {
      idle = setTimeout(stop, idleMs).unref()
    }
  }

  return {
    render: async (bytes, sizes, owner) => {
      if (acceptedTypeOf(bytes) === undefined) throw new UndecodableImage('The header is not that of an accepted image')
      const free = seats.take(owner)
      if (!free) throw new DecoderBusy('Too many images are waiting')
      const turn = previous.then(async () => await decode({ bytes, sizes, maxPixels: MAX_IMAGE_PIXELS }))
      previous = turn.catch(() => undefined).finally(free)
      return await turn
    },
    stop,
  }
}

/** The process ended while it decoded an image. */
class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
}

type DecodeProcess = {
  hasEnded: () => boolean
  kill: () => void
  /** @throws {UndecodableImage} @throws {ProcessEnded} @throws {Outage} if the process cannot be started. */
  ask: (request: DecodeRequest, timeLimitMs: number) => Promise<readonly Rendition[]>
}

function startProcess(memoryLimitMb: number): DecodeProcess {
  const child = spawnLimited(memoryLimitMb)
  const ended = new AbortController()
  child.once('exit', (code, signal) => {
    ended.abort(`ended with ${signal ?? code}`)
  })
  child.on('error', (error) => {
    ended.abort(error)
  })
  // The server may exit while the decoder is idle.
  child.unref()
  child.channel?.unref()

  const kill = (): void => void child.kill('SIGKILL')

  async function answerWithin(ms: number): Promise<DecodeAnswer> {
    const deadline = setTimeout(kill, ms)
    try {
      const [message] = (await once(child, 'message', { signal: ended.signal })) as [DecodeAnswer]
      return message
    } finally {
      clearTimeout(deadline)
    }
  }
  const ready = answerWithin(STARTS_WITHIN_MS).catch(
    (cause: unknown) => new Outage('The image decoder does not start', { of: 'images', cause }),
  )

  return {
    hasEnded: () => ended.signal.aborted,
    kill,
    ask: async (request, timeLimitMs) => {
      const state = await ready
      if (state instanceof Outage) throw state
      child.send(request)
      const given = await answerWithin(timeLimitMs).catch((cause: unknown) => {
        throw new ProcessEnded('The image decoder ended', { cause })
      })
      if (given === 'ready') throw new Error('The image decoder says twice that it is ready')
      if ('refusal' in given) throw new UndecodableImage(given.refusal)
      return given.renditions
    },
  }
}

/**
 * Without a JIT compiler V8 reserves little memory, so the limit is effectively one for images. If the machine runs out of
 * memory, the kernel kills this process first. The environment has secrets, so the process does not get it.
 */
function spawnLimited(memoryLimitMb: number): ChildProcess {
  const program = [process.execPath, '--jitless', PROGRAM]
  const limit = `ulimit -d ${memoryLimitMb * 1024}; echo 1000 >/proc/self/oom_score_adj; exec "$0" "$@"`
  const [command, ...args] = process.platform === 'win32' ? program : ['/bin/sh', '-c', limit, ...program]
  return spawn(command ?? '', args, {
    env: { UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}
