import type { Group } from '../../standard.ts'

export const webrtc: Group = {
  title: 'V17 WebRTC',
  requirements: [
    {
      id: '17.1.1',
      level: 2,
      says: 'TURN reaches only public addresses',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
    {
      id: '17.2.1',
      level: 2,
      says: 'DTLS keys are managed',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
    {
      id: '17.2.2',
      level: 2,
      says: 'strong DTLS suites',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
    {
      id: '17.2.3',
      level: 2,
      says: 'SRTP is authenticated',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
    {
      id: '17.2.4',
      level: 2,
      says: 'malformed SRTP does no harm',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
    {
      id: '17.3.1',
      level: 2,
      says: 'signalling withstands floods',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
    {
      id: '17.3.2',
      level: 2,
      says: 'signalling withstands malformed messages',
      answer: { met: 'not-applicable', reason: 'there is no WebRTC' },
    },
  ],
}
