'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { includesRole, type Role } from '@/lib/domain/role';
import { classNames } from '../ui/class-names';
import { LinkPending } from '../ui/link-pending';
import { NAV_ITEMS } from './nav-items';

interface NavLinksProps {
  readonly role: Role;
  /** `side`: a column at the left. `bottom`: a bar under the thumb. */
  readonly place: 'side' | 'bottom';
}

export function NavLinks({ role, place }: NavLinksProps) {
  const path = usePathname();
  const items = NAV_ITEMS.filter((item) => includesRole(role, item.needs));
  return (
    <ul className={place === 'side' ? 'grid gap-0.5' : 'flex'}>
      {items.map(({ href, label, icon: Icon, within }) => {
        const here = within(path);
        return (
          <li key={href} className={place === 'side' ? '' : 'flex-1'}>
            <Link
              href={href}
              aria-current={here ? 'page' : undefined}
              className={classNames(
                'flex items-center transition-colors',
                place === 'side'
                  ? 'gap-2.5 rounded-md px-2.5 py-1.5 text-sm'
                  : 'flex-col gap-0.5 px-1 pt-2 pb-1.5 text-[0.6875rem] leading-4 -outline-offset-2',
                here ? (place === 'side' ? 'bg-accent-soft font-medium text-accent' : 'font-medium text-accent') : 'text-ink-soft hover:text-ink',
                !here && place === 'side' && 'hover:bg-sunken',
              )}
            >
              <Icon aria-hidden className={place === 'side' ? 'size-4' : 'size-5'} strokeWidth={place === 'side' ? 2 : 1.75} />
              {label}
              {place === 'side' ? <LinkPending className="ml-auto" /> : null}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
