import { compact, dollars, many, shortAddress, words } from '../../format.ts';
import { useWidth } from '../../parts/use-width.ts';
import type { Forensics } from '../../types.ts';

interface Node {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly layer: number;
  readonly look: 'pool' | 'creator' | 'service' | 'wallet' | 'end';
}
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly usd: number | null;
  readonly tokens: number | null;
}

const MOST_NODES = 40;
const ROW = 44;
const BOX = 132;

/** Flow of funds as a graph: from the pools through their recipients to the last address; the width of a line is its value in dollars. */
export function MoneyGraph({ found }: { readonly found: Forensics }) {
  const [frame, width] = useWidth<HTMLDivElement>(900);
  const { nodes, edges } = graphOf(found);
  if (edges.length === 0) return null;
  const layers = Math.max(...nodes.map(({ layer }) => layer)) + 1;
  const stack = new Map<number, number>();
  const places = new Map(
    nodes.map((node) => {
      const row = stack.get(node.layer) ?? 0;
      stack.set(node.layer, row + 1);
      return [node.id, { ...node, row }];
    }),
  );
  const height = Math.max(...stack.values()) * ROW + 8;
  const wide = Math.max(width, layers * (BOX + 40));
  const x = (layer: number) => 2 + (layers === 1 ? 0 : (layer / (layers - 1)) * (wide - BOX - 4));
  const most = Math.max(1, ...edges.map(({ usd }) => usd ?? 0));
  return (
    <section className="panel money-graph" aria-label="The money as a graph">
      <h2>The money as a graph</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div ref={frame} className="graph-frame" tabIndex={0}>
        <svg
          width={wide}
          height={height}
          viewBox={`0 0 ${wide} ${height}`}
          role="img"
          aria-label={`${many(edges.length, 'payment')} between ${many(nodes.length, 'place')}; the tables below list each of them`}
        >
          {edges.map(({ from, to, usd, tokens }) => {
            const [a, b] = [places.get(from), places.get(to)];
            if (a === undefined || b === undefined) return null;
            const [x1, y1] = [x(a.layer) + BOX, a.row * ROW + 20];
            const [x2, y2] = [x(b.layer), b.row * ROW + 20];
            const thick = 1.2 + 7 * Math.sqrt((usd ?? 0) / most);
            const worth = usd === null ? (tokens === null ? '' : `${compact(tokens)} tokens`) : dollars(usd);
            return (
              <g key={`${from} ${to}`} className="edge">
                <path d={`M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`} strokeWidth={thick}>
                  <title>{`${a.title} to ${b.title}: ${worth || 'amount not known'}`}</title>
                </path>
                {worth !== '' && (
                  <text x={x2 - 6} y={y2 - 5} textAnchor="end">
                    {worth}
                  </text>
                )}
              </g>
            );
          })}
          {[...places.values()].map(({ id, title, note, layer, row, look }) => (
            <g key={id} className={`node ${look}`} transform={`translate(${x(layer)} ${row * ROW + 3})`}>
              <rect width={BOX} height={34} rx={4}>
                <title>{id}</title>
              </rect>
              <text x={7} y={14}>
                {title.slice(0, 20)}
              </text>
              <text x={7} y={27} className="note">
                {note.slice(0, 22)}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </section>
  );
}

function graphOf(found: Forensics): { readonly nodes: readonly Node[]; readonly edges: readonly Edge[] } {
  const creator = found.creator?.address ?? null;
  const tied = new Set(found.links.map(({ wallet }) => wallet));
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  const put = (id: string, layer: number, title: string, note: string, look: Node['look']) => {
    const before = nodes.get(id);
    if (before === undefined ? nodes.size < MOST_NODES : before.layer < layer && before.look !== 'pool')
      nodes.set(id, { id, layer, title, note, look });
  };
  const wallet = (id: string, layer: number, label: string | undefined, isService: boolean) => {
    const note =
      id === creator ? 'the creator' : isService ? 'a service' : tied.has(id) ? 'tied to the creator' : 'wallet';
    put(id, layer, label ?? shortAddress(id), note, id === creator ? 'creator' : isService ? 'service' : 'wallet');
  };
  const pay = (from: string, to: string, usd: number | null, tokens: number | null) => {
    const before = edges.get(`${from} ${to}`);
    const sum = (a: number | null | undefined, b: number | null) =>
      a == null && b === null ? null : (a ?? 0) + (b ?? 0);
    edges.set(`${from} ${to}`, { from, to, usd: sum(before?.usd, usd), tokens: sum(before?.tokens, tokens) });
  };
  for (const { pool, dex, kind, recipients } of found.events) {
    put(pool, 0, words(dex), `pool ${shortAddress(pool)}`, 'pool');
    for (const { address, labels, usd, amount } of recipients) {
      wallet(address, 1, labels[0]?.name, false);
      if (kind === 'removal' || kind === 'sale') pay(pool, address, usd, amount);
    }
  }
  for (const { from, to, to_labels: labels, to_is_service: isService, step, usd, amount } of found.flows) {
    wallet(from, step, undefined, false);
    if (to === null) put(`exchanged by ${from}`, step + 1, 'exchanged', 'for something else', 'end');
    else wallet(to, step + 1, labels[0]?.name, isService);
    pay(from, to ?? `exchanged by ${from}`, usd, amount);
  }
  const shown = [...edges.values()].filter(({ from, to }) => nodes.has(from) && nodes.has(to) && from !== to);
  return {
    nodes: [...nodes.values()],
    edges: shown.filter(({ from, to }) => (nodes.get(from)?.layer ?? 0) < (nodes.get(to)?.layer ?? 0)),
  };
}
