import {
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
  type InitiateAuthCommandOutput,
  RespondToAuthChallengeCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { confirmSignIn, signIn, signOut } from 'aws-amplify/auth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { onDatabase } from '@marquee/platform/testing/each-database'

import type { CustomChallenges } from './base/custom-challenges.ts'
import { aPool, POOL_TABLES, type RunningPool } from './testing/a-pool.ts'
import { amplifyClient } from './testing/clients/amplify.ts'
import { type Endpoint, listen, refusalOf } from './testing/clients/client.ts'
import { legacyFactors } from './testing/clients/legacy-factors.ts'
import { aConfirmedUser } from './testing/people.ts'
import { type Challenge, srpClient } from './testing/srp-client.ts'

const SECRET = 'the butler'

/** Asks one question with two tries, after the password if the client begins with SRP. */
const riddle: CustomChallenges = {
  define: ({ request: { session }, response }) => {
    const last = session.at(-1)
    if (last?.challengeName === 'SRP_A') response.challengeName = 'PASSWORD_VERIFIER'
    else if (last?.challengeName === 'CUSTOM_CHALLENGE' && last.challengeResult) response.issueTokens = true
    else if (session.filter(({ challengeResult }) => !challengeResult).length === 2) response.failAuthentication = true
    else response.challengeName = 'CUSTOM_CHALLENGE'
  },
  create: ({ response }) => {
    response.publicChallengeParameters = { question: 'Who did it?' }
    response.privateChallengeParameters = { answer: SECRET }
  },
  verify: ({ request, response }) => {
    response.answerCorrect = request.challengeAnswer === request.privateChallengeParameters['answer']
  },
}

/** Custom challenges with the official libraries, with and without a password first. */
onDatabase('sqlite', POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let endpoint: Endpoint
  beforeAll(async () => {
    pool = await aPool(useDatabase(), { settings: { customChallenges: riddle, customTimeoutMs: 10_000 } })
    endpoint = await listen(pool)
  })
  afterAll(async () => {
    await pool.close()
  })

  describe('aws-amplify/auth, unmodified', () => {
    afterEach(async () => {
      await signOut()
    })
    const QUESTION = 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE'

    test('aws-amplify/auth signs in with a custom challenge and no password, even after a wrong answer', async () => {
      amplifyClient(endpoint)
      const { email: username } = await aConfirmedUser(pool)
      const begun = await signIn({ username, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } })
      expect(begun.nextStep).toMatchObject({ signInStep: QUESTION, additionalInfo: { question: 'Who did it?' } })

      const wrong = await confirmSignIn({ challengeResponse: 'the gardener' })
      expect(wrong.nextStep.signInStep).toBe(QUESTION)
      const right = await confirmSignIn({ challengeResponse: SECRET })

      expect(right.nextStep.signInStep).toBe('DONE')
    })

    test('aws-amplify/auth signs in with a custom challenge after the right password', async () => {
      amplifyClient(endpoint)
      const { email: username, password } = await aConfirmedUser(pool)
      const options = { authFlowType: 'CUSTOM_WITH_SRP' } as const
      expect(await refusalOf(signIn({ username, password: 'Wr0ngPassword', options }))).toBe('NotAuthorizedException')

      const begun = await signIn({ username, password, options })
      expect(begun.nextStep.signInStep).toBe(QUESTION)
      expect((await confirmSignIn({ challengeResponse: SECRET })).nextStep.signInStep).toBe('DONE')
    })
  })

  describe('amazon-cognito-identity-js, unmodified', () => {
    test('amazon-cognito-identity-js signs in with a custom challenge and no password, and fails after two wrong answers', async () => {
      const { email } = await aConfirmedUser(pool)
      const client = legacyFactors(endpoint, email)
      expect(await client.startCustom()).toBe('customChallenge')
      expect(await client.answerCustom(SECRET)).toBe('signed in')

      await client.startCustom()
      expect(await client.answerCustom('the gardener')).toBe('customChallenge')
      expect(await refusalOf(client.answerCustom('the cook'))).toBe('NotAuthorizedException')
    })

    test('amazon-cognito-identity-js signs in with a custom challenge after the right password', async () => {
      const { email, password } = await aConfirmedUser(pool)
      const client = legacyFactors(endpoint, email)
      expect(await refusalOf(client.signInCustom('Wr0ngPassword'))).toBe('NotAuthorizedException')

      expect(await client.signInCustom(password)).toBe('customChallenge')
      expect(await client.answerCustom(SECRET)).toBe('signed in')
    })
  })

  describe('@aws-sdk/client-cognito-identity-provider, unmodified', () => {
    const open = () => {
      const sdk = new CognitoIdentityProviderClient({ region: 'us-east-1', endpoint: endpoint.userPoolEndpoint })
      const { userPoolClientId: ClientId } = endpoint
      const begin = async (AuthParameters: Record<string, string>) =>
        await sdk.send(new InitiateAuthCommand({ ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters }))
      const answer = async (
        { ChallengeName, Session, ChallengeParameters }: InitiateAuthCommandOutput,
        responses: Record<string, string>,
      ) => {
        const ChallengeResponses = { USERNAME: ChallengeParameters?.['USERNAME'] ?? '', ...responses }
        return await sdk.send(
          new RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses }),
        )
      }
      return { begin, answer }
    }

    test('@aws-sdk/client-cognito-identity-provider signs in with a custom challenge whose answer works only once', async () => {
      const { begin, answer } = open()
      const { email: USERNAME } = await aConfirmedUser(pool)
      const asked = await begin({ USERNAME })
      expect(asked.ChallengeParameters).toMatchObject({ question: 'Who did it?' })

      const signedIn = await answer(asked, { ANSWER: SECRET })

      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')
      expect(await refusalOf(answer(asked, { ANSWER: SECRET }))).toBe('NotAuthorizedException')
    })

    test('@aws-sdk/client-cognito-identity-provider signs in with a custom challenge after the password', async () => {
      const { begin, answer } = open()
      const { email: USERNAME, password } = await aConfirmedUser(pool)
      const srp = srpClient(endpoint.userPoolId)
      const verifier = await begin({ USERNAME, CHALLENGE_NAME: 'SRP_A', SRP_A: srp.A })
      expect(verifier.ChallengeName).toBe('PASSWORD_VERIFIER')

      const asked = await answer(verifier, srp.answer(verifier.ChallengeParameters as Challenge, password))
      expect(asked.ChallengeName).toBe('CUSTOM_CHALLENGE')
      const signedIn = await answer(asked, { ANSWER: SECRET })

      expect(signedIn.AuthenticationResult?.TokenType).toBe('Bearer')
    })
  })
})
