import type { Group } from '../../standard.ts'

export const logging: Group = {
  title: 'V16 Security logging and error handling',
  requirements: [
    {
      id: '16.1.1',
      level: 2,
      says: 'an inventory of logs: content, place, access, time',
      answer: {
        met: 'partly',
        missing:
          '[the log](docs/operating.md#watch) and [security events](docs/security/events.md) are described; who may read the log and for how long is up to the operator',
      },
    },
    {
      id: '16.2.1',
      level: 2,
      says: 'entries say when, where, who and what',
      answer: { met: 'partly', missing: 'events do; lines of requests name no user, on purpose' },
    },
    {
      id: '16.2.2',
      level: 2,
      says: 'times are in UTC',
      answer: {
        met: 'by-design',
        reason:
          'lines have Unix time, events have ISO time in UTC ([logger.ts](platform/src/runtime/logger.ts)); clocks are up to the operator',
      },
    },
    {
      id: '16.2.3',
      level: 2,
      says: 'logs go only to documented places',
      answer: { met: 'by-design', reason: 'to standard output ([operating](docs/operating.md#watch))' },
    },
    {
      id: '16.2.4',
      level: 2,
      says: 'a common format',
      answer: { met: 'by-design', reason: 'one JSON object per line ([logger.ts](platform/src/runtime/logger.ts))' },
    },
    { id: '16.2.5', level: 2, says: 'no secrets in logs', answer: { met: 'tested' } },
    {
      id: '16.3.1',
      level: 2,
      says: 'sign-ins are recorded, successful or not',
      answer: {
        met: 'partly',
        missing:
          'they are, as events in the database, but without the factor that was used; attempts during a lock are not, and those at unknown names only for an hour',
      },
    },
    {
      id: '16.3.2',
      level: 2,
      says: 'refused access is logged',
      answer: { met: 'partly', missing: 'as a line with call and status, without the user' },
    },
    {
      id: '16.3.3',
      level: 2,
      says: 'documented events are logged, and attempts to get around limits',
      answer: {
        met: 'partly',
        missing: 'all documented events are recorded; refused input leaves only a line with its status',
      },
    },
    {
      id: '16.3.4',
      level: 2,
      says: 'unexpected errors and failed protections are logged',
      answer: { met: 'partly', missing: 'unexpected errors are; no test shows that a refused certificate is' },
    },
    { id: '16.4.1', level: 2, says: 'no injection into logs', answer: { met: 'tested' } },
    {
      id: '16.4.2',
      level: 2,
      says: 'logs cannot be read or changed by others',
      answer: {
        met: 'partly',
        missing:
          'no call changes an event, and the log leaves by standard output; its protection is up to the operator',
      },
    },
    {
      id: '16.4.3',
      level: 2,
      says: 'logs go to a separate system',
      answer: { met: 'no', missing: 'this is up to the operator' },
    },
    { id: '16.5.1', level: 2, says: 'errors tell nothing of the inside', answer: { met: 'tested' } },
    { id: '16.5.2', level: 2, says: 'failures of other services are contained', answer: { met: 'tested' } },
    { id: '16.5.3', level: 2, says: 'errors do not open doors', answer: { met: 'tested' } },
  ],
}
