import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { checkServerIdentity, type PeerCertificate, TLSSocket } from 'node:tls'

import type { Clock } from '@marquee/platform/runtime/clock'
import { DAY_MS, SECOND_MS } from '@marquee/platform/runtime/durations'
import { reasonOf } from '@marquee/platform/runtime/reason-of'

import { type Finding, Found, ok, problem, unused, warning } from './finding.ts'

/** Programs renew when a third or half of the lifetime is left, so a sixth is late: a day of six, but never over 14. */
const LATE_PART = 1 / 6
const MOST_DAYS = 14
/** Shorter than the checks that wait for it. */
const VISIT_MS = 10 * SECOND_MS
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u

/** What a request to `PUBLIC_URL` met. */
type Visit = {
  readonly status: number
  /** The `Date` header, in milliseconds since 1970. */
  readonly date: number
  /** When the reply came, by the clock of this machine. */
  readonly metAt: number
  readonly certificate: PeerCertificate | undefined
  /** Why a browser would refuse the certificate. */
  readonly refusal: string | undefined
}

/** Asks for `/healthz` at the address that users open. Undefined if only this machine opens it, without TLS. */
export async function visit(publicUrl: string, clock: Clock): Promise<Visit | undefined> {
  const url = new URL('/healthz', publicUrl)
  const isPlain = url.protocol === 'http:'
  if (isPlain && LOOPBACK.test(url.hostname)) return undefined
  const signal = AbortSignal.timeout(VISIT_MS)
  const request = isPlain ? requestPlain : requestTls
  return await new Promise<Visit>((resolve, reject) => {
    // What is wrong with the certificate is found below, also if there are several things.
    const asked = request(url, { signal, agent: false, rejectUnauthorized: false }, (reply) => {
      reply.resume()
      const { socket } = reply
      resolve({
        status: reply.statusCode ?? 0,
        date: Date.parse(reply.headers.date ?? ''),
        metAt: clock.now().getTime(),
        certificate: socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined,
        refusal: socket instanceof TLSSocket ? refusalOf(socket, url.hostname, clock) : undefined,
      })
    })
    asked.on('error', (error) => {
      const said = signal.aborted
        ? `does not answer within ${VISIT_MS / SECOND_MS} seconds`
        : `cannot be reached from here: ${reasonOf(error)}`
      reject(new Found(warning(`${publicUrl} ${said}. Start the server, and look at the name and the proxy.`)))
    })
    asked.end()
  })
}

/** Whether users reach a server at `PUBLIC_URL`, and for how long its certificate is valid. */
export function judgeAddress(publicUrl: string, visited: Visit | undefined, clock: Clock): Finding {
  if (!visited) return unused(`PUBLIC_URL is ${publicUrl}: only this machine opens it.`)
  const { status, certificate, refusal } = visited
  if (refusal !== undefined) return problem(`Browsers refuse the certificate of ${publicUrl}: ${refusal}`)
  if (status !== 200)
    return problem(`${publicUrl}/healthz answers ${status}. The proxy has to lead to this server, and the server run.`)
  if (!certificate)
    return warning(`${publicUrl} has no TLS: passwords can be read on the way. Put a TLS proxy in front.`)
  const [from, until] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  const left = (until - clock.now().getTime()) / DAY_MS
  const isLate = left < Math.min(MOST_DAYS, ((until - from) / DAY_MS) * LATE_PART)
  const said = `The certificate of ${publicUrl} is valid for ${Math.floor(left)} more days`
  return isLate ? warning(`${said}. Renew it, and see why that did not happen by itself.`) : ok(`${said}.`)
}

function refusalOf(socket: TLSSocket, hostname: string, clock: Clock): string | undefined {
  const certificate = socket.getPeerCertificate()
  if (Date.parse(certificate.valid_to) < clock.now().getTime()) return `it ended on ${certificate.valid_to}. Renew it.`
  if (checkServerIdentity(hostname, certificate))
    return `it is for ${certificate.subjectaltname ?? 'no name'}, not for ${hostname}. Order one for this name.`
  if (socket.authorized) return undefined
  return `no authority that this machine knows vouches for it (${String(socket.authorizationError)}). Send the whole chain, or order another.`
}
