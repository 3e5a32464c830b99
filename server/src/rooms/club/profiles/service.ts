import type { Profile } from '@marquee/contract/entities/profile'
import type { Language } from '@marquee/contract/languages'
import { Problem } from '@marquee/contract/problems'

import { findCurrentWatchlist, requireServices, type ServicePorts, type WatchlistPorts } from '../watchlists/service.ts'
import { presentProfile } from './present.ts'
import {
  findPerson,
  lockPerson,
  readServices,
  saveAvatar,
  saveLanguage,
  saveServices,
  type User,
} from '../people/service.ts'

export type ProfilePorts = WatchlistPorts & {
  readonly images: {
    keepUpload: (dataUrl: string, kind: 'avatar', userId: string) => Promise<string>
    avatarPathOf: (hash: string) => string
  }
  readonly accounts: { findUser: (username: string) => Promise<User | undefined> }
  readonly publicUrl: string
}

type OwnProfilePorts = Pick<ProfilePorts, 'database' | 'publicUrl'> & {
  readonly images: Pick<ProfilePorts['images'], 'avatarPathOf'>
}

/** The caller's profile, with the current watchlist. */
export async function getOwnProfile(ports: OwnProfilePorts, user: User): Promise<Profile> {
  const row = await findPerson(ports.database.read, user.userId)
  const currentWatchlistId = (await findCurrentWatchlist(ports, user)) ?? null
  const profile = { username: user.username, avatarUrl: avatarUrlOf(ports, row), currentWatchlistId }
  return {
    ...presentProfile(profile, ports.publicUrl),
    ...(row?.language && { language: row.language }),
    ...(row?.services && { services: readServices(row.services) }),
  }
}

/**
 * The profile of the user with this username, compared without case. The current watchlist of another user is private.
 * @throws {Problem} NOT_FOUND.
 */
export async function getProfile(ports: ProfilePorts, viewer: User, username: string): Promise<Profile> {
  const person = await getPerson(ports, username)
  if (person.userId === viewer.userId) return await getOwnProfile(ports, person)
  const avatarUrl = await findAvatarUrl(ports, person)
  return presentProfile({ username: person.username, avatarUrl, currentWatchlistId: null }, ports.publicUrl)
}

/** The URL of a user's avatar; null without one. @throws {Problem} NOT_FOUND. */
export async function getAvatarUrl(ports: ProfilePorts, username: string): Promise<string | null> {
  return await findAvatarUrl(ports, await getPerson(ports, username))
}

/** @throws {Problem} BAD_REQUEST if the upload is not an image; SERVICE_UNAVAILABLE. */
export async function setAvatar(ports: ProfilePorts, user: User, imageData: string): Promise<Profile> {
  const hash = await ports.images.keepUpload(imageData, 'avatar', user.userId)
  await ports.database.transaction(async (trx) => {
    await lockPerson(trx, user)
    await saveAvatar(trx, user.userId, hash)
  })
  return await getOwnProfile(ports, user)
}

/** Does nothing if there is no avatar. */
export async function removeAvatar({ database }: ProfilePorts, user: User): Promise<void> {
  await database.transaction(async (trx) => await saveAvatar(trx, user.userId, null))
}

/** Stores the language of a user. With null, each of their browsers decides. */
export async function chooseLanguage(ports: ProfilePorts, user: User, language: Language | null): Promise<Profile> {
  await ports.database.transaction(async (trx) => {
    await lockPerson(trx, user)
    await saveLanguage(trx, user.userId, language)
  })
  return await getOwnProfile(ports, user)
}

/** Stores the streaming services of a user. @throws {Problem} NOT_FOUND while none are looked up. */
export async function chooseServices(
  ports: ProfilePorts & ServicePorts,
  user: User,
  services: readonly number[],
): Promise<Profile> {
  requireServices(ports)
  await ports.database.transaction(async (trx) => {
    await lockPerson(trx, user)
    await saveServices(trx, user.userId, [...new Set(services)])
  })
  return await getOwnProfile(ports, user)
}

async function getPerson({ accounts }: ProfilePorts, username: string): Promise<User> {
  const person = await accounts.findUser(username)
  if (!person) throw new Problem('NOT_FOUND')
  return person
}

async function findAvatarUrl(ports: OwnProfilePorts, { userId }: User): Promise<string | null> {
  return avatarUrlOf(ports, await findPerson(ports.database.read, userId))
}

function avatarUrlOf({ images }: Pick<OwnProfilePorts, 'images'>, person: Awaited<ReturnType<typeof findPerson>>) {
  const hash = person?.avatar_hash ?? null
  return hash === null ? null : images.avatarPathOf(hash)
}
