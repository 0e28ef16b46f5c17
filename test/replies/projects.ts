import type { Check } from './compare.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What an adapter keeps of a list of persons, of programmes or of advisories, in the words of a check; undefined where it is about something else. */
export function statedOfProjects(source: string, rows: readonly unknown[], check: Check, learned: Fields): unknown {
  if (source === 'osv') return ofBatch((learned['osv.batch'] ?? {}) as Fields, check);
  if (source === 'ofac') return ofPersons(rows as readonly Fields[], check);
  if (source === 'esma') return ofRegister(rows as readonly { readonly rows: readonly Fields[] }[], check);
  return source === 'immunefi' ? ofProgramme(rows as readonly Fields[], check) : undefined;
}

function ofBatch({ results, ids, pagesLeft }: Fields, { quantity }: Check): unknown {
  const all = Array.isArray(ids) ? ids : [];
  const kept: Fields = {
    results_count: results,
    vulns_count: all.length,
    vulns_distinct: new Set(all).size,
    pages_left: pagesLeft,
    first_vuln: all[0],
  };
  return quantity in kept ? (kept[quantity] ?? null) : undefined;
}

function ofPersons(rows: readonly Fields[], { quantity }: Check): unknown {
  const digital = /^digital_addresses(?:_([A-Z]+))?$/.exec(quantity);
  if (digital === null) return undefined;
  return rows.filter(({ code }) => digital[1] === undefined || code === digital[1]).length;
}

/** A check names an issuer by a word of its name, and its legal entity beside that. */
function ofRegister([register]: readonly { readonly rows: readonly Fields[] }[], { quantity, scope, value }: Check) {
  const all = register?.rows ?? [];
  const [word = ''] = scope.split(':').slice(2);
  const named = new RegExp(word.replaceAll(/[_-]/g, '.*'), 'i');
  const own = all.filter((row) =>
    named.test(
      String(row.ae_lei_name)
        .normalize('NFD')
        .replaceAll(/[^\x20-\x7e]/g, ''),
    ),
  );
  const kept: Fields = {
    rows_count: all.length,
    lei_distinct: new Set(all.map(({ ae_lei }) => ae_lei)).size,
    rows_ended: all.filter(({ ac_authorisationEndDate: end }) => end !== '').length,
    register_rows: own.length,
    register_lei: own.find(({ ae_lei }) => ae_lei === value)?.ae_lei,
  };
  return quantity in kept ? (kept[quantity] ?? null) : undefined;
}

/** Dates in as many places as the check has. */
function ofProgramme(rows: readonly Fields[], { quantity, scope, value }: Check): unknown {
  if (quantity === 'programs_in_reply') return rows.length;
  const found = rows.find(({ slug }) => `program:${slug}` === scope);
  const counts = (found?.counts ?? {}) as Fields;
  const kept: Fields = {
    bounty_max_usd: found?.maxUsd,
    bounty_launch: String(found?.launchedAt).slice(0, String(value).length),
    bounty_updated: found?.updatedAt,
    bounty_kyc: found?.kyc,
    bounty_assets: counts.assets,
    bounty_impacts: counts.impacts,
    bounty_rewards: counts.rewards,
  };
  return quantity in kept ? (kept[quantity] ?? null) : undefined;
}
