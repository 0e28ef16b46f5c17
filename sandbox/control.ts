import type { SandboxClock } from './clock.ts';
import type { FacadeReply, FacadeRequest } from './facade.ts';
import { type FaultBook, parseFault } from './faults.ts';
import type { World } from './world/world.ts';

/** The control interface under `/__control`: faults, the clock, the lists of assets, request counts. */
export function control(
  request: FacadeRequest,
  world: World,
  faults: FaultBook,
  counts: ReadonlyMap<string, number>,
  clock: SandboxClock,
): FacadeReply {
  switch (`${request.method} ${request.path}`) {
    case 'GET /faults':
      return { json: faults.list() };
    case 'POST /faults': {
      const wanted = (Array.isArray(request.body) ? request.body : [request.body]).map(parseFault);
      const wrong = wanted.filter((fault) => typeof fault === 'string');
      if (wrong.length > 0) return { status: 400, json: { errors: wrong } };
      for (const fault of wanted) if (typeof fault !== 'string') faults.add(fault);
      return { json: faults.list() };
    }
    case 'DELETE /faults':
      faults.clear();
      return { json: [] };
    case 'GET /world':
      return { json: world.assets.map(describe) };
    case 'GET /bare':
      return {
        json: world.bare.map(({ slug, chain, address, decimals, supply, note }) => ({
          slug,
          chain,
          address,
          decimals,
          supply: supply.toString(),
          note,
        })),
      };
    case 'GET /clock':
      return { json: clock.describe() };
    case 'POST /clock': {
      const set = clock.set(request.body);
      return set === null ? { json: clock.describe() } : { status: 400, json: { errors: [set] } };
    }
    case 'GET /requests':
      return { json: Object.fromEntries([...counts].sort()) };
    default:
      return {
        status: 404,
        json: {
          error:
            'GET|POST|DELETE /__control/faults, GET|POST /__control/clock, GET /__control/world, GET /__control/bare, GET /__control/requests',
        },
      };
  }
}

function describe(asset: World['assets'][number]) {
  return {
    name: asset.name,
    url: asset.url,
    symbol: asset.symbol || null,
    chain: asset.chain,
    address: asset.address || null,
    category: asset.category,
    kind: asset.kind,
    expect: asset.note,
  };
}
