import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** A link to a page that looks like a button. */
export const LinkButton = createLink(
  ({ primary = false, className = '', ...rest }: ComponentProps<'a'> & { readonly primary?: boolean }) => (
    <a className={`${primary ? 'button primary' : 'button'} ${className}`} {...rest} />
  ),
);
