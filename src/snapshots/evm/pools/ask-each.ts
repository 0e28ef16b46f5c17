import type { ChainFault, EvmCall, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../types.ts';

/** Asks the same of many things together; answers come per thing, in order. */
export type Ask = <Item>(
  items: readonly Item[],
  calls: (item: Item) => readonly EvmCall[],
) => Promise<Result<readonly (readonly (Hex | null)[])[], ChainFault>>;

/** All calls of all items in as few requests as they fit, at one block. */
export function askingAt(reader: EvmReader, block: number, signal?: AbortSignal): Ask {
  return async (items, calls) => {
    const lists = items.map(calls);
    const reply = await reader.calls(lists.flat(), block, signal);
    if (!reply.ok) return reply;
    let at = 0;
    return {
      ok: true,
      value: lists.map((list) => {
        const part = reply.value.results.slice(at, at + list.length);
        at += list.length;
        return part;
      }),
    };
  };
}
