import '#web/i18n/media-server-texts.ts'
import { MEDIA_SERVER_PRODUCTS, type ServerCopy } from '@marquee/contract/entities/media-server'
import { ExternalLink } from 'lucide-react'

import { useTranslation } from '#web/i18n/texts.ts'
import { buttonStyle } from '#web/ui/button.tsx'

/** Links that open a movie on the media servers that have it, as far as members can reach them. */
export function ServerLinks({ servers }: { servers: readonly ServerCopy[] }) {
  const { t } = useTranslation('watchlist')
  const linked = servers.filter(({ link }) => link !== null)
  return linked.map(({ serverId, kind, name, link }) => (
    <a
      key={serverId}
      href={link ?? undefined}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonStyle('quiet', 'small')}
    >
      <ExternalLink aria-hidden />
      <span>
        {linked.length === 1
          ? t('mediaServers.open', { product: MEDIA_SERVER_PRODUCTS[kind] })
          : t('mediaServers.openNamed', { product: MEDIA_SERVER_PRODUCTS[kind], name })}
      </span>
    </a>
  ))
}
