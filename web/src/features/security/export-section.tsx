import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { useExportData } from './mutations.ts'
import { Section } from './section.tsx'

/** Everything that is kept of the user, as a file. */
export function ExportSection() {
  const { t } = useTranslation('auth')
  const fetchAll = useExportData()
  return (
    <Section title={t('security.export.title')}>
      <p className="text-muted">{t('security.export.description')}</p>
      {fetchAll.isError && <Banner tone="error">{t('security.export.failed')}</Banner>}
      {fetchAll.isSuccess && <Banner tone="success">{t('security.export.done')}</Banner>}
      <Button
        tone="quiet"
        className="self-start"
        busy={fetchAll.isPending}
        onClick={() => fetchAll.mutate(undefined, { onSuccess: save })}
      >
        {t('security.export.download')}
      </Button>
    </Section>
  )
}

function save(data: object): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'marquee.json'
  link.click()
  URL.revokeObjectURL(address)
}
