declare const shape: unique symbol

/**
 * A reply of the given type as finished JSON. It is sent as it is, without a check of its schema. For replies of many
 * rows whose JSON comes from the database; tests check them against the schema.
 */
export class ReadyJson<T> {
  declare readonly [shape]: T
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
