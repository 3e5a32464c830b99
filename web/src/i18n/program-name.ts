import { useTranslation } from './texts.ts'

const ENGLISH = /^(?<browser>[\w ]+) on (?<system>\w+)$/u

/** Translates the name of a browser that signed in or gets push messages. The server gives it in English. */
export function useProgramName(): (name: string) => string {
  const { t } = useTranslation()
  return (name) => {
    const { browser, system } = ENGLISH.exec(name)?.groups ?? {}
    return browser === undefined ? name : t('program', { browser, system })
  }
}
