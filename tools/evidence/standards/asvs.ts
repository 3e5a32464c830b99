import type { Standard } from '../standard.ts'
import { encoding } from './asvs/v01-encoding.ts'
import { validation } from './asvs/v02-validation.ts'
import { web } from './asvs/v03-web.ts'
import { api } from './asvs/v04-api.ts'
import { files } from './asvs/v05-files.ts'
import { authentication } from './asvs/v06-authentication.ts'
import { sessions } from './asvs/v07-sessions.ts'
import { authorization } from './asvs/v08-authorization.ts'
import { tokens } from './asvs/v09-tokens.ts'
import { oauth } from './asvs/v10-oauth.ts'
import { cryptography } from './asvs/v11-cryptography.ts'
import { communication } from './asvs/v12-communication.ts'
import { configuration } from './asvs/v13-configuration.ts'
import { data } from './asvs/v14-data.ts'
import { architecture } from './asvs/v15-architecture.ts'
import { logging } from './asvs/v16-logging.ts'
import { webrtc } from './asvs/v17-webrtc.ts'

export const asvs: Standard = {
  id: 'asvs',
  title: 'OWASP ASVS 5.0.0, levels 1 and 2',
  intro: `All requirements of levels 1 and 2 of the [OWASP Application Security Verification Standard 5.0.0](https://github.com/OWASP/ASVS/tree/master/5.0),
in our own words; their numbers and levels were compared with the published list. Those of level 3 are not here. Part of
[security](docs/security.md).

**What was not done:** no one outside the project audited this or tried to break in. A test shows the attempts that it makes, not
that no other succeeds. Much of chapters V12, V13 and V16 depends on the operator, and is judged for the set-ups in this repository.
With Amazon Cognito, chapters V6, V7, V9 and V10 are Amazon’s.`,
  groups: [
    encoding,
    validation,
    web,
    api,
    files,
    authentication,
    sessions,
    authorization,
    tokens,
    oauth,
    cryptography,
    communication,
    configuration,
    data,
    architecture,
    logging,
    webrtc,
  ],
}
