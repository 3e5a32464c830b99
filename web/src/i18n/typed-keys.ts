import 'i18next'
import type { DEFAULT_NAMESPACE, RESOURCES } from './set-up.ts'

// A key that no locale file holds does not compile.
declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declaration merging needs an interface
  interface CustomTypeOptions {
    defaultNS: typeof DEFAULT_NAMESPACE
    resources: typeof RESOURCES
    returnNull: false
  }
}
