import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { CONTROL } from './control-style';

export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={classNames(CONTROL, 'h-9', className)} {...rest} />;
}
