import { Problem } from '@marquee/contract/problems'

import { MediaServerFault } from './adapters/port.ts'
import { sentenceOf } from './faults.ts'

/**
 * Runs calls of a media server for someone who waits.
 * @throws {Problem} BAD_REQUEST with the sentence of its fault, and with its kind as `fault`.
 */
export async function asked<T>(calls: () => Promise<T>): Promise<T> {
  try {
    return await calls()
  } catch (error) {
    if (error instanceof MediaServerFault) throw new Problem('BAD_REQUEST', sentenceOf(error), { fault: error.kind })
    throw error
  }
}
