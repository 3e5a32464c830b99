import { expect, test } from 'vitest'

import { mediaFetchOf } from './media-settings.ts'
import { readServerSettings } from './settings.ts'

const guardOf = (value: string) => mediaFetchOf(readServerSettings({ MEDIA_SERVERS: value }))

test('media servers are off unless the operator switches them on', () => {
  expect(mediaFetchOf(readServerSettings({}))).toBeUndefined()
  expect(guardOf('off')).toBeUndefined()
})

test.each([
  ['public', ['8.8.8.8'], ['192.168.1.7', '127.0.0.1']],
  ['private', ['8.8.8.8', '192.168.1.7', 'fd00::7'], ['127.0.0.1', '169.254.169.254']],
  [' 192.168.1.0/24 , 127.0.0.0/8', ['8.8.8.8', '192.168.1.7', '127.0.0.1'], ['192.168.2.7', '10.0.0.1']],
])('MEDIA_SERVERS=%s allows its addresses and no others', (value, allowed, refused) => {
  const { allowAddress } = guardOf(value) ?? { allowAddress: () => false }

  expect([...allowed, ...refused].filter((ip) => allowAddress(ip))).toEqual(allowed)
})

test('only web ports and the ports of media servers are allowed', () => {
  const { allowPort } = guardOf('private') ?? { allowPort: () => false }
  const ports = [22, 25, 80, 443, 3000, 3306, 5055, 5432, 6379, 8080, 8096, 8443, 8920, 9200, 11_211, 32_400]

  expect(ports.filter((port) => allowPort(port))).toEqual([80, 443, 5055, 8080, 8096, 8443, 8920, 32_400])
})
