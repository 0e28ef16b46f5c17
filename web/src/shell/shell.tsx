import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { setClock } from '../data/clock.ts';
import { read } from '../data/service.ts';
import { useKey } from '../data/session.ts';
import { Icon } from '../parts/icon.tsx';
import { ReceiptHost } from '../parts/receipt.tsx';
import { ToastHost } from '../parts/toast.tsx';
import { usePages } from './pages.ts';
import { SignIn } from './sign-in.tsx';
import './theme.tsx';
import { Button } from '../parts/button.tsx';

const MoreMenu = lazy(() => import('./more-menu.tsx').then(({ MoreMenu }) => ({ default: MoreMenu })));
const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })));

/** Banner, navigation, and the page that the address names. */
export function Shell() {
  const health = useQuery(read('GET /healthz'));
  const status = useQuery({ ...read('GET /v1/status'), staleTime: 600_000 });
  const key = useKey();
  const pages = usePages();
  const [finding, setFinding] = useState(false);
  const matches = useMatches();
  const facts = matches.at(-1)?.staticData ?? {};
  const path = matches.at(-1)?.pathname;
  const isOpening = useRouterState({ select: ({ isLoading }) => isLoading });
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = facts.title ? `${facts.title} · Assay` : 'Assay';
  }, [facts.title]);
  useEffect(() => {
    if (status.data) setClock(status.data.as_of, status.dataUpdatedAt);
  }, [status.data, status.dataUpdatedAt]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setFinding(true);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  // A screen reader announces the new page; the changed address alone is silent.
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each new page, not at each change of its filters
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  return (
    <ToastHost>
      <Button className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </Button>
      <header className="top">
        <Link to="/" className="brand" aria-label="Assay, start">
          <img src="/icon.svg" alt="" width="20" height="20" /> <span>Assay</span>
        </Link>
        <nav aria-label="Pages" className="bar">
          {pages
            .filter(({ place }) => place === 'bar')
            .map(({ path, title }) => (
              <Link key={path} to={path}>
                {title}
              </Link>
            ))}
        </nav>
        <MenuButton signedIn={key !== null} />
        <Button className="find" onClick={() => setFinding(true)}>
          <Icon name="search" /> <span>Name, symbol, address, page</span> <kbd>Ctrl K</kbd>
        </Button>
        {health.data?.data_mode === 'sandbox' && (
          <span className="sandbox" title="Every asset, source and number here is fictional.">
            <b>SANDBOX</b>
            <span className="wide"> all data fictional</span>
          </span>
        )}
      </header>
      {key === null && facts.open !== true ? (
        <main id="content" className="page" ref={main} tabIndex={-1}>
          <SignIn />
        </main>
      ) : (
        <main id="content" className="page" ref={main} tabIndex={-1} aria-busy={isOpening}>
          <ReceiptHost>
            <Outlet />
          </ReceiptHost>
        </main>
      )}
      <aside id="overlays" aria-label="Menus and hints" />
      <footer className="end">
        <span>Unsolicited opinions about risk. Not credit ratings, not investment advice.</span>
        <span>{health.data ? `Assay ${health.data.version}` : ''}</span>
      </footer>
      {finding && (
        <Suspense>
          <Palette onClose={() => setFinding(false)} />
        </Suspense>
      )}
    </ToastHost>
  );
}

/** The menu is loaded when it is opened for the first time. */
function MenuButton({ signedIn }: { readonly signedIn: boolean }) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <Button
      className="button quiet-button"
      aria-haspopup="menu"
      aria-label="Menu: more pages, theme, sign out"
      onClick={() => setWanted(true)}
    >
      <Icon name="menu" /> <span className="wide">More</span>
    </Button>
  );
  return wanted ? (
    <Suspense fallback={button}>
      <MoreMenu signedIn={signedIn} />
    </Suspense>
  ) : (
    button
  );
}
