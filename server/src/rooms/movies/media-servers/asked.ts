import { Problem } from '@marquee/contract/problems'

import { MediaServerFault, type MediaServerPort } from './adapters/port.ts'
import { sentenceOf } from './faults.ts'
import type { ServerRow } from './store.ts'
import { connectTo, type MediaServerOptions } from './target.ts'

export const LOST = 'The address of this media server is lost: disconnect it and connect it again'

/**
 * Runs calls of a media server for someone who waits.
 * @throws {Problem} BAD_REQUEST with the sentence of its fault, and with its kind as `fault`.
 */
export async function asked<T>(calls: () => Promise<T>): Promise<T> {
  try {
    return await calls()
  } catch (error) {
    if (error instanceof MediaServerFault) throw problemOf(error)
    throw error
  }
}

function problemOf(fault: MediaServerFault): Problem {
  return new Problem('BAD_REQUEST', sentenceOf(fault), { fault: fault.kind })
}

/**
 * Calls of a server by its key, for someone who waits. The key only goes to the machine that was connected.
 * @throws {Problem} BAD_REQUEST with the fault of the server, or if its address is lost.
 */
export async function askByKey<T>(
  options: MediaServerOptions,
  row: ServerRow,
  lastsMs: number,
  calls: (port: MediaServerPort, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const port = connectTo(options, row)?.server
  if (!port) throw new Problem('BAD_REQUEST', LOST)
  return await asked(async () => {
    const signal = AbortSignal.timeout(lastsMs)
    await meetAgain(port, row, signal)
    return await calls(port, signal)
  })
}

/** The version of a server. @throws {MediaServerFault} `other-server` if it is not the one that was connected. */
export async function meetAgain(port: MediaServerPort, row: ServerRow, signal: AbortSignal): Promise<string> {
  const { machineId, version } = await port.meet(signal)
  if (machineId !== row.machine_id) throw anotherMachine()
  return version
}

/** @throws {Problem} BAD_REQUEST if another machine has taken the place of a server since it was asked. */
export function requireSameMachine(then: ServerRow, now: ServerRow): void {
  if (then.machine_id !== now.machine_id) throw problemOf(anotherMachine())
}

function anotherMachine(): MediaServerFault {
  return new MediaServerFault('other-server', 'another machine')
}
