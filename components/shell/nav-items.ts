import { CirclePlus, LayoutDashboard, ListTree, Settings, type LucideIcon } from 'lucide-react';
import type { Role } from '@/lib/domain/role';

export interface NavItem {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Others do not see it; the page itself refuses them too. */
  readonly needs: Role;
  /** Pages below it count as it, but for those that have an item of their own. */
  readonly within: (path: string) => boolean;
}

export const NAV_ITEMS: readonly NavItem[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard, needs: 'viewer', within: (path) => path === '/' },
  { href: '/runs', label: 'Runs', icon: ListTree, needs: 'viewer', within: (path) => path.startsWith('/runs') && path !== '/runs/new' },
  { href: '/runs/new', label: 'New run', icon: CirclePlus, needs: 'member', within: (path) => path === '/runs/new' },
  { href: '/settings', label: 'Settings', icon: Settings, needs: 'viewer', within: (path) => path.startsWith('/settings') },
];
