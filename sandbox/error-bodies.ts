/** An error inside a 200, in the format of each source. */
export function errorBody(source: string): { readonly type: string; readonly text: string } {
  if (source === 'website')
    return { type: 'text/html', text: '<!doctype html><title>Just a moment...</title><h1>Checking your browser</h1>' };
  const body = BODIES[source] ?? { error: 'internal error' };
  return { type: 'application/json', text: JSON.stringify(body) };
}

const RPC_ERROR = { jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'Node is behind or limit exceeded' } };

const BODIES: Readonly<Record<string, unknown>> = {
  coingecko: { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } },
  geckoterminal: { errors: [{ status: '429', title: 'Rate Limited' }] },
  coinmarketcap: {
    status: { error_code: '1011', error_message: "You've hit an IP rate limit.", elapsed: 0, credit_count: 0 },
    data: null,
  },
  coinpaprika: { error: 'too many requests' },
  dexpaprika: { code: 500, message: 'internal error' },
  dexscreener: { schemaVersion: '1.0.0', pairs: null },
  raydium: { id: 'x', success: false, msg: 'internal error' },
  orca: { inner: 'internal error', status: 500 },
  meteora: { message: 'internal error' },
  binance: { code: -1003, msg: 'Too much request weight used.' },
  coinbase: { message: 'internal error' },
  birdeye: { success: false, message: 'Too many requests' },
  goplus: { code: 4029, message: 'too many requests', result: null },
  solana_rpc: RPC_ERROR,
  evm_rpc: RPC_ERROR,
  helius: RPC_ERROR,
  etherscan: { status: '0', message: 'NOTOK', result: 'Max calls per sec rate limit reached' },
  blockscout: { message: 'Internal server error' },
  github: { message: 'API rate limit exceeded', documentation_url: 'https://docs.github.com/rest' },
  rdap: { errorCode: 500, title: 'Internal error' },
  doh: { Status: 2, TC: false, RD: true, RA: true, AD: false, CD: false, Question: [] },
};
