import type { Entry, Identity } from '@marquee/identity'

import { Refused } from './with-instance.ts'

/** @throws Refused if no user has this username, address or id. */
export async function requireUser({ directory }: Identity, name: string): Promise<Entry> {
  const user = await directory.find(name)
  if (!user) throw new Refused(`There is no user ${name}.`)
  return user
}
