/** Undefined for a message without a translation. */
type Translate = (message: string) => string | undefined

/** Undefined while the page is in English, the language of the server's messages. */
let translate: Translate | undefined

/** Called before the first screen is shown, unless the page is in English. */
export function translateServerMessages(given: Translate | undefined): void {
  translate = given
}

/** What precedes a message for programs: the field that it is about, such as `times: ` or `groups.nights: `. */
const FIELD = /^[a-z]\w*(?:\.\w+)*: /u

/** A message of the server in the language of the page. If it has no translation, `standard` takes its place. */
export function serverMessage(message: string, standard: string): string {
  return translate ? (translate(message) ?? translate(standard) ?? standard) : message.replace(FIELD, '')
}
