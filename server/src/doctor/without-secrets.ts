import { SECRETS } from '../settings/settings.ts'

/** Shorter ones would be found in every other word. */
const SHORTEST = 4
const ADDRESS = /^[a-z]+:\/\//u
const NAMES = [...SECRETS, 'MASTER_KEY']

/** The text without the values of secret settings, which a service may repeat in its reply. */
export function withoutSecrets(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const secrets = NAMES.flatMap((name) => valuesOf(environment[name] ?? ''))
    .flatMap(partsOf)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length)
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}

/** The values of a list. An address may have commas in its password, and between its hosts. */
function valuesOf(text: string): string[] {
  return ADDRESS.test(text) ? [text] : text.split(',')
}

/** The value itself; or, if it is an address, its password as it is written and as it is sent. */
function partsOf(value: string): string[] {
  const password = /^[a-z]+:\/\/[^:/@]*:([^/?#]+)@/u.exec(value)?.[1]
  if (password === undefined) return ADDRESS.test(value) ? [] : [value]
  return [password, decoded(password)]
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
