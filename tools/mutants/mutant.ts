/** A bug that is put into a copy of the tree. `before` occurs exactly once in the file. */
export type Mutant = {
  name: string
  file: string
  before: string
  after: string
  /** The tests nearest to the file. */
  tests: readonly string[]
}
