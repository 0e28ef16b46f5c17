export { assetName, coinOf, isCoin, issuerOf, rowsOf, useOwnRegisters } from './load.ts';
export { observeRegisters, type RegisterRow, type RegisterRows } from './observe.ts';
export { RegisterTermsSchema, registerTerms } from './terms.ts';
