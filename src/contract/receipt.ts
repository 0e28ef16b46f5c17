import Type from 'typebox';
import { AlertView } from './alert.ts';
import { DataMode, nullableText, nullableTime, oneOf } from './vocabulary.ts';

/** The path of a receipt. */
export const ReceiptParams = Type.Object({
  receipt: Type.String({ description: 'Header `Assay-Receipt` of the reply that was paid for.', maxLength: 100 }),
});

/** The purchase of one payment, and later corrections of it. */
export const ReceiptView = Type.Object(
  {
    state: oneOf(
      '`settled`; or `unknown` while it is not known whether the transfer was made: the same payment can be sent again, and is settled at most once.',
      ['settled', 'unknown'],
    ),
    paid_at: nullableTime('When the payment was settled; null unless `settled`.'),
    class: oneOf('What was bought.', ['ratings', 'snapshots']),
    resource: Type.String({ description: 'Path that was read.' }),
    network: Type.String({ description: 'CAIP-2 id of the chain of the payment.', examples: ['eip155:8453'] }),
    token: Type.String({ description: 'Address of the token, in lower case.' }),
    amount: Type.String({ description: 'Units of the token.' }),
    payer: Type.String({ description: 'Address that paid, in lower case.' }),
    transaction: nullableText('Hash of the transaction; null when the facilitator named none.'),
    corrections: Type.Array(AlertView, {
      description:
        'Corrections of ratings that this payer read, by this payment or another, the newest first, at most 100; each is an alert of the kind `correction`. All corrections of all ratings: GET /v1/restatements.',
    }),
    data_mode: DataMode,
  },
  { title: 'Receipt', description: 'What was bought with one payment, and what was corrected since.' },
);
