import { createHash, timingSafeEqual } from 'node:crypto'

import type { Body, ENDPOINTS, Reply } from '@marquee/contract/endpoints'
import { Problem } from '@marquee/contract/problems'
import { type Identity, RefusedRequest } from '@marquee/identity'
import type { MailMessage, MailTransport } from '@marquee/platform/mail/message'
import type { Random } from '@marquee/platform/runtime/random'

/** What the setup of an installation needs. */
export type SetupPorts = {
  random: Random
  /** Missing with Amazon Cognito, which has no setup here. */
  firstAccount: Identity['firstAccount'] | undefined
  /** Proves that the caller has seen the output of the first start. */
  setupCode: string
  /** Sends a mail at once, without the queue. */
  mailTransport: MailTransport
  /** Without one, the transport writes mails to files. */
  hasMailServer: boolean
  testMail: (mail: Pick<Body<typeof ENDPOINTS.sendTestMail>, 'email' | 'language'>) => MailMessage
}

/**
 * Rejects a caller who may not set up the installation. A local caller needs no code.
 * @throws {Problem} NOT_FOUND once there is an account, FORBIDDEN for a wrong code.
 */
export async function admitToSetup(
  { firstAccount, setupCode }: Pick<SetupPorts, 'firstAccount' | 'setupCode'>,
  { code, isLocal }: { code: string; isLocal: boolean },
): Promise<Identity['firstAccount']> {
  if (!firstAccount || !(await firstAccount.isMissing())) throw new Problem('NOT_FOUND')
  if (!isLocal && !timingSafeEqual(digest(code), digest(setupCode))) {
    throw new Problem('FORBIDDEN', 'This code is wrong')
  }
  return firstAccount
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** @throws {Problem} NOT_FOUND if another caller has created an account in the meantime. */
export async function createFirstAccount(
  firstAccount: Identity['firstAccount'],
  { username, email, password }: Body<typeof ENDPOINTS.createFirstAccount>,
): Promise<void> {
  const isCreated = await firstAccount.create({ username, email, password }).catch((error: unknown) => {
    if (error instanceof RefusedRequest) throw new Problem('BAD_REQUEST', error.message)
    throw error
  })
  if (!isCreated) throw new Problem('NOT_FOUND')
}

export async function sendTestMail(
  ports: Pick<SetupPorts, 'random' | 'mailTransport' | 'hasMailServer' | 'testMail'>,
  to: Pick<Body<typeof ENDPOINTS.sendTestMail>, 'email' | 'language'>,
): Promise<Reply<typeof ENDPOINTS.sendTestMail>> {
  try {
    await ports.mailTransport.deliver(ports.random.uuid(), ports.testMail(to))
  } catch (error) {
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
  return { outcome: ports.hasMailServer ? 'accepted' : 'kept', reason: null }
}
