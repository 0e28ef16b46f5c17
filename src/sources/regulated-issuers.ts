import issuers from './regulated-issuers.json' with { type: 'json' };

/**
 * Tokens whose minting and freezing keys belong to an issuer that discloses them and stands under a regulator. A short
 * hand-kept list: an address is on it only when the issuer itself publishes it (`source`). A token that is not on it is
 * judged by what its keys are.
 */
export interface RegulatedIssuer {
  readonly chain: string;
  readonly address: string;
  readonly issuer: string;
  readonly source: string;
}

const BY_ASSET: ReadonlyMap<string, RegulatedIssuer> = new Map(
  issuers.map((row) => [`${row.chain}:${row.address}`, row]),
);

/** The issuer of this very token (canonical address), or null. */
export function regulatedIssuer(chain: string, address: string): RegulatedIssuer | null {
  return BY_ASSET.get(`${chain}:${address}`) ?? null;
}
