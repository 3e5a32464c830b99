import { invalidParameter } from '../wire/refusals.ts'

/** The purpose of the codes that prove an attribute. @throws InvalidParameterException for one that cannot be proven. */
export function readProvable(attributeName: string): 'email' | 'phone' {
  if (attributeName === 'email') return 'email'
  if (attributeName === 'phone_number') return 'phone'
  throw invalidParameter('Invalid attribute name. Only phone_number and email can be verified.')
}
