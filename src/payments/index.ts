/** Single requests paid for by x402. */

export { forgetPayments, openPayments, type Payments, type TakenPayment } from './payments.ts';
export { headerOf } from './protocol.ts';
export { type Purchase, payerAccount, purchaseOf } from './receipts.ts';
