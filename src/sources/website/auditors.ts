import { githubRepo, registrableDomain } from '../read.ts';

/** Hosts of audit firms: a link counts as an audit only when it leads to one of them, or to a report in the firm's repository. */
export const AUDITORS: Readonly<Record<string, string>> = {
  'certik.com': 'CertiK',
  'hacken.io': 'Hacken',
  'openzeppelin.com': 'OpenZeppelin',
  'trailofbits.com': 'Trail of Bits',
  'halborn.com': 'Halborn',
  'quantstamp.com': 'Quantstamp',
  'consensys.io': 'Consensys Diligence',
  'consensys.net': 'Consensys Diligence',
  'peckshield.com': 'PeckShield',
  'slowmist.com': 'SlowMist',
  'ottersec.io': 'OtterSec',
  'osec.io': 'OtterSec',
  'neodyme.io': 'Neodyme',
  'zellic.io': 'Zellic',
  'spearbit.com': 'Spearbit',
  'cantina.xyz': 'Cantina',
  'sherlock.xyz': 'Sherlock',
  'code4rena.com': 'Code4rena',
  'chainsecurity.com': 'ChainSecurity',
  'sigmaprime.io': 'Sigma Prime',
  'kudelskisecurity.com': 'Kudelski Security',
  'omniscia.io': 'Omniscia',
  'dedaub.com': 'Dedaub',
  'mixbytes.io': 'MixBytes',
  'statemind.io': 'Statemind',
  'ackee.xyz': 'Ackee',
  'runtimeverification.com': 'Runtime Verification',
  'solidproof.io': 'SolidProof',
  'cyfrin.io': 'Cyfrin',
};

/** Where firms publish their reports on GitHub, by owner. */
const PUBLISHERS: Readonly<Record<string, string>> = {
  trailofbits: 'Trail of Bits',
  spearbit: 'Spearbit',
  zellic: 'Zellic',
  peckshield: 'PeckShield',
  mixbytes: 'MixBytes',
  solidproof: 'SolidProof',
};

/** The audit firm whose host, or whose own repository, a link leads to; null for any other. */
export function auditorOf(url: string): string | null {
  const domain = registrableDomain(url);
  if (domain !== null) return AUDITORS[domain] ?? null;
  const [owner, name] = githubRepo(url)?.split('/') ?? [];
  return owner !== undefined && name !== undefined ? (PUBLISHERS[owner.toLowerCase()] ?? null) : null;
}
