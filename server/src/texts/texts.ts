import { join } from 'node:path'

import { localesIn } from '@marquee/platform/texts/texts'

import type english from './locales/en.json'

/** The texts that the server sends: mails and calendar entries. Those of the user pool are in `identity/src/base/mails`. */
export const LOCALES = localesIn<typeof english>(join(import.meta.dirname, 'locales'))
