import '#web/i18n/auth-screens-texts.ts'
// Who signs in needs none of them.
export { Component as Confirm } from './confirm.tsx'
export { Component as Verify } from './verify.tsx'
