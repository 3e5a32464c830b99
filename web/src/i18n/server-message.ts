/** Undefined for a message without a translation. */
type Translate = (message: string) => string | undefined

/** Undefined while the page is in English, the language of the server's messages. */
let translate: Translate | undefined

/** Called before the first screen is shown, unless the page is in English. */
export function translateServerMessages(given: Translate | undefined): void {
  translate = given
}

/** What precedes a message for programs: the field that it is about, such as `times: ` or `groups.nights: `. */
const FIELD = /^[a-z][\w.]*: /u

/** How a schema begins its messages, such as `Too big: expected string to have <=300 characters`. */
const OF_A_SCHEMA = /^(?:Too|Invalid) /u

/** A message of the server in the language of the page. For one that is not for users, `standard` takes its place. */
export function serverMessage(message: string, standard: string): string {
  if (translate) return translate(message) ?? translate(standard) ?? standard
  const sentence = message.replace(FIELD, '')
  return sentence !== message && OF_A_SCHEMA.test(sentence) ? standard : sentence
}
