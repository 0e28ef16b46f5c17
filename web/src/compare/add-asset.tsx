import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useDeferredValue, useState } from 'react';
import { read } from '../data/service.ts';
import { Icon } from '../parts/icon.tsx';
import { Band } from '../parts/marks.tsx';
import { Popover } from '../parts/popover.tsx';

/** A search of the rated assets that stays open while several are added. */
export function AddAsset({
  taken,
  onAdd,
}: {
  readonly taken: readonly string[];
  readonly onAdd: (id: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    ...read('GET /v1/rms', { query: { limit: 8, ...(search ? { search } : {}) } }),
    placeholderData: keepPreviousData,
  });
  const rows = (found.data?.data ?? []).filter(({ asset }) => !taken.includes(asset.id));
  return (
    <Popover
      title="Add an asset"
      className="chip"
      label={
        <>
          <Icon name="plus" /> Add an asset
        </>
      }
    >
      <Command shouldFilter={false} label="Add an asset" className="palette">
        <Command.Input placeholder="Name, symbol or address" value={typed} onValueChange={setTyped} />
        <Command.List>
          <Command.Empty>{found.isFetching ? 'Searching …' : 'No rated asset begins so.'}</Command.Empty>
          {rows.map(({ asset, band }) => (
            <Command.Item key={asset.id} value={asset.id} onSelect={() => onAdd(asset.id)}>
              <Band band={band} /> <b>{asset.symbol ?? asset.name}</b> <span className="q">{asset.name}</span>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Popover>
  );
}
