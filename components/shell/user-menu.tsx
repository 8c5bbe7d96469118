'use client';
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Menu } from 'radix-ui';
import { useState, useTransition } from 'react';
import type { Role } from '@/lib/domain/role';
import { classNames } from '../ui/class-names';
import { THEME_COOKIE, THEMES, type Theme } from './theme';

interface UserMenuProps {
  readonly name: string;
  readonly role: Role;
  readonly theme: Theme;
  readonly signOut: () => Promise<void>;
  readonly compact?: boolean;
}

const THEME: Readonly<Record<Theme, { readonly icon: LucideIcon; readonly label: string }>> = {
  system: { icon: Monitor, label: 'As the system' },
  light: { icon: Sun, label: 'Light' },
  dark: { icon: Moon, label: 'Dark' },
};

const ITEM = 'flex items-center gap-2 rounded-sm px-2 py-1.5 text-sm text-ink outline-none data-highlighted:bg-accent-soft data-highlighted:text-accent';

export function UserMenu({ name, role, theme: given, signOut, compact = false }: UserMenuProps) {
  const [theme, setTheme] = useState(given);
  const [leaving, startLeaving] = useTransition();
  const choose = (next: Theme): void => {
    setTheme(next);
    document.cookie = `${THEME_COOKIE}=${next};path=/;max-age=31536000;samesite=lax`;
    const root = document.documentElement;
    if (next === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = next;
  };
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={compact ? `${name}, menu` : undefined}
        className={classNames(
          'flex items-center gap-2 rounded-md text-left hover:bg-sunken data-[state=open]:bg-sunken',
          compact ? 'p-1' : 'w-full px-2.5 py-1.5',
        )}
      >
        <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-full bg-accent text-xs font-semibold text-accent-ink">
          {initials(name)}
        </span>
        {compact ? null : (
          <>
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium text-ink">{name}</span>
              <span className="block text-xs text-ink-faint">{role}</span>
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
          </>
        )}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content align="end" sideOffset={6} className="z-50 min-w-52 rounded-lg border border-line bg-raised p-1 shadow-overlay">
          {compact ? (
            <p className="border-b border-line px-2 pt-1 pb-2">
              <span className="block truncate font-medium text-ink">{name}</span>
              <span className="text-xs text-ink-faint">{role}</span>
            </p>
          ) : null}
          <Menu.Label className="scale-label px-2 pt-2 pb-1">Colours</Menu.Label>
          <Menu.RadioGroup value={theme} onValueChange={(value) => choose(THEMES.find((each) => each === value) ?? 'system')}>
            {THEMES.map((each) => {
              const { icon: Icon, label } = THEME[each];
              return (
                <Menu.RadioItem key={each} value={each} className={ITEM}>
                  <Icon aria-hidden className="size-4" />
                  {label}
                  <Menu.ItemIndicator className="ml-auto">
                    <Check aria-hidden className="size-4" />
                  </Menu.ItemIndicator>
                </Menu.RadioItem>
              );
            })}
          </Menu.RadioGroup>
          <Menu.Separator className="my-1 h-px bg-line" />
          <Menu.Item className={ITEM} disabled={leaving} onSelect={() => startLeaving(() => signOut())}>
            <LogOut aria-hidden className="size-4" />
            Sign out
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

function initials(name: string): string {
  const parts = name.trim().split(/[\s@.]+/).filter((part) => part !== '');
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) => Array.from(part ?? '')[0]?.toUpperCase() ?? '').join('');
}
