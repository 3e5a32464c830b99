import { isMailAddress } from '@marquee/contract/rules/account'
import { systemRandom } from '@marquee/platform/runtime/random'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { testMails } from '../mails/test-mail.ts'
import { messageTransport } from '../message-transport.ts'
import { type Command, Misuse } from './command.ts'

/** Sends a mail at once, without the queue, so that the operator sees why it fails. */
export const mail: Command = {
  usage: 'mail test ADDRESS',
  summary: 'Sends a test mail with the mail server of the settings, and prints the reason of a failure.',
  run: async (args, settings) => {
    const [action, address = '', ...more] = args
    if (action !== 'test' || !isMailAddress(address) || more.length > 0) throw new Misuse('Give one e-mail address.')
    const message = testMails(settings.PUBLIC_URL)({ email: address, language: 'en' })
    try {
      await messageTransport(settings, console.log).deliver(systemRandom.uuid(), message)
    } catch (error) {
      throw new Refusal(`The mail was not sent: ${error instanceof Error ? error.message : String(error)}`)
    }
    console.log(
      settings.SMTP_URL === undefined
        ? 'No mail server is set, so the mail is in the outbox folder only. Set SMTP_URL.'
        : `The mail server has accepted a mail to ${address}.`,
    )
  },
}
