import type { ComponentProps } from 'react';

/** A button that sends no form; `primary` for the one that the page is about. Other looks are a `className`. */
export function Button({
  primary = false,
  className = primary ? 'button primary' : 'button',
  ...rest
}: ComponentProps<'button'> & { readonly primary?: boolean }) {
  return <button type="button" className={className} {...rest} />;
}
