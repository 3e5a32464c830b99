import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

/** A DER value: its tag, its length in bytes, its content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const length = body.length < 0x80 ? [body.length] : [0x82, Math.floor(body.length / 256), body.length % 256]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utcTime = (text: string) => der(0x17, Buffer.from(text))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const SUBJECT_ALT_NAME = oid('551d11')

type Validity = { from: Date; until: Date }
const LONG: Validity = { from: new Date('2020-01-01T00:00:00Z'), until: new Date('2049-01-01T00:00:00Z') }

/** A new key and a self-signed certificate for one DNS name, both as PEM, valid from 2020 to 2049 unless it is given. */
export function selfSigned(hostname: string, { from, until }: Validity = LONG): { key: string; cert: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(hostname)))))
  const alternative = der(0x04, sequence(der(0x82, Buffer.from(hostname))))
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // X.509 version 3
    der(0x02, Buffer.from([1])), // serial number
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(utcText(from)), utcTime(utcText(until))),
    name,
    createPublicKey(privateKey).export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, alternative))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', facts, privateKey))
  const base64 = sequence(facts, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/gu, '$&\n')}-----END CERTIFICATE-----\n`,
  }
}

/** The time without its century: `YYMMDDhhmmssZ`. */
function utcText(time: Date): string {
  return `${time.toISOString().slice(2, 19).replaceAll(/[-T:]/gu, '')}Z`
}
