import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'

import { Menu, MenuAction } from '#web/ui/menu.tsx'

type CardMenuProps = { ref: Ref<HTMLButtonElement>; title: string; onEdit: () => void; onDelete: () => void }

/** What its creator and the owner of the watchlist may do with a card besides deciding about it. */
export function CardMenu({ ref, title, onEdit, onDelete }: CardMenuProps) {
  const { t } = useTranslation('moviecard')
  return (
    <Menu
      ref={ref}
      label={t('card.menu', { title })}
      align="end"
      panelClassName="w-48!"
      trigger={<EllipsisVertical aria-hidden className="size-5" />}
      triggerClassName="inline-flex size-9 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-raised hover:text-text pointer-coarse:size-11"
    >
      <MenuAction icon={<Pencil aria-hidden />} onSelect={onEdit}>
        {t('card.edit')}
      </MenuAction>
      <MenuAction icon={<Trash2 aria-hidden />} onSelect={onDelete}>
        {t('card.delete')}
      </MenuAction>
    </Menu>
  )
}
