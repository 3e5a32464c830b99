import type { Call, Field, Fields, Surface } from './surface.ts'

/** What a program that works with `before` can no longer do or rely on with `now`, one sentence each. */
export function breaks(before: Surface, now: Surface): string[] {
  return [
    ...goneFrom('call', before.calls, now.calls),
    ...inBoth(before.calls, now.calls, (name, old, current) => breaksOfCall(name, old, current)),
    ...goneFrom('webhook', before.webhooks, now.webhooks),
    ...inBoth(before.webhooks, now.webhooks, (kind, old, current) => lessGiven(`webhook ${kind}`, old, current)),
    ...lessGiven('export', before.exports.written, now.exports.written),
    ...lessTaken('restore', before.exports.read, now.exports.read),
    ...breaksOfSettings(before.settings, now.settings),
  ]
}

function breaksOfCall(name: string, before: Call, now: Call): string[] {
  return [
    ...(before.status === now.status ? [] : [`${name} answers ${now.status} in place of ${before.status}`]),
    ...(before.guests && !now.guests ? [`${name} needs a sign-in`] : []),
    ...lessTaken(name, before.takes, now.takes),
    ...lessGiven(name, before.replies, now.replies),
  ]
}

/** What a caller sent and can no longer send, or must send now. */
function lessTaken(where: string, before: Fields, now: Fields): string[] {
  const added = Object.entries(now).flatMap(([path, field]) =>
    isRequiredAnew(path, field, before, now) ? [`${where} requires ${path}`] : [],
  )
  const narrower = inBoth(before, now, (path, old, current) => {
    const types = old.types.filter((type) => !current.types.includes(type) && !current.types.includes('any'))
    const values =
      current.values === undefined ? [] : (old.values ?? []).filter((one) => !current.values?.includes(one))
    return [
      ...types.map((type) => `${where} takes no ${type} as ${path}`),
      ...values.map((value) => `${where} takes no ${JSON.stringify(value)} as ${path}`),
      ...((current.most ?? Infinity) < (old.most ?? Infinity)
        ? [`${where} takes at most ${current.most} as ${path}`]
        : []),
      ...((current.least ?? -Infinity) > (old.least ?? -Infinity)
        ? [`${where} takes at least ${current.least} as ${path}`]
        : []),
    ]
  })
  return [...goneFields(where, 'takes', before, now), ...added, ...narrower]
}

/** A field in an object that is new itself is asked for only of those who send the object. */
function isRequiredAnew(path: string, field: Field, before: Fields, now: Fields): boolean {
  if (field.optional === true) return false
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('[]')))
  const old = before[path]
  if (old !== undefined) return old.optional === true
  return parent === '' || before[parent] !== undefined || !(parent in now)
}

/** What a reader relied on and no longer gets. New fields and new values are no break. */
function lessGiven(where: string, before: Fields, now: Fields): string[] {
  const weaker = inBoth(before, now, (path, old, current) => {
    const types = current.types.filter((type) => !old.types.includes(type) && !old.types.includes('any'))
    return [
      ...types.map((type) => `${where} gives ${type} as ${path}`),
      ...(current.optional === true && old.optional !== true ? [`${where} may lack ${path}`] : []),
    ]
  })
  return [...goneFields(where, 'gives', before, now), ...weaker]
}

/** Of an object that is gone, only the object. */
function goneFields(where: string, verb: string, before: Fields, now: Fields): string[] {
  const gone = Object.keys(before).filter((path) => !(path in now))
  return gone
    .filter((path) => !gone.some((other) => path.startsWith(`${other}.`) || path.startsWith(`${other}[]`)))
    .map((path) => `${where} no longer ${verb} ${path}`)
}

function breaksOfSettings(before: Surface['settings'], now: Surface['settings']): string[] {
  const required = Object.entries(now).flatMap(([name, { optional }]) =>
    optional === true || (name in before && before[name]?.optional !== true) ? [] : [`setting ${name} is required`],
  )
  const changed = inBoth(before, now, (name, old, current) => {
    const values =
      current.values === undefined ? [] : (old.values ?? []).filter((one) => !current.values?.includes(one))
    return [
      ...(old.standard === current.standard ? [] : [`setting ${name} is ${current.standard ?? 'empty'} by default`]),
      ...values.map((value) => `setting ${name} takes no ${JSON.stringify(value)}`),
    ]
  })
  return [...goneFrom('setting', before, now), ...required, ...changed]
}

function goneFrom(what: string, before: object, now: object): string[] {
  return Object.keys(before).flatMap((name) => (name in now ? [] : [`${what} ${name} is gone`]))
}

function inBoth<T>(
  before: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  compare: (name: string, old: T, current: T) => string[],
): string[] {
  return Object.entries(before).flatMap(([name, old]) => {
    const current = now[name]
    return current === undefined ? [] : compare(name, old, current)
  })
}
