import { Command } from 'cmdk';
import { useState } from 'react';
import { FoundAsset, useAssetSearch } from '../parts/asset-search.tsx';
import { Icon } from '../parts/icon.tsx';
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
  const { assets, isFetching } = useAssetSearch(typed);
  const rows = assets.filter(({ asset }) => !taken.includes(asset.id));
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
          <Command.Empty>{isFetching ? 'Searching …' : 'No rated asset begins so.'}</Command.Empty>
          {rows.map((one) => (
            <FoundAsset key={one.asset.id} of={one} onPick={() => onAdd(one.asset.id)} />
          ))}
        </Command.List>
      </Command>
    </Popover>
  );
}
