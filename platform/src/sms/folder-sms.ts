import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { SmsTransport } from './sms-message.ts'

/** Text messages without a gateway: one `.sms.txt` file per message, and the text on the terminal. */
export function folderSms({ folder, print }: { folder: string; print: (text: string) => void }): SmsTransport {
  return {
    deliver: async (id, { to, text }) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `.${id}.sms.draft`)
      await writeFile(draft, `To: ${to}\n\n${text}\n`, { mode: 0o600 })
      await rename(draft, join(folder, `${id}.sms.txt`))
      print(`SMS to ${to}: ${text}\n`)
    },
  }
}
