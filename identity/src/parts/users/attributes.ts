import type { z } from 'zod'

import { type CognitoError, invalidParameter, notAuthorized } from '../../base/errors/refusals.ts'
import { isEmailAddress } from '../../base/names.ts'
import type * as field from '../../base/requests/fields.ts'
import type { UserRow } from '../../base/tables.ts'

const READ_ONLY: ReadonlySet<string> = new Set(['sub', 'email_verified', 'phone_number_verified'])
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/u

/** The attributes a user may write. Empty text deletes; undefined keeps. */
export type WrittenAttributes = { email: string | undefined; phoneNumber: string | undefined }

/** Reads the attributes of a request. @throws InvalidParameterException, NotAuthorizedException. */
export function readAttributes(attributes: z.output<typeof field.attributes>): WrittenAttributes {
  checkAttributeNames(attributes.map(({ Name }) => Name))
  const written = new Map(attributes.map(({ Name, Value }) => [Name, Value ?? '']))
  const email = written.get('email')
  const phoneNumber = written.get('phone_number')
  if (email === '') throw emailRequired()
  if (email !== undefined && !isEmailAddress(email)) throw invalidParameter('Invalid email address format.')
  if (phoneNumber !== undefined && phoneNumber !== '' && !PHONE_NUMBER.test(phoneNumber)) {
    throw invalidParameter('Invalid phone number format.')
  }
  return { email, phoneNumber }
}

/** The attributes of the pool: `email`, which is required, and `phone_number`. */
export function checkAttributeNames(names: readonly string[]): void {
  for (const name of names) {
    if (READ_ONLY.has(name)) throw notAuthorized('A client attempted to write unauthorized attribute')
    if (name !== 'email' && name !== 'phone_number') throw schemaFault(unknownAttribute(name))
  }
}

export function emailRequired(): CognitoError {
  return schemaFault('email: The attribute is required ')
}

/** The attributes of a user; values are strings, `"true"` included. */
export function presentAttributes(user: UserRow): { Name: string; Value: string }[] {
  const attributes = [
    { Name: 'sub', Value: user.sub },
    { Name: 'email', Value: user.email },
    { Name: 'email_verified', Value: String(user.email_verified === 1) },
  ]
  if (user.phone_number === null) return attributes
  return [
    ...attributes,
    { Name: 'phone_number', Value: user.phone_number },
    { Name: 'phone_number_verified', Value: 'true' },
  ]
}

function unknownAttribute(name: string): string {
  return name.startsWith('custom:')
    ? `${name}: Attribute does not exist in the schema.`
    : `Type for attribute {${name}} could not be determined`
}

function schemaFault(clause: string): CognitoError {
  return invalidParameter(`Attributes did not conform to the schema: ${clause}`)
}

/** The purpose of the codes that verify an attribute. @throws InvalidParameterException for any other attribute. */
export function readProvable(attributeName: string): 'email' | 'phone' {
  if (attributeName === 'email') return 'email'
  if (attributeName === 'phone_number') return 'phone'
  throw invalidParameter('Invalid attribute name. Only phone_number and email can be verified.')
}
