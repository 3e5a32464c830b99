/** The result of an action that is kept on this device until the server has it. */
export const KEPT = Symbol('kept')
export type Kept = typeof KEPT
