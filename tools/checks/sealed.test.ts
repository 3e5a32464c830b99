import { expect, test } from 'vitest'

import { ALL_SEALED } from '../../server/src/sealed-columns.ts'
import { read, repositoryFiles } from './repository.ts'
import { parse, visit } from './syntax.ts'

/** The caller gives the result on. */
const ONWARD: readonly string[] = []
/** No column: those who get the value bring it back, or their own key opens it. */
const NOWHERE: readonly string[] = []

/** Every call that encrypts, with the columns that its result goes to. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'identity/src/base/keys/keyring.ts: seal': ONWARD,
  'identity/src/base/sealed/sealed-token.ts: seal': NOWHERE,
  'identity/src/base/sealed/sealed-token.ts: sealValue': NOWHERE,
  'identity/src/flows/operations/mfa.ts: sealSession': NOWHERE,
  'identity/src/flows/upkeep/keys.ts: sealForRow': ONWARD,
  'identity/src/flows/upkeep/lasting-keys.ts: sealForRow': ['identity_lasting_key.box'],
  'identity/src/parts/devices/device.ts: sealForRow': ['identity_device.verifier_box'],
  'identity/src/parts/mfa/totp.ts: sealForRow': ['identity_totp.secret_box'],
  'identity/src/parts/tokens/signing-keys.ts: sealForRow': ['identity_signing_key.private_box'],
  'identity/src/parts/users/password.ts: sealForRow': ['identity_user.verifier_box'],
  // With a key from the `Idempotency-Key` of the request.
  'platform/src/idempotency/request-key.ts: seal': NOWHERE,
  'platform/src/runtime/sealed-box.ts: seal': ONWARD,
  'platform/src/sealed/reseal.ts: sealText': ONWARD,
  'platform/src/sealed/sealed-json.ts: sealJson': ONWARD,
  'platform/src/sealed/sealed-json.ts: sealText': ONWARD,
  'server/src/rooms/movies/media-links/linking.ts: sealAttempt': NOWHERE,
  'server/src/rooms/movies/media-links/service.ts: sealToken': ['media_link.token'],
  'server/src/rooms/movies/media-links/token.ts: sealJson': ONWARD,
  'server/src/rooms/movies/media-links/token.ts: sealText': ONWARD,
  'server/src/rooms/movies/media-servers/service.ts: sealTarget': ['media_server.target'],
  'server/src/rooms/movies/media-servers/target.ts: sealedJson': ['media_server.target'],
  'server/src/rooms/movies/movie-requests/service.ts: sealChecked': ['request_server.target'],
  'server/src/rooms/movies/movie-requests/service.ts: sealTarget': ONWARD,
  'server/src/rooms/news/notifications/unsubscribe.ts: sealForUrl': NOWHERE,
  // The renewal of a device.
  'server/src/rooms/news/push/service.ts: sealJson': NOWHERE,
  'server/src/rooms/news/push/service.ts: sealTarget': ['push_subscription.target'],
  'server/src/rooms/news/push/service.ts: sealText': ['push_key.private_key'],
  'server/src/rooms/news/push/service.ts: sealedJson': ['push_subscription.target'],
  'server/src/rooms/news/webhooks/service.ts: sealTarget': ['webhook.target'],
  'server/src/rooms/news/webhooks/service.ts: sealedJson': ['webhook.target'],
  'server/src/rooms/nights/nights/plan/answer-links.ts: sealForUrl': NOWHERE,
}

test('every encrypted column is on the list for re-encryption after a change of the master key', () => {
  const calls = repositoryFiles()
    .filter((path) => /^(?:identity|platform|server)\/src\/.+(?<!\.test)\.ts$/u.test(path))
    .filter((path) => !path.includes('/testing/') && /\bseal\w*[<(]/u.test(read(path)))
    .flatMap((path) => {
      const names = new Set<string>()
      visit(parse(path), {
        CallExpression({ callee }) {
          if (callee.type === 'Identifier' && /^seal(?:[A-Z]|edJson$|$)/u.test(callee.name)) names.add(callee.name)
        },
      })
      return [...names].map((name) => `${path}: ${name}`)
    })

  expect(calls.toSorted()).toEqual(Object.keys(CALLS).toSorted())
  expect([...new Set(Object.values(CALLS).flat())].toSorted()).toEqual(ALL_SEALED.toSorted())
})
