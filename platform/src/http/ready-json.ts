declare const shape: unique symbol

/**
 * The JSON of a reply of the given type, made already: it is sent as it is, and its schema is not looked at again. For
 * replies of many rows whose JSON comes from the database; tests hold them to the schema.
 */
export class ReadyJson<T> {
  declare readonly [shape]: T
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
