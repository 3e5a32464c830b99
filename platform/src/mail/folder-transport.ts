import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { composeMail } from './compose.ts'
import type { MailTransport } from './message.ts'

/**
 * Mail without a mail server: one `.eml` file per message, and the text on the terminal. A repeated delivery writes the
 * same file.
 */
export function folderTransport(options: {
  folder: string
  from: string
  print: (text: string) => void
}): MailTransport {
  return {
    deliver: async (id, message) => {
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      const draft = join(options.folder, `.${id}.draft`)
      await writeFile(draft, await composeMail(id, options.from, message), { mode: 0o600 })
      await rename(draft, join(options.folder, `${id}.eml`))
      options.print(`Mail to ${message.to}: ${message.subject}\n\n${message.text}\n`)
    },
  }
}
