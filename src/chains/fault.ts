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
