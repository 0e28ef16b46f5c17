import type { ComponentProps } from 'react';

/** A button that submits no form; `primary` for the main action of the page. Other styles are a `className`. */
export function Button({
  primary = false,
  className = primary ? 'button primary' : 'button',
  ...rest
}: ComponentProps<'button'> & { readonly primary?: boolean }) {
  return <button type="button" className={className} {...rest} />;
}
