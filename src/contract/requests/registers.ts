import Type from 'typebox';
import { ROW_STATES } from '../register.ts';
import { choice, cursor, pageSize } from './fields.ts';

export const RegisterParams = Type.Object({
  name: Type.String({ description: 'Name of a register (GET /v1/registers).', examples: ['issuers'] }),
});
export const RegisterQuery = Type.Object({
  asset: Type.Optional(
    Type.String({
      maxLength: 300,
      pattern: '^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,64}/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}$',
      description: 'CAIP-19 id of the asset that rows are about.',
      examples: ['eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
    }),
  ),
  state: Type.Optional(choice(ROW_STATES, 'Only rows in this state.')),
  limit: pageSize(200, 50),
  cursor: cursor('^[A-Za-z0-9_-]+$', 300),
});
