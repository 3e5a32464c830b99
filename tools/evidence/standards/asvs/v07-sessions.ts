import type { Group } from '../../standard.ts'

export const sessions: Group = {
  title: 'V7 Session management',
  requirements: [
    {
      id: '7.1.1',
      level: 2,
      says: 'idle time and lifetime are documented, with reasons',
      answer: {
        met: 'by-design',
        reason: '[how long a session lasts](docs/security/sign-in.md#how-long-a-session-lasts)',
      },
    },
    {
      id: '7.1.2',
      level: 2,
      says: 'the number of sessions is documented',
      answer: {
        met: 'by-design',
        reason: 'it is not limited ([how long a session lasts](docs/security/sign-in.md#how-long-a-session-lasts))',
      },
    },
    {
      id: '7.1.3',
      level: 2,
      says: 'sessions that span systems are documented',
      answer: {
        met: 'partly',
        missing:
          '[external sign-in](docs/external-sign-in.md) and [other tools](docs/other-tools.md) say what each side keeps; the effect of an account that is disabled at the provider is not described',
      },
    },
    { id: '7.2.1', level: 1, says: 'the server checks sessions', answer: { met: 'tested' } },
    {
      id: '7.2.2',
      level: 1,
      says: 'session tokens are made for each session',
      answer: { met: 'tested', note: 'a personal token is a secret that does not change, for programs of the user' },
    },
    {
      id: '7.2.3',
      level: 1,
      says: 'reference tokens have 128 random bits',
      answer: { met: 'by-design', reason: 'refresh tokens have 384 ([issue.ts](identity/src/parts/tokens/issue.ts))' },
    },
    {
      id: '7.2.4',
      level: 1,
      says: 'a sign-in makes a new session and ends the current one',
      answer: {
        met: 'partly',
        missing:
          'it makes a new one. The web app asks to sign out first, but a program that signs in again keeps its earlier session',
      },
    },
    {
      id: '7.3.1',
      level: 2,
      says: 'a session ends when it is idle',
      answer: {
        met: 'no',
        missing: 'by [decision](docs/security/sign-in.md#how-long-a-session-lasts): it ends after 30 days, used or not',
      },
    },
    {
      id: '7.3.2',
      level: 2,
      says: 'a session has a maximum lifetime',
      answer: {
        met: 'tested',
        note: '30 days; id and access tokens issued last can outlive it by an hour, and a user may give a personal token no end',
      },
    },
    { id: '7.4.1', level: 1, says: 'an ended session is useless at once', answer: { met: 'tested' } },
    { id: '7.4.2', level: 1, says: 'sessions end with their account', answer: { met: 'tested' } },
    {
      id: '7.4.3',
      level: 2,
      says: 'other sessions can be ended when a factor changes',
      answer: { met: 'tested', note: 'a new password ends them by itself; the account page ends them at any time' },
    },
    {
      id: '7.4.4',
      level: 2,
      says: 'signing out is easy to find',
      answer: {
        met: 'by-design',
        reason:
          'the menu at the top of each screen has it ([account-menu.tsx](web/src/features/club/top-bar/account-menu.tsx)); the big screen of a night and the question of consent have no menu',
      },
    },
    {
      id: '7.4.5',
      level: 2,
      says: 'administrators can end the sessions of a user',
      answer: {
        met: 'tested',
        note: 'by disabling the user, a temporary password or a required reset; no command ends sessions alone',
      },
    },
    {
      id: '7.5.1',
      level: 2,
      says: 'a full sign-in before changes of address, number and factors',
      answer: {
        met: 'partly',
        missing:
          'the account page and some calls require it; operations of the Cognito protocol accept any valid access token ([why](docs/security/sign-in.md#signing-in-again)). Such a change is recorded and mailed',
      },
    },
    {
      id: '7.5.2',
      level: 2,
      says: 'users see their sessions and, after signing in again, end them',
      answer: {
        met: 'partly',
        missing:
          'users see and end them; no fresh sign-in is asked for, so that nothing delays a user who locks a thief out',
      },
    },
    {
      id: '7.6.1',
      level: 2,
      says: 'lifetime and end of sessions with a provider, and new sign-ins, are as documented',
      answer: {
        met: 'partly',
        missing: 'both sides end as documented; a session here lasts 30 days, whatever happens at the provider',
      },
    },
    {
      id: '7.6.2',
      level: 2,
      says: 'no session without an action of the user',
      answer: {
        met: 'partly',
        missing:
          'a link from another site can begin a sign-in with the provider in browsers before 2023, and in all over http, since they do not say where it comes from',
      },
    },
  ],
}
