import { Histogram, type Registry } from 'prom-client';

type Label = 'route' | 'method' | 'status';

/**
 * Requests of one route, method and status: the number within each bound but not the one before (`within`), the total
 * number, and the sum of their seconds.
 */
interface Row {
  readonly within: number[];
  count: number;
  sum: number;
}

interface Value {
  readonly metricName: string;
  readonly labels: { readonly le?: number | '+Inf' };
  readonly sharedLabels: Readonly<Record<Label, string | number>>;
  readonly value: number;
}

/**
 * Histogram of requests that counts by itself and converts to the form of prom-client when metrics are read. An
 * observation of prom-client takes 0.7 microseconds even with a bound child, a fiftieth of a hot read; this one takes a
 * tenth of that.
 */
export class RequestHistogram extends Histogram<Label> {
  readonly #bounds: readonly number[];
  readonly #about: { readonly name: string; readonly help: string };
  // By route, method and status: there are few of each, and a look-up needs no string concatenation.
  readonly #rows = new Map<string, Map<string, Map<number, Row>>>();

  constructor(name: string, help: string, bounds: readonly number[], registry: Registry) {
    super({ name, help, labelNames: ['route', 'method', 'status'], buckets: [...bounds], registers: [registry] });
    this.#bounds = bounds;
    this.#about = { name, help };
  }

  ended(route: string, method: string, status: number, seconds: number): void {
    const row = this.#rows.get(route)?.get(method)?.get(status) ?? this.#added(route, method, status);
    row.count += 1;
    row.sum += seconds;
    for (let index = 0; index < this.#bounds.length; index += 1) {
      if (seconds > (this.#bounds[index] as number)) continue;
      row.within[index] = (row.within[index] as number) + 1;
      return;
    }
  }

  /** Called by the registry and by `get` of the class. Labels that all values of a row share are in `sharedLabels`. */
  async getForPromString() {
    const values: Value[] = [];
    for (const [route, methods] of this.#rows)
      for (const [method, statuses] of methods)
        for (const [status, row] of statuses) values.push(...this.#valuesOf({ route, method, status }, row));
    return { ...this.#about, type: 'histogram', aggregator: 'sum', values };
  }

  override reset(): void {
    // The constructor of the class calls this before the field exists.
    if (#rows in this) this.#rows.clear();
  }

  #added(route: string, method: string, status: number): Row {
    const row: Row = { within: this.#bounds.map(() => 0), count: 0, sum: 0 };
    const methods = this.#rows.get(route) ?? new Map<string, Map<number, Row>>();
    const statuses = methods.get(method) ?? new Map<number, Row>();
    this.#rows.set(route, methods.set(method, statuses.set(status, row)));
    return row;
  }

  /** Values of a row; buckets are cumulative. */
  #valuesOf(sharedLabels: Value['sharedLabels'], { within, count, sum }: Row): readonly Value[] {
    let below = 0;
    const value = (of: string, number: number, labels: Value['labels'] = {}): Value => ({
      metricName: `${this.#about.name}_${of}`,
      labels,
      sharedLabels,
      value: number,
    });
    return [
      ...this.#bounds.map((le, index) => {
        below += within[index] ?? 0;
        return value('bucket', below, { le });
      }),
      value('bucket', count, { le: '+Inf' }),
      value('sum', sum),
      value('count', count),
    ];
  }
}
