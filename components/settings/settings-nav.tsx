'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { classNames } from '../ui/class-names';

const PARTS = [
  { href: '/settings/models', label: 'Models' },
  { href: '/settings/tokens', label: 'Tokens' },
  { href: '/settings/people', label: 'People' },
  { href: '/settings/profile', label: 'You' },
];

export function SettingsNav() {
  const path = usePathname();
  return (
    <nav aria-label="Settings" className="mb-5 border-b border-line">
      <ul className="flex gap-1 overflow-x-auto">
        {PARTS.map(({ href, label }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={path === href ? 'page' : undefined}
              className={classNames(
                '-mb-px block border-b-2 px-2.5 py-2 text-sm -outline-offset-2',
                path === href ? 'border-accent font-medium text-ink' : 'border-transparent text-ink-soft hover:text-ink',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
