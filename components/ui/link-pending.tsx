'use client';
import { LoaderCircle } from 'lucide-react';
import { useLinkStatus } from 'next/link';
import { classNames } from './class-names';

/**
 * Within a link: turns while the page that it leads to is on its way, after a moment in
 * which most pages have come. Pages have no loading screens of the server: a screen that
 * is sent before the page would answer 200 for what is not there, and would stay for
 * ever where there is no JavaScript.
 */
export function LinkPending({ className }: { readonly className?: string }) {
  const { pending } = useLinkStatus();
  return pending ? <LoaderCircle aria-hidden className={classNames('size-3.5 shrink-0 animate-late', className)} /> : null;
}
