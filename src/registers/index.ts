export {
  registerNames,
  registerPage,
  registerSchema,
  registerSummaries,
} from './book.ts';
export {
  checkFolder,
  contentOf,
  differences,
  merged,
  publicCopies,
} from './check.ts';
export { citedRows } from './cite.ts';
export { againstEsma, asListed, citedLicence, type ListedIssuer, papersOf } from './licences.ts';
export {
  assetName,
  assetNamed,
  canonicalDeployment,
  coinOf,
  isCoin,
  issuerOf,
  labelsOf,
  nameOfId,
  namesBearing,
  readRegister,
  rowsOf,
  SHIPPED_FOLDER,
  useOwnRegisters,
} from './load.ts';
export { observeRegisters, type RegisterRows } from './observe.ts';
export type { PositionBook, PositionMarket, PositionRead, PositionTerm, PositionTerms } from './position-schema.ts';
export {
  type CsvRow,
  complaintOf,
  dayOf,
  EMT_COLUMNS,
  type Finding,
  leiComplaint,
  NONCOMPLIANT_COLUMNS,
  type PublicCopy,
  readCsv,
} from './public.ts';
export { complaintsOf, REGISTER_NAMES, type RegisterName } from './schema.ts';
export { positionTerms, RegisterTermsSchema, registerTerms } from './terms.ts';
