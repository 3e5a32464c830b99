import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { MAX_IMAGE_BODY_BYTES } from '../../contract/src/endpoints.ts'
import { SettingsSchema } from '../../server/src/settings/settings.ts'
import { read, root } from './repository.ts'

type Service = {
  image: string
  build?: string
  restart?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  privileged?: boolean
  mem_limit?: string
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  networks?: string[] | Record<string, { aliases?: string[] } | null>
  secrets?: string[]
  healthcheck?: object
  depends_on?: Record<string, { condition: string }>
}
type Arrangement = {
  services: Record<string, Service>
  volumes?: Record<string, unknown>
  secrets?: Record<string, { file: string }>
}

const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/gu, ' ')
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /u.test(line))
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const ofNode = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_']
const settings = new Set([...Object.keys(SettingsSchema.shape), ...ofNode])

test('every file that the Dockerfile copies exists and is not ignored', () => {
  const copied = instructions
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1))
  const letIn = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))

  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(copied.filter((path) => !letIn.some((open) => path === open || path.startsWith(`${open}/`)))).toEqual([])
})

// Evidence: asvs-13.2.2, asvs-13.3.1
test('the image runs as an unprivileged user, has a health check and contains no secret', () => {
  const environment = lastStage.filter((line) => line.startsWith('ENV ')).join(' ')
  const names = [...environment.matchAll(/\b([A-Z_]+)=/gu)].map(([, name]) => name ?? '')

  expect(lastStage.findLast((line) => line.startsWith('USER '))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/u)
  expect(lastStage.some((line) => line.startsWith('HEALTHCHECK ') && line.includes('/healthz'))).toBe(true)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !settings.has(name) || /SECRET|KEY|URL/u.test(name))).toEqual([])
})

test('the manifest of every workspace is in the image, because npm needs it for the lockfile', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }

  expect(workspaces.filter((name) => !instructions.includes(`COPY ${name}/package.json ${name}/`))).toEqual([])
})

/** Settings that no arrangement passes on. */
const NOT_IN_CONTAINERS = [
  // The image sets them.
  'PORT',
  'HOST',
  'DATA_DIR',
  // The key is in the volume. Other secrets are mounted as files, or not at all.
  'MASTER_KEY',
  'MASTER_KEY_FILE',
  'MASTER_KEYS_PREVIOUS',
  'OAUTH_CLIENTS',
  'OIDC_CLIENT_SECRET',
  'IDENTITY_ACCESS_KEY_ID',
  'IDENTITY_SECRET_ACCESS_KEY',
  // A file of the operator, which needs a volume of its own.
  'CUSTOM_CHALLENGES',
  // For load tests only.
  'RATE_LIMITS',
]
/** Settings of one arrangement that does not pass them on. */
const NOT_IN: Readonly<Record<string, readonly string[]>> = {
  // Everything is in the volume.
  'compose.yaml': [
    'DATABASE_URL',
    'REDIS_URL',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ],
  // The store that is part of it has one region.
  'compose.scale.yaml': ['S3_REGION'],
}

