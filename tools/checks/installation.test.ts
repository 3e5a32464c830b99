import { expect, test } from 'vitest'

import { read } from './repository.ts'

type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
type Lock = { packages: Record<string, { dev?: true; devOptional?: true }> }

const manifest = (workspace: string): Manifest => JSON.parse(read(`${workspace}/package.json`)) as Manifest

test('the web app has no production dependencies, because the server only serves its build', () => {
  expect(manifest('web').dependencies).toBeUndefined()
})

test('the workspaces that npm start installs have no test tools', () => {
  const dev = ['contract', 'platform', 'identity', 'server'].flatMap((name) =>
    Object.keys(manifest(name).devDependencies ?? {}),
  )
  const testTools = /testing|test|jsdom|playwright|vitest|postgres|fast-check/u

  expect(dev).toEqual(['node'])
  expect(Object.keys(manifest('web').devDependencies ?? {}).filter((name) => testTools.test(name))).toEqual([])
})

test('a production install has the packages of the server and none of the browser', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const installed = Object.entries(packages)
    .filter(([, { dev, devOptional }]) => dev === undefined && devOptional === undefined)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  expect(installed).toContain('fastify')
  expect(
    installed.filter((name) => /^(?:react|react-dom|aws-amplify|lucide-react|vite|typescript)$/u.test(name)),
  ).toEqual([])
})
