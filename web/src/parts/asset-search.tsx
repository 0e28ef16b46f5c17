import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useDeferredValue } from 'react';
import { read } from '../data/service.ts';
import type { ReplyOf } from '../types.ts';
import { Band } from './marks.tsx';

type Found = ReplyOf<'GET /v1/rms'>['data'][number];

/** The rated assets that begin with the text; the first ones of all without a text. */
export function useAssetSearch(typed: string, enabled = true) {
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    ...read('GET /v1/rms', { query: { limit: 8, ...(search ? { search } : {}) } }),
    enabled,
    placeholderData: keepPreviousData,
  });
  return { search, isFetching: found.isFetching, assets: enabled ? (found.data?.data ?? []) : [] };
}

export function FoundAsset({ of: { asset, band }, onPick }: { readonly of: Found; readonly onPick: () => void }) {
  return (
    <Command.Item value={asset.id} onSelect={onPick}>
      <Band band={band} /> <b>{asset.symbol ?? asset.name ?? asset.id}</b> <span className="q">{asset.name}</span>
    </Command.Item>
  );
}
