import Type from 'typebox';
import { CHAINS } from '../../domain/chains.ts';
import { assetInput } from '../views.ts';

/** How chain data is asked for. */
export const chainInput = {
  asset: assetInput,
  chain: Type.Optional(
    Type.String({
      enum: CHAINS.map(({ name }) => name),
      description: 'Needed unless asset is a CAIP-19 id or chain:address.',
    }),
  ),
};