for (const path of ['compose.yaml', 'compose.scale.yaml']) {
  const { services, volumes, secrets } = parse(read(path), { merge: true }) as Arrangement
  const all = Object.entries(services)
  const lasting = all.filter(([, { restart }]) => restart !== 'no')
  const failing = (isGood: (service: Service) => boolean, among = all): string[] =>
    among.filter(([, service]) => !isGood(service)).map(([name]) => name)

  test(`${path}: no service can write to its own files or has privileges on the machine`, () => {
    expect(all.length).toBeGreaterThan(0)
    expect(failing(({ read_only: isReadOnly }) => isReadOnly === true)).toEqual([])
    expect(failing(({ cap_drop: dropped }) => dropped?.includes('ALL') === true)).toEqual([])
    expect(failing(({ security_opt: options }) => options?.includes('no-new-privileges:true') === true)).toEqual([])
    expect(failing(({ privileged }) => privileged === undefined)).toEqual([])
  })

  test(`${path}: long-running services restart and have a health check`, () => {
    expect(failing(({ restart }) => restart === 'unless-stopped', lasting)).toEqual([])
    expect(failing(({ healthcheck, build }) => healthcheck !== undefined || build === '.', lasting)).toEqual([])
  })

  test(`${path}: each long-running service has a memory limit`, () => {
    expect(failing(({ mem_limit: limit = '' }) => /^\d+[mg]$/u.test(limit), lasting)).toEqual([])
  })

  test(`${path}: Marquee gets only existing settings, and no secret in its environment`, () => {
    const own = all.filter(([, { image }]) => image === 'marquee')
    const names = own.flatMap(([, { environment = {} }]) => Object.keys(environment))
    const held = all.flatMap(([, { environment = {} }]) => Object.keys(environment))

    expect(own.length).toBeGreaterThan(0)
    expect(names.filter((name) => !settings.has(name))).toEqual([])
    expect(held.filter((name) => /PASSWORD$|SECRET_ACCESS_KEY$|MASTER_KEY$|DATABASE_URL$/u.test(name))).toEqual([])
  })

  test(`${path}: Marquee gets each documented setting that fits a container`, () => {
    const documented = Object.entries(SettingsSchema.shape).filter(([, { description }]) => description !== undefined)
    const own = all.filter(([, { image }]) => image === 'marquee')
    const lacking = own.map(([, { environment = {} }]) =>
      documented
        .map(([name]) => name)
        .filter((name) => !(name in environment) && !(`${name}_FILE` in environment))
        .toSorted(),
    )

    expect(lacking).toEqual(own.map(() => [...NOT_IN_CONTAINERS, ...(NOT_IN[path] ?? [])].toSorted()))
  })

  test(`${path}: every volume, secret and service that is named exists`, () => {
    const mounted = all.flatMap(([, { volumes: mounts = [] }]) => mounts.map((mount) => mount.split(':')[0] ?? ''))
    const named = new Set(Object.keys(volumes ?? {}))
    const missing = mounted.filter((name) => !(name.startsWith('./') ? existsSync(join(root, name)) : named.has(name)))
    const asked = all.flatMap(([, { secrets: names = [] }]) => names)
    const awaited = all.flatMap(([, { depends_on: others = {} }]) => Object.keys(others))
    const files = all
      .flatMap(([, { environment = {} }]) => Object.entries(environment))
      .filter(([name]) => name.endsWith('_FILE'))
      .map(([, file]) => file.replace('/run/secrets/', ''))

    expect(missing).toEqual([])
    expect([...asked, ...files].filter((name) => secrets?.[name] === undefined)).toEqual([])
    expect(awaited.filter((name) => services[name] === undefined)).toEqual([])
  })

  test(`${path}: no port is open to other machines by default`, () => {
    const ports = all.flatMap(([, { ports: open = [] }]) => open)

    expect(ports.length).toBeGreaterThan(0)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })
}

// Evidence: asvs-13.2.3
test('make-secrets.sh creates every secret of the scaled set-up', () => {
  const { secrets = {} } = parse(read('compose.scale.yaml'), { merge: true }) as Arrangement
  const script = read('deploy/make-secrets.sh')
  const made = Object.values(secrets).filter(({ file }) =>
    script.includes(`> "$draft/${file.replace('./secrets/', '')}"`),
  )

  expect(made).toEqual(Object.values(secrets))
})

// Evidence: asvs-12.1.1
test('the nginx example allows no TLS version before 1.2', () => {
  expect(read('deploy/nginx-site.conf')).toMatch(/^ {2}ssl_protocols TLSv1\.2 TLSv1\.3;$/mu)
})

test('nginx passes requests to every process and does not buffer event streams', () => {
  const { services } = parse(read('compose.scale.yaml'), { merge: true }) as Arrangement
  const nginx = read('deploy/nginx.conf')
  const processes = Object.keys(services).filter((name) => services[name]?.image === 'marquee')
  const [, name = ''] = /default (\w+):3000;/u.exec(nginx) ?? []
  const aliases = processes.map((process) => {
    const networks = services[process]?.networks
    return Array.isArray(networks) ? undefined : networks?.['front']?.aliases
  })
  const [, path = '', rules = ''] = /location ~ (\S+) \{([^}]*)\}/u.exec(nginx) ?? []

  expect(processes.length).toBe(2)
  expect(aliases).toEqual([[name], [name]])
  // nginx 1.22 would resolve such names only once, at its start.
  expect(nginx).not.toMatch(/\bupstream\b|\bresolve\b/u)
  const streams = ['/api/watchlists/0b5e/events', '/api/nights/0b5e/events', '/api/notifications/events']
  expect(streams.filter((stream) => !new RegExp(path, 'u').test(stream))).toEqual([])
  expect(rules).toContain('proxy_buffering off;')
  // Marquee itself rejects an image that is too large, with an error of the API. nginx rejects what Marquee would not read.
  expect(nginx).toContain(`client_max_body_size ${Math.ceil(MAX_IMAGE_BODY_BYTES / 1024 ** 2)}m;`)
})
