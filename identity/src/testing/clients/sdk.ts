import {
  ChangePasswordCommand,
  CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  ForgotPasswordCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  InitiateAuthCommand,
  ResendConfirmationCodeCommand,
  RespondToAuthChallengeCommand,
  RevokeTokenCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'

import { type Challenge, srpClient } from '../srp-client.ts'
import type { Client, Endpoint } from './client.ts'

/** `@aws-sdk/client-cognito-identity-provider` with its documented `endpoint` setting; its caller does SRP. */
export function sdkClient({ userPoolId, userPoolClientId: ClientId, userPoolEndpoint }: Endpoint): Client {
  const sdk = new CognitoIdentityProviderClient({ region: 'us-east-1', endpoint: userPoolEndpoint })
  let tokens = { AccessToken: '', RefreshToken: '' }
  return {
    signUp: async ({ username: Username, password: Password, email }) => {
      const UserAttributes = [{ Name: 'email', Value: email }]
      await sdk.send(new SignUpCommand({ ClientId, Username, Password, UserAttributes }))
    },
    confirm: async (Username, ConfirmationCode) => {
      await sdk.send(new ConfirmSignUpCommand({ ClientId, Username, ConfirmationCode }))
    },
    resend: async (Username) => {
      await sdk.send(new ResendConfirmationCodeCommand({ ClientId, Username }))
    },
    signIn: async (login, password) => {
      const srp = srpClient(userPoolId)
      const AuthParameters = { USERNAME: login, SRP_A: srp.A }
      const started = await sdk.send(new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters }))
      const { ChallengeName } = started
      const ChallengeResponses = srp.answer(started.ChallengeParameters as Challenge, password)
      const { AuthenticationResult } = await sdk.send(
        new RespondToAuthChallengeCommand({ ClientId, ChallengeName, ChallengeResponses }),
      )
      tokens = AuthenticationResult as typeof tokens
      const user = await sdk.send(new GetUserCommand({ AccessToken: tokens.AccessToken }))
      return { username: user.Username ?? '' }
    },
    refresh: async () => {
      const { RefreshToken } = tokens
      const reply = await sdk.send(new GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken }))
      tokens = reply.AuthenticationResult as typeof tokens
      return reply.AuthenticationResult?.IdToken ?? ''
    },
    changePassword: async (PreviousPassword, ProposedPassword) => {
      const { AccessToken } = tokens
      await sdk.send(new ChangePasswordCommand({ AccessToken, PreviousPassword, ProposedPassword }))
    },
    requestReset: async (Username) => {
      const { CodeDeliveryDetails } = await sdk.send(new ForgotPasswordCommand({ ClientId, Username }))
      return CodeDeliveryDetails?.Destination ?? ''
    },
    confirmReset: async (Username, ConfirmationCode, Password) => {
      await sdk.send(new ConfirmForgotPasswordCommand({ ClientId, Username, ConfirmationCode, Password }))
    },
    signOut: async () => {
      await sdk.send(new RevokeTokenCommand({ ClientId, Token: tokens.RefreshToken }))
    },
    signOutEverywhere: async () => {
      await sdk.send(new GlobalSignOutCommand({ AccessToken: tokens.AccessToken }))
    },
  }
}
