/** One figure of a benchmark: where it is in the output, and its reference in the same run. */
export interface Figure {
  readonly what: string;
  /** The reference or limit in the same run; for a figure without one: its description. */
  readonly against: string;
  /** The first group is the number. */
  readonly find: RegExp;
  readonly unit: string;
  /** Target, as text; null: reported only. */
  readonly aim: string | null;
  readonly meets?: (value: number) => boolean;
}

export interface Bench {
  readonly file: string;
  readonly issue: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Limit of rounds: it counts, over a minute, events that must never occur. */
  readonly mostRounds?: number;
  /** It needs the public histories and labels in the folder ASSAY_REFERENCE_DATA. */
  readonly needsReference?: boolean;
  readonly figures: readonly Figure[];
}

const least = (aim: number) => (value: number) => value >= aim;
const most = (aim: number) => (value: number) => value <= aim;

/** The benchmarks of `npm run bench`, in this order: sizes that end within minutes; docs/ names the larger runs where they matter. */
export const BENCHES: readonly Bench[] = [
  {
    file: 'pipeline.ts',
    issue: 2,
    figures: [
      {
        what: 'consensus of one asset',
        against: 'JSON.parse of the same observations',
        find: /consensus .*?, ([\d.]+) x the limit/,
        unit: 'x its time',
        aim: null,
      },
      {
        what: 'rating of one asset',
        against: 'JSON.parse of the same observations',
        find: /rating .*?, ([\d.]+) x the limit/,
        unit: 'x its time',
        aim: null,
      },
    ],
  },
  {
    file: 'command.ts',
    issue: 16,
    mostRounds: 1,
    figures: [
      {
        what: '`assay score`, beside its job',
        against: 'the time of the job itself',
        find: /here: score adds ([\d.]+)/,
        unit: 's more',
        aim: 'at most 0.5',
        meets: most(0.5),
      },
      {
        what: '`assay help`',
        against: 'a command that answers',
        find: /help ([\d.]+)/,
        unit: 's',
        aim: 'at most 0.3',
        meets: most(0.3),
      },
    ],
  },
  {
    file: 'score-latency.ts',
    issue: 2,
    figures: [
      {
        what: 'one score, every source equally slow',
        against: 'the longest chain of dependent calls in it',
        find: /over the chain: ([\d.]+) x/,
        unit: 'x its time',
        aim: 'at most 1.05 and 50 ms',
      },
      {
        what: 'fifty scores at once, sandbox on the same cores',
        against: 'scores a second',
        find: /: ([\d.]+) a second/,
        unit: '/s',
        aim: null,
      },
    ],
  },
  {
    file: 'hot-read.ts',
    issue: 3,
    figures: [
      {
        what: 'GET of a market snapshot: key, limits, usage, ETag',
        against: 'raw node:http with the same head and body',
        find: /"ratio_200_to_raw": ([\d.]+)/,
        unit: 'of its rate',
        aim: 'at least 0.8',
        meets: least(0.8),
      },
      {
        what: 'the same answered 304',
        against: 'raw node:http with the same head and body',
        find: /"ratio_304_to_raw": ([\d.]+)/,
        unit: 'of its rate',
        aim: 'at least 0.8',
        meets: least(0.8),
      },
    ],
  },
  {
    file: 'scan.ts',
    issue: 3,
    env: { ASSAY_BENCH_ACCOUNTS: '3000000' },
    figures: [
      {
        what: 'scan of 3 million token accounts',
        against: 'a plain read of the same bytes from the same socket',
        find: /"of_plain_read": ([\d.]+)/,
        unit: 'of its rate',
        aim: 'at least 0.6',
        meets: least(0.6),
      },
      {
        what: 'the same',
        against: 'JSON.parse of pages and a Map',
        find: /"against_json_parse": ([\d.]+)/,
        unit: 'x its rate',
        aim: null,
      },
    ],
  },
  {
    file: 'holder-metrics.ts',
    issue: 3,
    env: { ASSAY_BENCH_HOLDERS: '3000000' },
    figures: [
      {
        what: 'every metric of 3 million balances, exact',
        against: 'sorting the same doubles and one pass over them',
        find: /"of_limit": ([\d.]+)/,
        unit: 'of its rate',
        aim: null,
      },
    ],
  },
  {
    file: 'ingest.ts',
    issue: 3,
    figures: [
      {
        what: 'a million snapshots into partitions, heads and notices',
        against: 'COPY of the same bytes into a plain table',
        find: /"ratio":([\d.]+)/,
        unit: 'of its rate',
        aim: 'at least 0.8',
        meets: least(0.8),
      },
    ],
  },
  {
    file: 'export.ts',
    issue: 3,
    env: { ASSAY_BENCH_ROWS: '200000' },
    figures: [
      {
        what: "a day's export of 200,000 assets in ten files",
        against: 'seconds',
        find: /"whole_day": \{[^}]*"seconds": ([\d.]+)/,
        unit: 's',
        aim: null,
      },
    ],
  },
  {
    file: 'rms-read.ts',
    issue: 4,
    figures: [
      {
        what: 'GET of a rating: key, limits, usage, ETag',
        against: 'raw node:http with the same head and body',
        find: /"ratio_rating_to_raw": ([\d.]+)/,
        unit: 'of its rate',
        aim: 'at least 0.8',
        meets: least(0.8),
      },
      {
        what: 'a batch of 100 ratings',
        against: 'raw node:http with the same head and body',
        find: /"ratio_batch_to_raw": ([\d.]+)/,
        unit: 'of its rate',
        aim: 'at least 0.8',
        meets: least(0.8),
      },
    ],
  },
  {
    file: 'rerate.ts',
    issue: 4,
    figures: [
      {
        what: 'ratings from archived evidence on one core',
        against: 'ratings a second',
        find: /"ratings_per_second":([\d.]+)/,
        unit: '/s',
        aim: 'at least 5,000',
        meets: least(5_000),
      },
    ],
  },
  {
    file: 'limits-overshoot.ts',
    issue: 4,
    mostRounds: 1,
    figures: [
      {
        what: 'requests beyond a limit, four processes as fast as they can',
        against: 'the limit',
        find: /"overshoot": (\d+)/,
        unit: 'requests',
        aim: '0',
        meets: most(0),
      },
    ],
  },
  {
    file: 'publish.ts',
    issue: 4,
    figures: [
      {
        what: 'publishing a rating with a hundred days of memory',
        against: 'reading that memory as JSON',
        find: /"publish_to_parse": ([\d.]+)/,
        unit: 'x its time',
        aim: null,
      },
    ],
  },
  {
    file: 'rms-search.ts',
    issue: 6,
    figures: [
      {
        what: 'search among 100,000 ratings by four letters',
        against: 'the same without its indexes',
        find: /"four_letters",[\s\S]*?"ratio": ([\d.]+)/,
        unit: 'x its rate',
        aim: null,
      },
    ],
  },
  {
    file: 'validate.ts',
    issue: 5,
    env: { ASSAY_BENCH_MEMBERS: '4000' },
    figures: [
      {
        what: 'a validation of 4,000 members with bootstrap and Sobol indices',
        against: 'parsing the file alone',
        find: /"ratio_to_parsing": ([\d.]+)/,
        unit: 'x its time',
        aim: null,
      },
    ],
  },
  {
    file: 'trust-calibration.ts',
    issue: 5,
    figures: [
      {
        what: 'confidence read through the published curve',
        against: 'the truth of the sandbox, errors injected: expected calibration error',
        find: /"ece_values": ([\d.]+)/,
        unit: '',
        aim: 'at most 0.05',
        meets: most(0.05),
      },
    ],
  },
  {
    file: 'vfr.ts',
    issue: 5,
    needsReference: true,
    figures: [
      {
        what: 'market values within the 80 % interval that peers give',
        against: 'the history of 2018 to 2021, each left out in turn',
        find: /"coverage_pct": ([\d.]+)/,
        unit: '%',
        aim: '75 to 88',
        meets: (value) => value >= 75 && value <= 88,
      },
    ],
  },
  {
    file: 'backup.ts',
    issue: 6,
    args: ['300000', '1500'],
    figures: [
      {
        what: 'a backup',
        against: 'a plain COPY of the same tables to nowhere',
        find: /backup .*?, ([\d.]+) times the plain COPY/,
        unit: 'x its time',
        aim: null,
      },
    ],
  },
  {
    file: 'migrate-to.ts',
    issue: 7,
    args: ['200000', '1200', '3'],
    figures: [
      {
        what: 'a move to another server, compared on both sides',
        against: 'a plain COPY between the same servers',
        find: /migrate-to takes ([\d.]+) times/,
        unit: 'x its time',
        aim: null,
      },
    ],
  },
  {
    file: 'failover.ts',
    issue: 7,
    args: ['3'],
    figures: [
      {
        what: 'a primary killed under load: until a write is acknowledged again',
        against: 'milliseconds, of three failovers without anything lost',
        find: /"broken": \[\][\s\S]*"serves_again_ms_median": ([\d.]+)/,
        unit: 'ms',
        aim: null,
      },
    ],
  },
  {
    file: 'scale.ts',
    issue: 7,
    env: { ASSAY_BENCH_RATINGS: '120' },
    figures: [
      {
        what: 'CPU of one rating at its worker, four workers on one database',
        against: 'the same with one worker',
        find: /"cpu_of_a_rating_four_to_one": ([\d.]+)/,
        unit: 'x its CPU',
        aim: 'at most 1.2',
        meets: most(1.2),
      },
      {
        what: 'reads from four processes on one port, load on the same two cores',
        against: 'reads from one process',
        find: /"reads_four_to_one": ([\d.]+)/,
        unit: 'x its rate',
        aim: null,
      },
    ],
  },
  {
    file: 'lineage.ts',
    issue: 19,
    figures: [
      {
        what: 'planted copies among sources, worst kind of 40 hidden worlds',
        against: 'the planted edges: F1',
        find: /"f1_worst_kind": ([\d.]+)/,
        unit: '',
        aim: 'at least 0.9',
        meets: least(0.9),
      },
      {
        what: 'error of the consensus while a third of the sources is wrong together, groups learned',
        against: 'the same without them, worst of nine kinds',
        find: /"error_ratio_worst": ([\d.]+)/,
        unit: 'x its error',
        aim: 'at most 0.5',
        meets: most(0.5),
      },
    ],
  },
  {
    file: 'policy.ts',
    issue: 21,
    figures: [
      {
        what: '100,000 simulated years of a portfolio of 60 positions',
        against: 'the time allowed',
        find: /runs ([\d.]+) s/,
        unit: 's of processor time',
        aim: 'at most 2 s',
        meets: most(2),
      },
      {
        what: 'the same, beside failures that do not spread',
        against: 'the same failures without dependencies',
        find: /s, ([\d.]+) x the failures alone/,
        unit: 'x its time',
        aim: null,
      },
    ],
  },
];
