import { cva } from 'class-variance-authority';

/** For what looks like a button: a button, or a link that leads to an action. */
export const buttonStyle = cva(
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors select-none aria-disabled:opacity-60 disabled:opacity-60 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        primary: 'border-transparent bg-accent text-accent-ink hover:bg-accent-hover',
        plain: 'border-line-strong/70 bg-surface text-ink hover:bg-sunken',
        quiet: 'border-transparent bg-transparent text-ink-soft hover:bg-sunken hover:text-ink',
        danger: 'border-bad/60 bg-surface text-bad hover:bg-bad-soft',
      },
      size: {
        small: 'h-7 px-2 text-xs [&_svg]:size-3.5',
        medium: 'h-9 px-3 text-sm [&_svg]:size-4',
        /** Square: an icon whose name is in its label. */
        icon: 'size-8 [&_svg]:size-4',
      },
    },
    defaultVariants: { look: 'plain', size: 'medium' },
  },
);
