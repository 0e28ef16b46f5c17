/** Why a chain could not be read. `detail` names no address of ours and no key. */
export interface ChainFault {
  readonly reason:
    | 'unreachable'
    | 'rate_limited'
    | 'refused'
    | 'malformed'
    | 'not_found'
    | 'too_large'
    | 'cancelled'
    | 'reorganised'
    | 'reverted';
  readonly detail: string;
}

/** The failing side of a `Result` of a chain read. */
export function fault(reason: ChainFault['reason'], detail: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason, detail };
}
