import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useDeferredValue, useState } from 'react';
import { read } from '../data/service.ts';
import { useKey } from '../data/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Band } from '../parts/marks.tsx';
import { usePages } from './pages.ts';

/** Ctrl-K: goes to an asset or a page. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const signedIn = useKey() !== null;
  const pages = usePages();
  const navigate = useNavigate();
  const found = useQuery({
    ...read('GET /v1/rms', { query: { search, limit: 8 } }),
    enabled: signedIn && search !== '',
    placeholderData: keepPreviousData,
  });
  const assets = search === '' ? [] : (found.data?.data ?? []);
  const word = search.toLowerCase();
  const matching = pages.filter(({ title, words }) => `${title} ${words}`.toLowerCase().includes(word));
  const values = [...assets.map(({ asset }) => asset.id), ...matching.map(({ title }) => `page ${title}`)];
  const [pointed, setPointed] = useState('');
  // What is found comes after the letter that asked for it: Enter goes to the first as soon as it is there.
  const chosen = values.includes(pointed) ? pointed : (values[0] ?? '');
  const go = (where: NavigateOptions) => {
    onClose();
    navigate(where);
  };
  return (
    <Dialog title="Go to an asset or a page" hideTitle onClose={onClose} className="palette">
      <Command shouldFilter={false} label="Go to" value={chosen} onValueChange={setPointed}>
        <Command.Input placeholder="Name, symbol, address, page" value={typed} onValueChange={setTyped} autoFocus />
        <Command.List>
          <Command.Empty>
            {found.isFetching ? 'Searching the rated assets …' : 'No rated asset and no page begins so.'}
          </Command.Empty>
          {assets.length > 0 && (
            <Command.Group heading="Assets">
              {assets.map(({ asset, band }) => (
                <Command.Item
                  key={asset.id}
                  value={asset.id}
                  onSelect={() => go({ to: '/asset/$name', params: { name: asset.id } })}
                >
                  <Band band={band} /> <b>{asset.symbol ?? asset.name ?? asset.id}</b>{' '}
                  <span className="q">{asset.name}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {matching.length > 0 && (
            <Command.Group heading="Pages">
              {matching.map(({ path, title }) => (
                <Command.Item key={title} value={`page ${title}`} onSelect={() => go({ to: path })}>
                  {title}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}
