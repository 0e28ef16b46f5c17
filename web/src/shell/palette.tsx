import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { useKey } from '../data/session.ts';
import { FoundAsset, useAssetSearch } from '../parts/asset-search.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { usePages } from './pages.ts';

/** Ctrl-K: opens an asset or a page. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const signedIn = useKey() !== null;
  const pages = usePages();
  const navigate = useNavigate();
  const { search, assets, isFetching } = useAssetSearch(typed, signedIn && typed.trim() !== '');
  const word = search.toLowerCase();
  const matching = pages.filter(({ title, words }) => `${title} ${words}`.toLowerCase().includes(word));
  const values = [...assets.map(({ asset }) => asset.id), ...matching.map(({ title }) => `page ${title}`)];
  const [pointed, setPointed] = useState('');
  // Results come after the letter that requested them: Enter opens the first as soon as it is there.
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
            {isFetching ? 'Searching the rated assets …' : 'No rated asset and no page begins so.'}
          </Command.Empty>
          {assets.length > 0 && (
            <Command.Group heading="Assets">
              {assets.map((one) => (
                <FoundAsset
                  key={one.asset.id}
                  of={one}
                  onPick={() => go({ to: '/asset/$name', params: { name: one.asset.id } })}
                />
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
