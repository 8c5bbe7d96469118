import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { CONTROL } from './control-style';

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={classNames(CONTROL, 'min-h-28 resize-y py-2 leading-relaxed', className)} {...rest} />;
}
