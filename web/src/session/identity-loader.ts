/**
 * The actions of the identity service, fetched when a form is about to need them: they are a large part of Amplify,
 * and no screen needs them to appear. Call it early, when a form gets the focus; the module is fetched once.
 */
export async function loadIdentity() {
  return import('./identity.ts')
}
