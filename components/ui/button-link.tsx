import type { VariantProps } from 'class-variance-authority';
import Link from 'next/link';
import type { ComponentProps } from 'react';
import { buttonStyle } from './button-style';
import { classNames } from './class-names';
import { LinkPending } from './link-pending';

type ButtonLinkProps = ComponentProps<typeof Link> & VariantProps<typeof buttonStyle>;

export function ButtonLink({ look, size, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link className={classNames(buttonStyle({ look, size }), className)} {...rest}>
      {children}
      <LinkPending />
    </Link>
  );
}
