import Link from 'next/link';
import type { ComponentProps } from 'react';
import { classNames } from './class-names';

/** A link within text: underlined, since colour alone does not say that it is one. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={classNames('text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent', className)}
      {...rest}
    />
  );
}
