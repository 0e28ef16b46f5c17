import Type, { type TSchema } from 'typebox';
import { CHAINS } from '../../chains/index.ts';
import type { Reply } from '../../contract/index.ts';
import type { Result } from '../../domain/index.ts';
import { type ChainAsset, chainAssetOf } from '../asset-path.ts';
import type { ToolFailure, ToolTools } from '../tool.ts';
import { assetInput } from '../views.ts';

/** Input of tools for chain data. */
export const chainInput = {
  asset: assetInput,
  chain: Type.Optional(
    Type.String({
      enum: CHAINS.map(({ name }) => name),
      description: 'Needed unless asset is a CAIP-19 id or chain:address.',
    }),
  ),
};

/** Requests chain data of the caller's asset, at the path from `pathOf`. */
export async function requestOfChain<Schema extends TSchema>(
  { asset, chain }: { readonly asset: string; readonly chain?: string | undefined },
  pathOf: (where: ChainAsset) => string,
  schema: Schema,
  { send }: Pick<ToolTools, 'send'>,
): Promise<Result<Reply<Schema>, ToolFailure>> {
  const where = chainAssetOf(asset, chain);
  return where.ok ? send({ method: 'GET', path: pathOf(where.value) }, schema) : where;
}
