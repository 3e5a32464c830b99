import { type S3Client, S3ServiceException } from '@aws-sdk/client-s3'

import { Outage } from '../runtime/outage.ts'
import { reasonOf } from '../runtime/reason-of.ts'

/** `inTime` returns the options that end a call after its time, or when `signal` is aborted. */
export type OpenBucket = {
  readonly client: S3Client
  readonly Bucket: string
  readonly inTime: (signal?: AbortSignal) => { abortSignal: AbortSignal }
}

/** The answer of a bucket. @throws {Outage} if there is none, or a refusal */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new Outage(`The bucket failed: ${hindranceOf(error)}`, { of: 'images', cause: error })
  }
}

/** The same, or undefined if what was asked for is not there. */
export async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const looked = ask().catch((error: unknown) => {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
    throw error
  })
  return await asked(looked)
}

/** Why a call failed, in words for an operator. */
export function hindranceOf(error: unknown): string {
  if (!(error instanceof S3ServiceException)) return reasonOf(error)
  const status = error.$metadata.httpStatusCode
  if (status === 404) return 'there is no such bucket'
  if (status === 403) return 'these keys may not use it'
  // The status of a call that was signed for, or sent to, another region.
  if (status === 301 || status === 400) return `it answers ${status}: is it in another region (S3_REGION)?`
  return status === undefined ? reasonOf(error) : `it answers ${status}`
}
