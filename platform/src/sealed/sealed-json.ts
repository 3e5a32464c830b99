import type { KeyObject } from 'node:crypto'

import type { Random } from '../runtime/random.ts'
import { openText, sealText } from '../runtime/sealed-box.ts'
import type { SealedColumn } from './reseal.ts'
import type { SealedPlace } from './store.ts'

/** The current key first, then earlier ones. */
type Keys = readonly KeyObject[]

export function sealJson(keys: Keys, context: string, value: unknown, random: Random): string {
  return sealText(keys, context, Buffer.from(JSON.stringify(value)), random)
}

/** The same for a URL. `openJson` opens it, too. */
export function sealForUrl(keys: Keys, context: string, value: unknown, random: Random): string {
  return Buffer.from(sealJson(keys, context, value, random), 'base64').toString('base64url')
}

/** Undefined if no known key opens it. */
export function openJson(keys: Keys, context: string, sealed: string): unknown {
  const opened = openText(keys, context, sealed)
  return opened && JSON.parse(opened.content.toString())
}

/** How the values of an encrypted column are sealed and opened, and what a change of the master key needs. */
export type SealedJson<Key, Value> = {
  readonly column: SealedColumn
  readonly seal: (ports: { readonly keys: Keys; readonly random: Random }, key: Key, value: Value) => string
  /** Undefined if no known key opens it. */
  readonly open: (ports: { readonly keys: Keys }, key: Key, sealed: string) => Value | undefined
}

/** An encrypted column of JSON. A value is bound to `context` and the primary key of its row. */
export function sealedJson<Key extends Readonly<Record<keyof Key, string>>, Value>({
  key: columns,
  context,
  ...place
}: Omit<SealedPlace, 'key'> & {
  /** The columns of the primary key, by their names in `Key`. */
  readonly key: Readonly<Record<keyof Key, string>>
  readonly context: string
}): SealedJson<Key, Value> {
  const names = Object.keys(columns) as (keyof Key)[]
  const contextOf = (values: readonly string[]): string => [context, ...values].join(' ')
  const contextAt = (key: Key): string => contextOf(names.map((name) => key[name]))
  return {
    column: { ...place, key: names.map((name) => columns[name]), contextOf },
    seal: ({ keys, random }, key, value) => sealJson(keys, contextAt(key), value, random),
    open: ({ keys }, key, sealed) => openJson(keys, contextAt(key), sealed) as Value | undefined,
  }
}
