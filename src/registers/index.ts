export { assetName, issuerOf, rowsOf, useOwnRegisters } from './load.ts';
export { observeRegisters, type RegisterRows } from './observe.ts';
export { RegisterTermsSchema, registerTerms } from './terms.ts';
