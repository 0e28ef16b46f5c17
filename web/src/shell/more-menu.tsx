import { Link } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import { forgetKey } from '../data/service.ts';
import { Icon } from '../parts/icon.tsx';
import { usePages } from './pages.ts';
import { setTheme, THEMES, useTheme } from './theme.tsx';

/** All pages that are not in the bar (on a phone: all), the theme, and sign-out. */
export function MoreMenu({ signedIn }: { readonly signedIn: boolean }) {
  const theme = useTheme();
  const pages = usePages();
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger className="button quiet-button" aria-label="Menu: more pages, theme, sign out">
        <Icon name="menu" /> <span className="wide">More</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById('overlays')}>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {pages.map(({ path, title, place }) => (
            <DropdownMenu.Item key={path} asChild className={place === 'bar' ? 'menu-item narrow' : 'menu-item'}>
              <Link to={path}>{title}</Link>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Item asChild className="menu-item">
            <a href="/docs">API reference</a>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value) => setTheme(THEMES.find((one) => one === value) ?? 'system')}
          >
            {THEMES.map((one) => (
              <DropdownMenu.RadioItem key={one} value={one} className="menu-item">
                {one === 'system' ? 'Theme of the system' : `${one === 'light' ? 'Light' : 'Dark'} theme`}
                <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          {signedIn ? (
            <DropdownMenu.Item className="menu-item" onSelect={forgetKey}>
              Sign out
            </DropdownMenu.Item>
          ) : (
            <DropdownMenu.Item asChild className="menu-item">
              <Link to="/">Sign in</Link>
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
