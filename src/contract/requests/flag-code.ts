import Type, { type TString } from 'typebox';
import { nearestName } from '../../domain/index.ts';
import { loadMethodology } from '../../methodology/index.ts';

/** Code of a flag of the methodology. No version took one away, so those of earlier ratings are among them. */
export function flagCode(description: string): TString {
  const code = Type.String({ pattern: '^[A-Z0-9_]{1,60}$', description });
  return Type.Refine(
    code,
    (given) => codes().includes(given),
    (given) => {
      const near = nearestName(String(given).slice(0, 60).toUpperCase(), codes());
      return `expected the code of a flag of GET /v1/methodology${near === null ? '' : ` (did you mean ${near}?)`}`;
    },
  );
}

/** Read on the first request that names a flag: the methodology is not loaded by whoever only describes requests. */
function codes(): readonly string[] {
  return loadMethodology().flags.map(({ code }) => code);
}
