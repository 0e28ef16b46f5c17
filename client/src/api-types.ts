// Made from /openapi.json by `npm run client:types`; a test fails when it is stale.

/** What each operation takes and answers, by method and path. */
export interface Operations {
  /** Revoke a key of the account at once */
  'DELETE /v1/account/keys/{id}': {
    path: {
      /** Id of a key. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Revoke a key at once */
  'DELETE /v1/admin/keys/{id}': {
    path: {
      /** Id of a key. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Get no alerts of the kind source_drift any more */
  'DELETE /v1/alerts/source-drift': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Cancel a bulk job */
  'DELETE /v1/bulk/{id}': {
    path: {
      /** Id of a bulk job. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      /** Id of the bulk job. */
      bulk_id: string;
      /** `cancelled`: its rows that waited are given up, and those under way end by themselves. */
      state: 'running' | 'finished' | 'cancelled';
      /** When it was sent. RFC 3339, UTC. */
      created_at: string;
      /** When its last row ended; null before. RFC 3339, UTC. */
      finished_at: string | null;
      /** Number of rows by state. */
      rows: {
        /** Rows that were sent. */
        total: number;
        /** Rows of which nothing more is to come. */
        done: number;
        /** Rows whose turn has not come. */
        waiting: number;
        /** Rows that are scored now. */
        running: number;
        /** Rows with a result. */
        rated: number;
        /** Rows whose score failed; each states why. */
        failed: number;
        /** Rows that were not begun: they could not be read, or are more than the plan allows. */
        refused: number;
        /** Rows that repeat an earlier one, which has the result. */
        duplicate: number;
        /** Rows that were given up. */
        cancelled: number;
      };
      /** Why rows failed or were refused, the most frequent first. */
      reasons: {
        /** Code of the problem. */
        code: string;
        /** Rows that it ended. */
        rows: number;
      }[];
      /** Rows that are scored at the same time. */
      at_once: number;
      /** About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end. */
      eta_seconds: number | null;
      /** Path of the bulk job. */
      location: string;
      /** Path of its rows; with `format=csv` as a table. */
      results: string;
      data_mode: DataMode;
    };
  };
  /** Cancel a job */
  'DELETE /v1/jobs/{id}': {
    path: {
      /** Id of a job (`job_id` of a score or a rating). */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: Job;
  };
  /** Watch an asset no longer; its alerts stay */
  'DELETE /v1/rms/whitelist/{asset}': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Remove a webhook with its deliveries */
  'DELETE /v1/webhooks/{id}': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** End a mute */
  'DELETE /v1/webhooks/{id}/mutes/{mute}': {
    path: {
      /** Id of a webhook. */
      id: string;
      /** Id of a mute. */
      mute: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Withdraw a request for indexing; snapshots remain */
  'DELETE /v1/{chain}/index/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Remove the thresholds on an asset; its alerts stay */
  'DELETE /v1/{chain}/thresholds/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Public keys of our signatures */
  'GET /.well-known/assay-keys.json': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** All keys that ever signed, newest first. */
      keys: PublicKey[];
      /** Keys of the records that EVM contracts check, newest first. */
      attestation_keys: AttestationKey[];
      data_mode: DataMode;
    };
  };
  /** The process is alive */
  'GET /healthz': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** The service is up. */
      status: 'ok';
      /** Version of the running service. */
      version: string;
      data_mode: DataMode;
    };
  };
  /** The service can take work */
  'GET /readyz': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** The service accepts work. */
      status: 'ready';
      /** The checks that were made; all true. */
      checks: {
        [name: string]: boolean;
      };
      data_mode: DataMode;
    };
  };
  /** The account of the key: its plan, and what it has */
  'GET /v1/account': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Account;
  };
  /** List the keys of the account */
  'GET /v1/account/keys': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** All keys of the account, revoked ones too, oldest first. */
      data: Key[];
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** Appeals, newest first */
  'GET /v1/admin/appeals': {
    path: undefined;
    query: {
      /** Only appeals in this state; without it: all whose control was proved. */
      state?: 'awaiting_proof' | 'proved' | 'under_review' | 'accepted' | 'rejected' | 'corrected';
      /** Most entries of a page, 1 to 100. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: ListedAppeal[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Disputes of all accounts, newest first */
  'GET /v1/admin/disputes': {
    path: undefined;
    query: {
      /** Only disputes in this state. */
      state?: 'received' | 'accepted' | 'rejected' | 'restated';
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: AccountDispute[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** List keys */
  'GET /v1/admin/keys': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** All keys, revoked ones too. */
      data: Key[];
      /** Always null: the list is whole. */
      next_cursor: null;
    };
  };
  /** Alerts of the account, newest first */
  'GET /v1/alerts': {
    path: undefined;
    query: {
      /** Only alerts of this kind. */
      kind?: 'score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold';
      /** CAIP-19 id, `chain:address`, address, or symbol of a rated asset. */
      asset?: string;
      /** `false`: only open ones; `true`: only acknowledged ones. */
      acknowledged?: 'true' | 'false';
      /** RFC 3339 time, included. */
      since?: string;
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: Alert[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Whether the account gets alerts of the kind source_drift */
  'GET /v1/alerts/source-drift': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: DriftSubscription;
  };
  /** Alerts as server-sent events */
  'GET /v1/alerts/stream': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: string;
  };
  /** Bulk jobs of the account, newest first */
  'GET /v1/bulk': {
    path: undefined;
    query: {
      /** Most entries of a page, 1 to 100. Default: 20. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: BulkJob[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Progress of a bulk job */
  'GET /v1/bulk/{id}': {
    path: {
      /** Id of a bulk job. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      /** Id of the bulk job. */
      bulk_id: string;
      /** `cancelled`: its rows that waited are given up, and those under way end by themselves. */
      state: 'running' | 'finished' | 'cancelled';
      /** When it was sent. RFC 3339, UTC. */
      created_at: string;
      /** When its last row ended; null before. RFC 3339, UTC. */
      finished_at: string | null;
      /** Number of rows by state. */
      rows: {
        /** Rows that were sent. */
        total: number;
        /** Rows of which nothing more is to come. */
        done: number;
        /** Rows whose turn has not come. */
        waiting: number;
        /** Rows that are scored now. */
        running: number;
        /** Rows with a result. */
        rated: number;
        /** Rows whose score failed; each states why. */
        failed: number;
        /** Rows that were not begun: they could not be read, or are more than the plan allows. */
        refused: number;
        /** Rows that repeat an earlier one, which has the result. */
        duplicate: number;
        /** Rows that were given up. */
        cancelled: number;
      };
      /** Why rows failed or were refused, the most frequent first. */
      reasons: {
        /** Code of the problem. */
        code: string;
        /** Rows that it ended. */
        rows: number;
      }[];
      /** Rows that are scored at the same time. */
      at_once: number;
      /** About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end. */
      eta_seconds: number | null;
      /** Path of the bulk job. */
      location: string;
      /** Path of its rows; with `format=csv` as a table. */
      results: string;
      data_mode: DataMode;
    };
  };
  /** The rows of a bulk job with their outcomes */
  'GET /v1/bulk/{id}/rows': {
    path: {
      /** Id of a bulk job. */
      id: string;
    };
    query: {
      /** Only rows in this state. */
      state?: 'waiting' | 'running' | 'rated' | 'failed' | 'refused' | 'duplicate' | 'cancelled';
      /** Form of the rows; csv: all of them at once. Default: json. */
      format?: 'json' | 'csv';
      /** Most entries of a page, 1 to 1000. Default: 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** In the order in which they were sent. */
      data: BulkRow[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** The chains served, and the plans that include them */
  'GET /v1/chains': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** Chains this service reads. */
      data: {
        /** The name used in paths. */
        chain: string;
        /** Display name of the chain. */
        title: string;
        /** Kind of chain: how its tokens, pools and addresses work. */
        kind: 'solana' | 'evm';
        /** CAIP-2 id. */
        caip2: string;
        /** Ticker of the chain’s own coin. */
        native_symbol: string;
        /** Plans that include the chain. */
        included_in: string[];
      }[];
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** Changes of the service, as a feed */
  'GET /v1/changelog': {
    path: undefined;
    query: {
      /** Form of the feed; without it `Accept` decides, else JSON Feed. */
      format?: 'json' | 'atom';
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** Disputes of the account, newest first */
  'GET /v1/disputes': {
    path: undefined;
    query: {
      /** Only disputes in this state. */
      state?: 'received' | 'accepted' | 'rejected' | 'restated';
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: ListedDispute[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** One dispute of the account */
  'GET /v1/disputes/{id}': {
    path: {
      /** Id of a dispute. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: Dispute;
  };
  /** The present rating of every asset */
  'GET /v1/exports/rms/current': {
    path: undefined;
    query: {
      /** Form of the page; without it `Accept` decides, else JSON. */
      format?: 'json' | 'csv';
      /** Most entries of a page, 1 to 5000. Default: 1000. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: CurrentRatings;
  };
  /** All rated assets of a day */
  'GET /v1/exports/rms/daily': {
    path: undefined;
    query: {
      /** UTC day as YYYY-MM-DD; default: the newest complete day. */
      date?: string;
      /** Form of the file; without it `Accept` decides, else a JSON array. */
      format?: 'json' | 'csv' | 'ndjson' | 'parquet';
      /** A whole number from 1: which revision of a restated day; default: the newest. */
      revision?: number;
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** The published days, signed */
  'GET /v1/exports/rms/daily/manifest': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Manifest;
  };
  /** What changed between the ends of two days */
  'GET /v1/exports/rms/diff': {
    path: undefined;
    query: {
      /** UTC day as YYYY-MM-DD; default: the day before `to`. */
      from?: string;
      /** UTC day as YYYY-MM-DD, after `from`; default: yesterday. */
      to?: string;
      /** Form of the page; without it `Accept` decides, else JSON. */
      format?: 'json' | 'csv';
      /** Most entries of a page, 1 to 5000. Default: 1000. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: RatingChanges;
  };
  /** State and result of a job */
  'GET /v1/jobs/{id}': {
    path: {
      /** Id of a job (`job_id` of a score or a rating). */
      id: string;
    };
    query: {
      /** Form of `result`. Default: standard. */
      output_format?: 'minimal' | 'standard' | 'full';
    } | undefined;
    body: undefined;
    reply: Job;
  };
  /** Progress as server-sent events */
  'GET /v1/jobs/{id}/events': {
    path: {
      /** Id of a job (`job_id` of a score or a rating). */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: string;
  };
  /** The archived evidence of a job */
  'GET /v1/jobs/{id}/evidence': {
    path: {
      /** Id of a job (`job_id` of a score or a rating). */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** The newest signed tree of the log of published ratings */
  'GET /v1/log/checkpoint': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: string;
  };
  /** All signed trees, the smallest first */
  'GET /v1/log/checkpoints': {
    path: undefined;
    query: {
      /** Most entries of a page, 1 to 1000. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** The smallest first. */
      data: KeptCheckpoint[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Proof that a newer tree begins with an older one */
  'GET /v1/log/consistency': {
    path: undefined;
    query: {
      /** Size of the older tree. */
      from: number;
      /** Size of the newer tree. */
      to: number;
    };
    body: undefined;
    reply: ConsistencyProof;
  };
  /** Leaves of the log from a place on */
  'GET /v1/log/entries': {
    path: undefined;
    query: {
      /** Place of the first leaf, from 0. Default: 0. */
      from?: number;
      /** Most entries of a page, 1 to 1000. Default: 256. */
      limit?: number;
    } | undefined;
    body: undefined;
    reply: {
      /** In the order of the log; empty at its end. */
      data: LogEntry[];
      /** Leaves of the newest checkpoint, up to which entries are read. */
      tree_size: number;
      data_mode: DataMode;
    };
  };
  /** Signed records that no longer hold */
  'GET /v1/log/revocations': {
    path: undefined;
    query: {
      /** CAIP-2 id of the chain whose contracts read it. Default: eip155:1. */
      chain?: 'eip155:1' | 'eip155:10' | 'eip155:8453' | 'eip155:42161' | 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' | 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** In the order of the ids. */
      data: Revocation[];
      /** CAIP-2 id of the chain that it is for. */
      chain: string;
      /** When the list was made: it holds what was revoked until then. RFC 3339, UTC. */
      as_of: string;
      /** Cursor of the request: lines up to it are on earlier pages. Null on the first page. */
      after: string | null;
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
      signature: Signature;
    };
  };
  /** The methodology in force, as data */
  'GET /v1/methodology': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** The calibration in force: from scores to probabilities of failure */
  'GET /v1/methodology/calibration': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** What changed in the methodology, when and why */
  'GET /v1/methodology/changes': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** Every version there was. */
      data: {
        /** Name of the change. */
        id: string;
        /** The version it made. */
        version: string;
        /** When it came into force, YYYY-MM-DD. */
        date: string;
        /** MAJOR: weights, cut-offs, caps, definition of default; MINOR: features, anchors, sources; PATCH: the correction of a mistake. */
        kind: 'MAJOR' | 'MINOR' | 'PATCH';
        /** The reason, as text. */
        reason: string;
        /** What it did to ratings. */
        effect: string;
        /** How ratings moved; null where no shadow run was made. */
        moves: MethodologyMoves | null;
        /** Ratings are made by this version now. */
        in_force: boolean;
        /** SHA-256 of the canonical JSON of the version: `methodology_hash` of its ratings. */
        hash: string;
        /** Where the version is read. */
        href: string;
      }[];
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** A version of the methodology, as it was */
  'GET /v1/methodology/{version}': {
    path: {
      /** Version of the methodology, as `methodology_version` of a rating. */
      version: string;
    };
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** Overview of all rated assets */
  'GET /v1/overview': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Overview;
  };
  /** The plans, their limits and prices */
  'GET /v1/plans': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** In the order they are offered in. */
      data: Plan[];
      /** What a request without a key costs; null where nothing is sold without one. */
      pay_per_call: PayPerCall | null;
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** The built-in rules */
  'GET /v1/policy/presets': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** All presets. */
      data: PolicyPreset[];
    };
  };
  /** The status of an appeal */
  'GET /v1/public/appeals/{reference}': {
    path: {
      /** Reference that the first reply gave. */
      reference: string;
    };
    query: undefined;
    body: undefined;
    reply: Appeal;
  };
  /** The status of an objection */
  'GET /v1/public/objections/{reference}': {
    path: {
      /** Reference that the first reply gave. */
      reference: string;
    };
    query: undefined;
    body: undefined;
    reply: Objection;
  };
  /** What was bought with one payment, and what was corrected since */
  'GET /v1/receipts/{receipt}': {
    path: {
      /** Header `Assay-Receipt` of the reply that was paid for. */
      receipt: string;
    };
    query: undefined;
    body: undefined;
    reply: Receipt;
  };
  /** The kept registers */
  'GET /v1/registers': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** In a fixed order. */
      data: Register[];
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** The rows of a register */
  'GET /v1/registers/{name}': {
    path: {
      /** Name of a register (GET /v1/registers). */
      name: string;
    };
    query: {
      /** CAIP-19 id of the asset that rows are about. */
      asset?: string;
      /** Only rows in this state. */
      state?: 'confirmed' | 'unconfirmed' | 'expired';
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Name of the register. */
      register: string;
      /** By id; the operator’s own after the shipped one. */
      data: RegisterRow[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** The schema of a register */
  'GET /v1/registers/{name}/schema': {
    path: {
      /** Name of a register (GET /v1/registers). */
      name: string;
    };
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** What was corrected, newest first */
  'GET /v1/restatements': {
    path: undefined;
    query: {
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: {
        /** Number of the correction; rises with time. */
        id: number;
        /** `rms` or a chain: a day of its export; `rating`: one rating. */
        subject: string;
        /** The corrected day, YYYY-MM-DD; null for a single rating. */
        date: string | null;
        /** Revision that holds the corrected rows; the ones before stay readable. Null for a single rating. */
        revision: number | null;
        /** The corrected asset, CAIP-19 id; null for a day. */
        asset_id: string | null;
        /** When it was corrected. RFC 3339, UTC. */
        made_at: string;
        /** The reason, as text. */
        reason: string;
        /** What was changed: counts and rows of a day; a rating before and after. */
        detail: {
          [name: string]: unknown;
        };
      }[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** All rated assets */
  'GET /v1/rms': {
    path: undefined;
    query: {
      /** Name of a chain, see GET /v1/chains. */
      chain?: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Bands, separated by commas: AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR. */
      band?: string;
      /** Category of the methodology. */
      category?: 'default' | 'stablecoin' | 'l1_l2' | 'defi_protocol' | 'memecoin' | 'lst_wrapped' | 'rwa' | 'gaming_ai' | 'exchange_token';
      /** Class of the methodology; ratings from before classes are in none. */
      class?: 'native_l1' | 'l2' | 'stable_fiat' | 'stable_crypto' | 'stable_algo' | 'lst_wrapped' | 'commodity' | 'defi_gov' | 'exchange' | 'infra' | 'gaming' | 'rwa_sec' | 'memecoin' | 'default';
      /** Code of a raised flag. */
      flag?: string;
      /** A number from 0 to 100. */
      min_trust?: number;
      /** What the symbol, the name, the address or the id begins with; the case of A to Z does not count. */
      search?: string;
      /** What has no value comes last. Default: -score. */
      sort?: 'score' | '-score' | 'trust' | '-trust' | 'as_of' | '-as_of' | 'symbol' | '-symbol';
      /** Form of the page; without it `Accept` decides, else JSON. */
      format?: 'json' | 'csv';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Ratings as they were published and signed. */
      data: RatingRecord[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Rating actions of all assets */
  'GET /v1/rms/actions': {
    path: undefined;
    query: {
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Ratings as they were published and signed. */
      data: RatingRecord[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** The account’s whitelist, oldest entry first */
  'GET /v1/rms/whitelist': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: WhitelistEntry[];
  };
  /** The rating of an asset */
  'GET /v1/rms/{asset}': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
      /** Version of the methodology: the newest rating made with it. */
      methodology?: string;
      /** `true`: rates the asset again now, within a quota of its own (GET /v1/plans). `Prefer: wait=N` states how long to wait for it. */
      fresh?: 'true' | 'false';
      /** `digest`: the short form for programs with little room. */
      format?: 'full' | 'digest';
      /** `digest`: the short form for programs with little room. */
      view?: 'full' | 'digest';
    } | undefined;
    body: undefined;
    reply: Rating | RatingDigest | AcceptedJob;
  };
  /** Rating actions of an asset */
  'GET /v1/rms/{asset}/actions': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339; default: the beginning. */
      from?: string;
      /** RFC 3339; default: now. */
      to?: string;
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Ratings as they were published and signed. */
      data: RatingRecord[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** The newest rating as a record that a contract checks */
  'GET /v1/rms/{asset}/attestation': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** CAIP-2 id of the chain whose contracts read it. Default: eip155:1. */
      chain?: 'eip155:1' | 'eip155:10' | 'eip155:8453' | 'eip155:42161' | 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' | 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';
    } | undefined;
    body: undefined;
    reply: Attestation;
  };
  /** What a rating is made of */
  'GET /v1/rms/{asset}/breakdown': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
      /** Version of the methodology: the newest rating made with it. */
      methodology?: string;
    } | undefined;
    body: undefined;
    reply: Breakdown;
  };
  /** The largest holders, put together by their first payer */
  'GET /v1/rms/{asset}/clusters': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: HolderClusters | Searching;
  };
  /** What would move a rating to the next band */
  'GET /v1/rms/{asset}/counterfactual': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: Counterfactual;
  };
  /** What a listing desk has to look at, with evidence or an explicit gap */
  'GET /v1/rms/{asset}/dossier': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
      /** Version of the methodology: the newest rating made with it. */
      methodology?: string;
      /** Instead of `Accept`, for links. */
      format?: 'json' | 'html' | 'markdown';
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** Who emptied an asset’s pools, and where the money went */
  'GET /v1/rms/{asset}/forensics': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: Forensics | Searching;
  };
  /** Ratings of an asset over time */
  'GET /v1/rms/{asset}/history': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339; default: 30 days before `to`. */
      from?: string;
      /** RFC 3339; default: now. */
      to?: string;
      /** The newest rating of each interval; `all`: every rating. Default: 1d. */
      interval?: 'all' | '1h' | '4h' | '1d' | '7d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Ratings as they were published and signed. */
      data: RatingRecord[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Rated assets of the same class */
  'GET /v1/rms/{asset}/peers': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: Peers;
  };
  /** Proofs that ratings of an asset are in the log */
  'GET /v1/rms/{asset}/proofs': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** In the order of the log. */
      data: RatingProof[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** The report of a rating for people */
  'GET /v1/rms/{asset}/report': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
      /** Version of the methodology: the newest rating made with it. */
      methodology?: string;
      /** Instead of `Accept`, for links: `html` or `markdown`. */
      format?: 'html' | 'markdown';
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** What works here, and what would add something */
  'GET /v1/setup': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Setup;
  };
  /** All chain aggregates of a day */
  'GET /v1/solana/exports/daily': {
    path: undefined;
    query: {
      /** UTC day as YYYY-MM-DD; default: the newest complete day. */
      date?: string;
      /** Form of the file; without it `Accept` decides, else a JSON array. */
      format?: 'json' | 'csv' | 'ndjson' | 'parquet';
      /** A whole number from 1: which revision of a restated day; default: the newest. */
      revision?: number;
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** The published days, signed */
  'GET /v1/solana/exports/daily/manifest': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Manifest;
  };
  /** History of market snapshots */
  'GET /v1/solana/market/{asset}/history': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: MarketSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion */
  'GET /v1/solana/market/{asset}/snapshot': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
    } | undefined;
    body: undefined;
    reply: MarketSnapshot;
  };
  /** History of holders snapshots */
  'GET /v1/solana/{asset}/holders/history': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: HoldersSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels */
  'GET /v1/solana/{asset}/holders/snapshot': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
    } | undefined;
    body: undefined;
    reply: HoldersSnapshot;
  };
  /** History of pools snapshots */
  'GET /v1/solana/{asset}/liquidity/history': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: PoolsSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage */
  'GET /v1/solana/{asset}/liquidity/pools': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
      /** `all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL. Default: all. */
      scope?: 'all' | 'verified' | 'top';
      /** plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out. Default: 0. */
      min_tvl_usd?: number;
    } | undefined;
    body: undefined;
    reply: PoolsSnapshot;
  };
  /** History of pools snapshots */
  'GET /v1/solana/{asset}/liquidity/pools/history': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: PoolsSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** How fresh the chain data is, how the sources are, and the service level as the service measures it */
  'GET /v1/status': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** `lagging`: of some chain and kind, one asset in a hundred is more than five minutes behind its plan; `unknown`: nothing is indexed. */
      status: 'ok' | 'lagging' | 'unknown';
      data_mode: DataMode;
      /** Version of the running service. */
      version: string;
      /** When this was read. RFC 3339, UTC. */
      as_of: string;
      /** How far the index of each chain is behind. */
      chains: {
        /** Name of the chain. */
        chain: string;
        /** Newest day that is closed for export, YYYY-MM-DD in UTC; null before the first. */
        last_closed_day: string | null;
        /** One row per kind of snapshot that is indexed on the chain. */
        snapshots: {
          /** Which kind of snapshot. */
          kind: 'market' | 'holders' | 'pools';
          /** Assets of which such snapshots are wanted. */
          indexed_assets: number;
          /** Assets that are due and not begun. */
          due: number;
          /** Assets being read now. */
          running: number;
          /** Assets whose last run gave no snapshot. */
          failing: number;
          /** Seconds behind the plan, median over the assets; 0 in time. */
          late_seconds_p50: number;
          /** The same, 99th percentile. */
          late_seconds_p99: number;
          /** When the newest snapshot was stored; null before the first. RFC 3339, UTC. */
          last_stored_at: string | null;
          /** Whole seconds since then; null before the first. */
          last_stored_age_seconds: number | null;
        }[];
      }[];
      /** Every public source that this version knows, in a fixed order; empty where they are not watched. */
      sources: SourceStanding[];
      /** Null: this service does not measure itself. */
      service_level: ServiceLevel | null;
    };
  };
  /** What became of rated assets */
  'GET /v1/track-record': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: TrackRecord;
  };
  /** Defaults of what was rated well in the year before, newest first */
  'GET /v1/track-record/misses': {
    path: undefined;
    query: {
      /** Most entries of a page, 1 to 200. Default: 50. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: Miss[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      /** When it was computed. RFC 3339, UTC. */
      as_of: string;
      data_mode: DataMode;
    };
  };
  /** What the account has used */
  'GET /v1/usage': {
    path: undefined;
    query: {
      /** YYYY-MM-DD (UTC), the first day; the first of the last day’s month when not given. */
      from?: string;
      /** YYYY-MM-DD (UTC), the last day, included, at most 400 days from the first; today when not given. */
      to?: string;
      /** What a row adds up. Default: day. */
      group_by?: 'day' | 'key' | 'endpoint_group' | 'plan';
      /** Another account, for keys with the scope admin (acc_...). */
      account?: string;
    } | undefined;
    body: undefined;
    reply: Usage;
  };
  /** The account’s statement of a month */
  'GET /v1/usage/statement': {
    path: undefined;
    query: {
      /** YYYY-MM (UTC), a calendar month; the present one when not given. */
      month?: string;
      /** Form of the statement. Default: json. */
      format?: 'json' | 'csv';
      /** Another account, for keys with the scope admin (acc_...). */
      account?: string;
    } | undefined;
    body: undefined;
    reply: Statement;
  };
  /** List webhooks */
  'GET /v1/webhooks': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: Webhook[];
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** One webhook, with the health of its endpoint */
  'GET /v1/webhooks/{id}': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: Webhook;
  };
  /** Deliveries of a webhook, newest first; kept for 30 days */
  'GET /v1/webhooks/{id}/deliveries': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: {
      /** Only deliveries in this state. */
      state?: 'pending' | 'delivered' | 'failed' | 'folded';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: Delivery[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** What a webhook is not sent at present */
  'GET /v1/webhooks/{id}/mutes': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      /** The first to end first. */
      data: {
        /** Id of the mute (`mute_...`). */
        id: string;
        /** Asset that is muted, as in alerts; null: all of them. */
        asset_id: string | null;
        /** Kind that is muted; null: all of them. */
        kind: 'score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold' | null;
        /** When it was muted. RFC 3339, UTC. */
        created_at: string;
        /** When it ends. RFC 3339, UTC. */
        until: string;
      }[];
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** All chain aggregates of a day */
  'GET /v1/{chain}/exports/daily': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
    };
    query: {
      /** UTC day as YYYY-MM-DD; default: the newest complete day. */
      date?: string;
      /** Form of the file; without it `Accept` decides, else a JSON array. */
      format?: 'json' | 'csv' | 'ndjson' | 'parquet';
      /** A whole number from 1: which revision of a restated day; default: the newest. */
      revision?: number;
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** The published days, signed */
  'GET /v1/{chain}/exports/daily/manifest': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
    };
    query: undefined;
    body: undefined;
    reply: Manifest;
  };
  /** List the indexed assets of a chain */
  'GET /v1/{chain}/index': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
    };
    query: {
      /** `true`: only what the account of the key has requested. Default: false. */
      mine?: 'true' | 'false';
      /** Most entries of a page, 1 to 1000. Default: 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Indexed assets of the chain, in the order of their ids. */
      data: IndexedAsset[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      coverage: Coverage;
      data_mode: DataMode;
    };
  };
  /** One indexed asset */
  'GET /v1/{chain}/index/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      asset: Asset;
      /** Which of `market`, `holders` and `pools` are made of it. */
      kinds: ('market' | 'holders' | 'pools')[];
      /** How often its readers need new snapshots; `newest`: as often as the service can. */
      cadence: 'hourly' | 'five_minutes' | 'newest';
      /** configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed. */
      added_by: string;
      /** When it was added. RFC 3339, UTC. */
      added_at: string;
      /** When indexing ends; null: when it is removed. RFC 3339, UTC. */
      wanted_until: string | null;
      /** Nothing is read of it for now. */
      paused: boolean;
      /** The account of the key has requested it: it counts towards the plan’s `indexed_assets`. */
      is_yours: boolean;
      coverage: Coverage;
      data_mode: DataMode;
    };
  };
  /** History of market snapshots */
  'GET /v1/{chain}/market/{asset}/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: MarketSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion */
  'GET /v1/{chain}/market/{asset}/snapshot': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
    } | undefined;
    body: undefined;
    reply: MarketSnapshot;
  };
  /** Snapshots of chosen assets as server-sent events */
  'GET /v1/{chain}/stream': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
    };
    query: {
      /** Assets, separated by commas, each as in the paths of its snapshots. Left out: the assets of the chain whose indexing the account has requested. */
      assets?: string;
      /** Kinds of snapshots, separated by commas: market, holders, pools. Default: market. */
      kinds?: string;
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** Thresholds of the account on assets of a chain */
  'GET /v1/{chain}/thresholds': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
    };
    query: undefined;
    body: undefined;
    reply: {
      /** In the order of the ids of the assets. */
      data: ThresholdEntry[];
      /** Assets with thresholds, on all chains. */
      used: number;
      /** `threshold_assets` of the key’s plan. */
      limit: number;
      /** Always null: the list is whole. */
      next_cursor: null;
      data_mode: DataMode;
    };
  };
  /** Thresholds of the account on an asset */
  'GET /v1/{chain}/thresholds/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      /** CAIP-19 id. */
      asset: string;
      /** Our name of the chain (GET /v1/chains); null without a token. */
      chain: string | null;
      /** When the first thresholds of the asset were set. RFC 3339, UTC. */
      added_at: string;
      /** The account’s own; null without one. */
      note: string | null;
      /** In the order they were given in. */
      thresholds: Threshold[];
      data_mode: DataMode;
    };
  };
  /** History of holders snapshots */
  'GET /v1/{chain}/{asset}/holders/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: HoldersSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels */
  'GET /v1/{chain}/{asset}/holders/snapshot': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
    } | undefined;
    body: undefined;
    reply: HoldersSnapshot;
  };
  /** History of pools snapshots */
  'GET /v1/{chain}/{asset}/liquidity/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: PoolsSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage */
  'GET /v1/{chain}/{asset}/liquidity/pools': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: returns what was known then. */
      as_of?: string;
      /** `all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL. Default: all. */
      scope?: 'all' | 'verified' | 'top';
      /** plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out. Default: 0. */
      min_tvl_usd?: number;
    } | undefined;
    body: undefined;
    reply: PoolsSnapshot;
  };
  /** History of pools snapshots */
  'GET /v1/{chain}/{asset}/liquidity/pools/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. Default: 1h. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** Most entries of a page, 1 to 500. Default: 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Snapshots as they were made, oldest first. */
      data: PoolsSnapshot[];
      /** Repeat the request with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: DataMode;
    };
  };
  /** Create a key of the account */
  'POST /v1/account/keys': {
    path: undefined;
    query: undefined;
    body: {
      /** A name of 1 to 100 visible characters: who uses it, and for what. */
      name: string;
      /** What it may do: all or some of the scopes of the requesting key. */
      scopes: ('score' | 'rms:read' | 'rms:write' | 'chain:read' | 'account' | 'admin')[];
      /** RFC 3339 time from which on it is refused, no later than that of the requesting key; without it, or null: as that one. */
      expires_at?: string | null;
      /** Addresses and CIDR ranges it may be used from; without it: any. */
      allowed_ips?: string[];
    };
    reply: NewKey;
  };
  /** Replace a key of the account; the old one works during the overlap */
  'POST /v1/account/keys/{id}/rotate': {
    path: {
      /** Id of a key. */
      id: string;
    };
    query: undefined;
    body: {
      /** How long the old key continues to work, in seconds. Default: 86400. */
      overlap_seconds?: number;
    };
    reply: NewKey;
  };
  /** The opinion of one reviewer on an appeal */
  'POST /v1/admin/appeals/{id}/reviews': {
    path: {
      /** Id of an appeal. */
      id: string;
    };
    query: undefined;
    body: {
      /** accepted: it will be corrected; corrected: it was. */
      decision: 'accepted' | 'rejected' | 'corrected';
      /** What was found. Everybody with the reference can read it. */
      finding: string;
      /** The correction it led to; needed for corrected. */
      restatement_id?: number;
    };
    reply: ReviewedAppeal;
  };
  /** Accept, reject or end a dispute, with a text */
  'POST /v1/admin/disputes/{id}/resolve': {
    path: {
      /** Id of a dispute. */
      id: string;
    };
    query: undefined;
    body: {
      /** accepted: it will be restated; restated: it was. */
      state: 'accepted' | 'rejected' | 'restated';
      /** Text for the account: what was found. */
      resolution: string;
      /** The correction it led to; needed for restated. */
      restatement_id?: number;
    };
    reply: Dispute;
  };
  /** Create a key */
  'POST /v1/admin/keys': {
    path: undefined;
    query: undefined;
    body: {
      /** A name of 1 to 100 visible characters: who uses it, and for what. */
      name: string;
      /** What it may do. */
      scopes: ('score' | 'rms:read' | 'rms:write' | 'chain:read' | 'account' | 'admin')[];
      /** Name of the plan whose limits it has (GET /v1/plans). Default: RATING. */
      plan?: string;
      /** Share the account of another key; without it, or null, the key gets its own. */
      account_id?: string | null;
      /** RFC 3339 time from which on it is refused; without it, or null: never. */
      expires_at?: string | null;
      /** Addresses and CIDR ranges it may be used from; without it: any. */
      allowed_ips?: string[];
    };
    reply: NewKey;
  };
  /** Replace a key; the old one works during the overlap */
  'POST /v1/admin/keys/{id}/rotate': {
    path: {
      /** Id of a key. */
      id: string;
    };
    query: undefined;
    body: {
      /** How long the old key continues to work, in seconds. Default: 86400. */
      overlap_seconds?: number;
    };
    reply: NewKey;
  };
  /** Acknowledge an alert; a second time changes nothing */
  'POST /v1/alerts/{id}/acknowledge': {
    path: {
      /** Number of an alert. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      /** Rises within the account, without gaps. */
      id: number;
      /** CAIP-19 id; null for `source_drift`, which is about a source. */
      asset_id: string | null;
      /** Of the asset, untrusted text; null when not known. */
      symbol: string | null;
      /** Of the asset, untrusted text; null when not known. */
      name: string | null;
      /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
      class: string | null;
      /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
      trust_score: number | null;
      /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
      source: string | null;
      /** What moved: the score, the flags, the band, what a source states, a price off its peg, a rating that was corrected, or a figure of a snapshot that crossed a threshold of the account. */
      kind: 'score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold';
      severity: Severity;
      /** What happened, in one line. */
      title: string;
      /** By kind: how far the score moved, which flags changed, from which band to which, which sources drift, how far a price is off its peg, what was corrected. */
      details: ScoreChange | FlagChange | BandTransition | SourceDrift | PegStress | Correction | ThresholdCrossed;
      /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
      rating_as_of: string | null;
      /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
      created_at: string;
      /** When it was first acknowledged; null while it is open. RFC 3339, UTC. */
      acknowledged_at: string | null;
      data_mode: DataMode;
    };
  };
  /** Score many assets as one job */
  'POST /v1/bulk': {
    path: undefined;
    query: undefined;
    body: {
      /** 1 to 1000 rows: each an asset in one word, or the fields of a scoring request. A row that cannot be read does not affect other rows. */
      rows: (string | {
        /** posttge or pretge, in any case; echoed in lower case, as the job id begins. */
        type?: string;
        /** Project name. */
        project?: string;
        /** Project web address, http or https, on a public host. A bare host gets `https://`. */
        project_url?: string;
        /** Token ticker. */
        token_symbol?: string;
        /** Free-text project category. */
        category?: string;
        /** Chain the project runs on: a name, a symbol or a CAIP-2 id. */
        blockchain?: string;
        /** Mint or contract, when the caller knows it. */
        token_address?: string;
        /** minimal, standard (default) or full. */
        output_format?: string;
        /** In place of project and project_url: a CAIP-19 id, chain:address, an address, the url or host of the project’s site, a ticker or a name. Several assets that it may mean are 409 `ambiguous_project` with candidates, whose ids are accepted here; a name that none has is 422 `project_not_identified`, with those of similar names as candidates. */
        asset?: string;
      })[];
    };
    reply: {
      /** Id of the bulk job. */
      bulk_id: string;
      /** `cancelled`: its rows that waited are given up, and those under way end by themselves. */
      state: 'running' | 'finished' | 'cancelled';
      /** When it was sent. RFC 3339, UTC. */
      created_at: string;
      /** When its last row ended; null before. RFC 3339, UTC. */
      finished_at: string | null;
      /** Number of rows by state. */
      rows: {
        /** Rows that were sent. */
        total: number;
        /** Rows of which nothing more is to come. */
        done: number;
        /** Rows whose turn has not come. */
        waiting: number;
        /** Rows that are scored now. */
        running: number;
        /** Rows with a result. */
        rated: number;
        /** Rows whose score failed; each states why. */
        failed: number;
        /** Rows that were not begun: they could not be read, or are more than the plan allows. */
        refused: number;
        /** Rows that repeat an earlier one, which has the result. */
        duplicate: number;
        /** Rows that were given up. */
        cancelled: number;
      };
      /** Why rows failed or were refused, the most frequent first. */
      reasons: {
        /** Code of the problem. */
        code: string;
        /** Rows that it ended. */
        rows: number;
      }[];
      /** Rows that are scored at the same time. */
      at_once: number;
      /** About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end. */
      eta_seconds: number | null;
      /** Path of the bulk job. */
      location: string;
      /** Path of its rows; with `format=csv` as a table. */
      results: string;
      data_mode: DataMode;
    };
  };
  /** Dispute a rating */
  'POST /v1/disputes': {
    path: undefined;
    query: undefined;
    body: {
      /** As in rating reads: an id, an address, or a symbol. */
      asset: string;
      /** `job_id` of the rating that is wrong; without it: the newest. */
      job_id?: string;
      /** What is wrong, and what shows it. */
      claim: string;
      /** Where inquiries may be sent. Never shown in public. */
      contact?: string;
    };
    reply: Dispute;
  };
  /** Add a witness’s signature to a checkpoint */
  'POST /v1/log/cosignatures': {
    path: undefined;
    query: undefined;
    body: {
      /** Text of a checkpoint with the line of a witness below (C2SP tlog-cosignature). */
      note: string;
    };
    reply: {
      /** `kept`: it is shown under its checkpoint from now on. */
      state: 'kept';
      data_mode: DataMode;
    };
  };
  /** Check an asset against rules */
  'POST /v1/policy/check': {
    path: undefined;
    query: undefined;
    body: {
      /** Named as in the path of GET /v1/rms/{asset}. */
      asset: string;
      /** Amount to be held or bought, US dollars; compared with the largest exposure. */
      amount_usd?: number;
      /** Rules to begin with (GET /v1/policy/presets). Default: wallet. */
      preset?: 'wallet' | 'listing_desk' | 'treasury' | 'agent';
      rules?: PolicyRules;
    };
    reply: PolicyVerdict;
  };
  /** Rules over a whole portfolio */
  'POST /v1/policy/portfolio': {
    path: undefined;
    query: undefined;
    body: {
      /** The positions. */
      positions?: PositionInput[];
      /** The positions as CSV with the header `asset` and `value_usd` or `quantity`, instead of `positions`. */
      csv?: string;
      /** An address whose holdings are the positions, read from the chains now; instead of `positions` and `csv`. */
      address?: string;
      /** With `address`: the chains that are read. Default: every chain with such addresses that has a node here. */
      chains?: ('solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad')[];
      /** Rules to begin with (GET /v1/policy/presets). Default: wallet. */
      preset?: 'wallet' | 'listing_desk' | 'treasury' | 'agent';
      rules?: PolicyRules;
      /** Runs in which issuers, bridges, oracles and collateral fail by chance. */
      simulation?: {
        /** The same seed gives the same bytes. */
        seed?: number;
        /** Number of runs. */
        runs?: number;
      };
    };
    reply: PortfolioVerdict;
  };
  /** Begin an appeal of a rated party */
  'POST /v1/public/appeals': {
    path: undefined;
    query: undefined;
    body: {
      /** As in rating reads: an id, an address, or a symbol. */
      asset: string;
    };
    reply: OpenedAppeal;
  };
  /** Send evidence to the reviewers */
  'POST /v1/public/appeals/{reference}/evidence': {
    path: {
      /** Reference that the first reply gave. */
      reference: string;
    };
    query: undefined;
    body: {
      /** What is wrong with the rating, and what shows it. */
      statement: string;
      /** Where it can be seen. Reviewers open them; the service does not. */
      links?: string[];
    };
    reply: Appeal;
  };
  /** Prove control over the asset */
  'POST /v1/public/appeals/{reference}/proof': {
    path: {
      /** Reference that the first reply gave. */
      reference: string;
    };
    query: undefined;
    body: {
      /** Which proof is given. */
      method: 'dns' | 'eip191' | 'eip712' | 'eip1271' | 'ed25519' | 'repository';
      /** For all but `dns`: 65 bytes in hex with 0x for EIP-191 and EIP-712, at most 2,500 bytes for EIP-1271, 64 bytes in base58 for Ed25519, an armoured OpenPGP signature for a repository. */
      signature?: string;
      /** For `repository` alone: the GitHub account whose key signed. */
      account?: string;
    };
    reply: Appeal;
  };
  /** Object to a rating without a key */
  'POST /v1/public/objections': {
    path: undefined;
    query: undefined;
    body: {
      /** As in rating reads: an id, an address, or a symbol. */
      asset: string;
      /** What is wrong, and what shows it. */
      claim: string;
      /** Where inquiries may be sent. Never shown in public. */
      contact?: string;
    };
    reply: Objection;
  };
  /** The ratings of many assets */
  'POST /v1/rms/batch': {
    path: undefined;
    query: undefined;
    body: {
      /** Named as in the path of GET /v1/rms/{asset}; as many as the plan’s batch size (GET /v1/plans). */
      assets: string[];
      /** `digest`: entries in the short form, as `view=digest` gives them one by one. */
      view?: 'full' | 'digest';
    };
    reply: (Rating | RatingDigest | {
      /** The asset as requested. */
      requested: string;
      /** The problem object that the asset alone would have got. */
      error: {
        /** The problem’s stable word, such as `asset_not_rated`. */
        code: string;
        [name: string]: unknown;
      };
    })[];
  };
  /** Score a project */
  'POST /v1/score': {
    path: undefined;
    query: undefined;
    body: {
      /** posttge or pretge, in any case; echoed in lower case, as the job id begins. */
      type: string;
      /** Project name. */
      project: string;
      /** Project web address, http or https, on a public host. A bare host gets `https://`. */
      project_url: string;
      /** Token ticker. */
      token_symbol?: string;
      /** Free-text project category. */
      category?: string;
      /** Chain the project runs on: a name, a symbol or a CAIP-2 id. */
      blockchain?: string;
      /** Mint or contract, when the caller knows it. */
      token_address?: string;
      /** minimal, standard (default) or full. */
      output_format?: string;
    } | ScoreAssetRequest;
    reply: StandardScore | MinimalScore | FullScore | AcceptedJob;
  };
  /** Request known assets from every source */
  'POST /v1/setup/prove': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Setup;
  };
  /** Have alerts sent to an address */
  'POST /v1/webhooks': {
    path: undefined;
    query: undefined;
    body: {
      /** https, port 443, a public host name. Redirects are not followed. */
      url: string;
      /** Your own note. */
      description?: string | null;
      /** Kinds of alerts it is sent; all of them by default. The account has alerts of the kind `source_drift` only after PUT /v1/alerts/source-drift. */
      kinds?: ('score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold')[];
      /** Shape of the messages: `assay` is signed (Standard Webhooks); the others are what incoming webhooks of Slack and Discord and `sendMessage` of Telegram take. Default: assay. */
      format?: 'assay' | 'slack' | 'discord' | 'telegram';
      /** With the format `telegram`, and only there: number of the chat, or @name of the channel. */
      chat_id?: string | null;
    };
    reply: NewWebhook;
  };
  /** Send one message again, with the id it had */
  'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': {
    path: {
      /** Id of a webhook. */
      id: string;
      /** Id of a delivery, the `webhook-id` its receiver sees. */
      delivery: string;
    };
    query: undefined;
    body: undefined;
    reply: QueuedDelivery;
  };
  /** Send a webhook nothing about an asset, or of a kind, for some days */
  'POST /v1/webhooks/{id}/mutes': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: {
      /** `asset_id` of the alerts. */
      asset_id?: string;
      /** Kind of alert. */
      kind?: 'score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold';
      /** For how long. */
      days: number;
    };
    reply: Mute;
  };
  /** Send every alert since a time again */
  'POST /v1/webhooks/{id}/replay': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: {
      /** RFC 3339 time of the first alert to send again. */
      since: string;
    };
    reply: {
      /** Messages put into the queue, at most 1000; 15 a minute go out. */
      messages: number;
      /** Time of the last alert among them: with 1000 messages, replay again from here. Null without any. RFC 3339, UTC. */
      until: string | null;
      data_mode: DataMode;
    };
  };
  /** Replace the secret; messages carry both signatures during the overlap */
  'POST /v1/webhooks/{id}/rotate': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: {
      /** How long messages carry signatures by both secrets. Default: 86400. */
      overlap_seconds?: number;
    };
    reply: NewWebhook;
  };
  /** Send a test message, also to a webhook that is switched off */
  'POST /v1/webhooks/{id}/test': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: QueuedDelivery;
  };
  /** Be notified when a source changes what it states */
  'PUT /v1/alerts/source-drift': {
    path: undefined;
    query: undefined;
    body: {
      /** Names of sources, as GET /v1/status has them; null (the default): all. */
      sources?: string[] | null;
    };
    reply: DriftSubscription;
  };
  /** Watch an asset, or change its note and thresholds */
  'PUT /v1/rms/whitelist/{asset}': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: {
      /** Your own note; null (the default): none. */
      note?: string | null;
      /** When it alerts; what is left out takes its default. */
      thresholds?: {
        /** Points since the last alert. Default: 5. */
        min_score_change?: number;
        /** Severities of flags that alert. */
        flag_severities?: ('info' | 'low' | 'medium' | 'high' | 'critical')[];
        /** Transitions into or out of these; null (the default): all. D and NR always count. */
        bands?: ('AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR')[] | null;
      };
    };
    reply: WhitelistEntry;
  };
  /** Change a webhook; what is left out stays */
  'PUT /v1/webhooks/{id}': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: {
      /** https, port 443, a public host name. Redirects are not followed. */
      url?: string;
      /** Your own note. */
      description?: string | null;
      /** Kinds of alerts it is sent; all of them by default. The account has alerts of the kind `source_drift` only after PUT /v1/alerts/source-drift. */
      kinds?: ('score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold')[];
      /** When it is switched on again, its failures are counted from zero. */
      enabled?: boolean;
      /** Shape of the messages: `assay` is signed (Standard Webhooks); the others are what incoming webhooks of Slack and Discord and `sendMessage` of Telegram take. */
      format?: 'assay' | 'slack' | 'discord' | 'telegram';
      /** With the format `telegram`, and only there: number of the chat, or @name of the channel. */
      chat_id?: string | null;
    };
    reply: Webhook;
  };
  /** Have an asset indexed */
  'PUT /v1/{chain}/index/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: {
      /** Kinds of snapshots to make. */
      kinds?: ('market' | 'holders' | 'pools')[];
      /** How often readers need a new snapshot. An account gets none that is more frequent than its plan is served. Default: newest. */
      cadence?: 'hourly' | 'five_minutes' | 'newest';
    };
    reply: {
      asset: Asset;
      /** Which of `market`, `holders` and `pools` are made of it. */
      kinds: ('market' | 'holders' | 'pools')[];
      /** How often its readers need new snapshots; `newest`: as often as the service can. */
      cadence: 'hourly' | 'five_minutes' | 'newest';
      /** configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed. */
      added_by: string;
      /** When it was added. RFC 3339, UTC. */
      added_at: string;
      /** When indexing ends; null: when it is removed. RFC 3339, UTC. */
      wanted_until: string | null;
      /** Nothing is read of it for now. */
      paused: boolean;
      /** The account of the key has requested it: it counts towards the plan’s `indexed_assets`. */
      is_yours: boolean;
      coverage: Coverage;
      data_mode: DataMode;
    };
  };
  /** Set thresholds on figures of an asset’s snapshots */
  'PUT /v1/{chain}/thresholds/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: {
      /** All thresholds of the asset: thresholds that are left out end, and the others keep their state. */
      thresholds: {
        /** A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`). */
        figure: 'price_usd' | 'volume_24h_usd' | 'market_cap_usd' | 'liquidity_usd' | 'price_dispersion_pct' | 'pools' | 'pools_tvl_usd' | 'pools_volume_24h_usd' | 'depth_2_pct_down_usd' | 'holder_count' | 'top_1_pct' | 'top_10_pct' | 'adjusted_top_10_pct';
        /** `above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`. */
        condition: 'above' | 'below' | 'rises' | 'falls';
        /** In the unit of the figure; of `rises` and `falls` percent, at most 100 of `falls`. */
        value: number;
        /** Of `rises` and `falls`: how far back they look. Default: 3600. */
        window_seconds?: number;
        /** Percent of `value` that the figure goes back before it can cross again. Default: 5. */
        hysteresis_pct?: number;
        /** Severity of its alerts: what it means to you. Default: medium. */
        severity?: 'info' | 'low' | 'medium' | 'high' | 'critical';
      }[];
      /** Your own note; null (the default): none. */
      note?: string | null;
    };
    reply: {
      /** CAIP-19 id. */
      asset: string;
      /** Our name of the chain (GET /v1/chains); null without a token. */
      chain: string | null;
      /** When the first thresholds of the asset were set. RFC 3339, UTC. */
      added_at: string;
      /** The account’s own; null without one. */
      note: string | null;
      /** In the order they were given in. */
      thresholds: Threshold[];
      data_mode: DataMode;
    };
  };
}

/** What each webhook is sent, by the type of the message. */
export interface WebhookMessages {
  'alert.band_transition': BandTransitionMessage;
  'alert.correction': CorrectionMessage;
  'alert.digest': DigestMessage;
  'alert.peg_stress': PegStressMessage;
  'alert.risk_flag_change': FlagChangeMessage;
  'alert.score_change': ScoreChangeMessage;
  'alert.snapshot_threshold': SnapshotThresholdMessage;
  'alert.source_drift': SourceDriftMessage;
  'webhook.test': TestMessage;
}

/** Why a feature is one of the gaps. */
export interface Absence {
  /** `no_source`: no requested source states it; `not_shown`: the project shows none; `none_found`: searched for and none found, which is good; `unconfirmed`: the project alone states it. */
  kind: 'no_source' | 'source_failed' | 'not_shown' | 'not_found' | 'none_found' | 'unconfirmed' | 'too_uncertain';
  /** Why it is not known, or not surely, in a sentence or two. */
  why: string;
  /** What counts in its place, and on how much of the score. */
  cost: string;
  /** What can be done, and by whom. */
  action: string;
}

/** The job continues; poll its address. */
export interface AcceptedJob {
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** `queued` or `running`. */
  state: string;
  /** Where its state and result are read. */
  location: string;
  data_mode: DataMode;
}

/** The account of a key: its plan and what it has. Usage is under /v1/usage, webhooks under /v1/webhooks. */
export interface Account {
  /** Whose watchlist, alerts, webhooks, keys and usage this key reaches. */
  account_id: string;
  key: Key;
  plan: Plan;
  /** Keys that work: how many, of how many. */
  keys: {
    /** Keys that work that the account has now. */
    used: number;
    /** As many as its plan allows. */
    limit: number;
  };
  /** Webhooks: how many, of how many. */
  webhooks: {
    /** Webhooks that the account has now. */
    used: number;
    /** As many as its plan allows. */
    limit: number;
  };
  /** Assets on the watchlist: how many, of how many. */
  watchlist: {
    /** Assets on the watchlist that the account has now. */
    used: number;
    /** As many as its plan allows. */
    limit: number;
  };
  /** Assets requested for indexing: how many, of how many. */
  indexed_assets: {
    /** Assets requested for indexing that the account has now. */
    used: number;
    /** As many as its plan allows. */
    limit: number;
  };
  data_mode: DataMode;
}

/** A dispute with the account it is of. */
export interface AccountDispute {
  /** Id of the dispute. */
  id: string;
  /** `accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed. */
  state: 'received' | 'accepted' | 'rejected' | 'restated';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it came. RFC 3339, UTC. */
  received_at: string;
  /** What is wrong, as it was given. */
  claim: string;
  /** As it was given; seen by the account and the operator alone. */
  contact: string | null;
  /** What the operator found; null while it is open. */
  resolution: string | null;
  /** When that was; null while it is open. RFC 3339, UTC. */
  resolved_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  /** `public`: of somebody without a key. */
  origin: 'account' | 'public';
  /** Account that disputes; null where none is kept. */
  account_id: string | null;
}

/** A name that is known of an address. */
export interface AddressLabel {
  /** What the address is, such as `exchange` or `pool`. */
  kind: string;
  /** Readable name. */
  name: string;
  /** Source that states it. */
  source: string;
  /** How sure the statement is, 0-1. */
  confidence: number;
}

/** Something that happened to a watched asset, or to a source. */
export interface Alert {
  /** Rises within the account, without gaps. */
  id: number;
  /** CAIP-19 id; null for `source_drift`, which is about a source. */
  asset_id: string | null;
  /** Of the asset, untrusted text; null when not known. */
  symbol: string | null;
  /** Of the asset, untrusted text; null when not known. */
  name: string | null;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string | null;
  /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
  trust_score: number | null;
  /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
  source: string | null;
  /** What moved: the score, the flags, the band, what a source states, a price off its peg, a rating that was corrected, or a figure of a snapshot that crossed a threshold of the account. */
  kind: 'score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold';
  severity: Severity;
  /** What happened, in one line. */
  title: string;
  /** By kind: how far the score moved, which flags changed, from which band to which, which sources drift, how far a price is off its peg, what was corrected. */
  details: ScoreChange | FlagChange | BandTransition | SourceDrift | PegStress | Correction | ThresholdCrossed;
  /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
  rating_as_of: string | null;
  /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
  created_at: string;
  /** When it was first acknowledged; null while it is open. RFC 3339, UTC. */
  acknowledged_at: string | null;
}

/** The status of an appeal. */
export interface Appeal {
  /** Reference of the appeal; anyone who has it may read the status. */
  reference: string;
  /** `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating. */
  state: 'awaiting_proof' | 'expired' | 'proved' | 'under_review' | 'accepted' | 'rejected' | 'corrected';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it was opened. RFC 3339, UTC. */
  opened_at: string;
  /** Until when control has to be proved. RFC 3339, UTC. */
  expires_at: string;
  /** The proof of control; null before it. */
  proof: {
    /** How control was proved. */
    method: 'dns' | 'eip191' | 'eip712' | 'eip1271' | 'ed25519' | 'repository';
    /** What the domain, address or account is to the asset or its repository. */
    role: string;
    /** The domain or address; of a repository: it, the account and the key. */
    subject: string;
    /** When it was proved. RFC 3339, UTC. */
    proved_at: string;
  } | null;
  /** How often evidence was sent. It is read by the reviewers and not shown. */
  evidence_count: number;
  /** Reviews of the present step; two that agree decide. */
  review_count: number;
  /** What the reviewers found; null before. */
  finding: string | null;
  /** When they decided; null before. RFC 3339, UTC. */
  decided_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  data_mode: DataMode;
}

/** The receipt of one reply. */
export interface ArchivedReply {
  /** Unique within the job; observations name it as `evidence`. */
  id: string;
  /** Source of the reply. */
  source: string;
  /** Endpoint of the source. */
  endpoint: string;
  /** Outcome of the request, such as `ok`, `not_found` or `timeout`. */
  outcome: string;
  /** The requested address, without keys. */
  url: string;
  /** HTTP status; null when there was no reply. */
  status: number | null;
  /** When the reply came. RFC 3339, UTC. */
  fetched_at: string;
  /** Time it took. */
  milliseconds: number;
  /** SHA-256 of the reply’s decoded body, hex; null without one. */
  sha256: string | null;
  /** Length of the decoded body; null without one. */
  bytes: number | null;
  /** What went wrong; null when nothing did. */
  detail: string | null;
}

/** How an asset is named everywhere in Assay. */
export interface Asset {
  /** CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is. */
  id: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known. */
  category: string | null;
  /** The project’s own site, when known. */
  website: string | null;
}

/** A published rating that a contract can check. */
export interface Attestation {
  /** CAIP-19 id. */
  asset_id: string;
  /** CAIP-2 id of the chain that it is for. */
  chain: string;
  /** Of the rating. RFC 3339, UTC. */
  as_of: string;
  /** From then on contracts refuse it. RFC 3339, UTC. */
  expires_at: string;
  /** What is signed of the rating. */
  claim: {
    /** SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id. 32 bytes in hexadecimal after 0x. */
    asset: string;
    /** Place of the band: AAA is 0, D is 9. */
    band: number;
    /** In tenths of a point. */
    score: number;
    /** In tenths of a point. */
    trust: number;
    /** Hash of the published record: that of its leaf in the log (GET /v1/rms/{asset}/proofs). */
    record_sha256: string;
  };
  /** Schema of the EAS attestation’s data. */
  schema: string;
  /** For an EVM chain; null for another. */
  eas: EasAttestation | null;
  /** For a cluster of Solana; null for another chain. */
  solana: SolanaAttestation | null;
  data_mode: DataMode;
}

/** A key as a JWK (RFC 7517, RFC 8812), with its address. */
export interface AttestationKey {
  /** Name of the key. */
  kid: string;
  /** Elliptic curve, always. */
  kty: 'EC';
  /** The curve, always this one. */
  crv: 'secp256k1';
  /** First coordinate, 32 bytes in base64url. */
  x: string;
  /** Second coordinate, 32 bytes in base64url. */
  y: string;
  /** For signatures, always. */
  use: 'sig';
  /** The address by which EVM contracts identify the key. */
  address: string;
  /** When it was made. RFC 3339, UTC. */
  created_at: string;
  /** When another took its place; null while it signs. RFC 3339, UTC. */
  retired_at: string | null;
}

/** What the terms of a source require to be shown beside its data. */
export interface Attribution {
  /** Name of the source that requires it. */
  source: string;
  /** The text to show. */
  text: string;
  /** The link to set below them. */
  url: string;
}

/** Rating band, AAA (best) to C; D: defaulted, by the tests of the methodology (section Default); NR: not rated, the evidence is too thin. */
export type Band = 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';

/** From which band to which. */
export interface BandTransition {
  /** Band before. */
  from: Band;
  /** Band now. */
  to: Band;
  /** What this rating did to the one before. */
  action: 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';
  /** Why, in one line. */
  reason: string;
}

/** A watched asset is in another band. */
export interface BandTransitionMessage {
  /** What the message is about. */
  type: 'alert.band_transition';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'band_transition';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: BandTransition | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** What fails together when one node fails. */
export interface Breakage {
  /** What fails. */
  kind: 'asset' | 'issuer' | 'protocol' | 'bridge' | 'underlying' | 'collateral' | 'oracle' | 'chain';
  /** Its name; of an asset its id. */
  name: string;
  /** Part of the portfolio that is lost when it fails altogether. 0-1. */
  loss: number;
  /** Positions that lose by it, the largest loss first. */
  positions: {
    /** A position that loses by it. */
    asset_id: string;
    /** Part of the position. 0-1. */
    loss: number;
  }[];
}

/** What a rating is made of. */
export interface Breakdown {
  asset: RatedAsset;
  /** As published. */
  score: number | null;
  /** As published. */
  band: Band;
  /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
  trust_score: number;
  /** Their points add up to `score`, to the last digit. Empty when there is no score. */
  contributions: Contribution[];
  /** Every factor with all its features. */
  factors: Factor[];
  /** Ceilings on the score whose condition held. */
  caps: Cap[];
  /** Flags that are raised. */
  risk_flags: RiskFlag[];
  /** What is not known, and why. */
  gaps: Gap[];
  /** Quantities whose sources contradict each other. */
  conflicts: {
    /** What the sources disagree on. */
    quantity: string;
    /** What each source states. */
    detail: string;
  }[];
  /** Rows of kept registers in its evidence, as they were then, with what each decided. */
  register_rows: CitedRegisterRow[];
  /** The rating in a few sentences. */
  summary: string;
  /** What this rating cannot show. */
  limitations: string[];
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules. */
  methodology_hash: string;
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
  correction?: RatingCorrection;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
}

/** Many assets scored as one job: how far it is. */
export interface BulkJob {
  /** Id of the bulk job. */
  bulk_id: string;
  /** `cancelled`: its rows that waited are given up, and those under way end by themselves. */
  state: 'running' | 'finished' | 'cancelled';
  /** When it was sent. RFC 3339, UTC. */
  created_at: string;
  /** When its last row ended; null before. RFC 3339, UTC. */
  finished_at: string | null;
  /** Number of rows by state. */
  rows: {
    /** Rows that were sent. */
    total: number;
    /** Rows of which nothing more is to come. */
    done: number;
    /** Rows whose turn has not come. */
    waiting: number;
    /** Rows that are scored now. */
    running: number;
    /** Rows with a result. */
    rated: number;
    /** Rows whose score failed; each states why. */
    failed: number;
    /** Rows that were not begun: they could not be read, or are more than the plan allows. */
    refused: number;
    /** Rows that repeat an earlier one, which has the result. */
    duplicate: number;
    /** Rows that were given up. */
    cancelled: number;
  };
  /** Why rows failed or were refused, the most frequent first. */
  reasons: {
    /** Code of the problem. */
    code: string;
    /** Rows that it ended. */
    rows: number;
  }[];
  /** Rows that are scored at the same time. */
  at_once: number;
  /** About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end. */
  eta_seconds: number | null;
  /** Path of the bulk job. */
  location: string;
  /** Path of its rows; with `format=csv` as a table. */
  results: string;
  data_mode: DataMode;
}

/** The rating of a row in short; the whole one is at its job. */
export interface BulkResult {
  /** Id of the asset that was rated (CAIP-19). */
  asset: string;
  /** Ticker, untrusted text. */
  symbol: string | null;
  /** Name, untrusted text. */
  name: string;
  band: Band;
  /** 0-100; null where the evidence is too thin. */
  score: number | null;
  /** 0-100. */
  trust_score: number | null;
  /** The rating is published, and read under /v1/rms. */
  published: boolean;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  /** What a reader should know. */
  warnings: string[];
}

/** One row of a bulk job. */
export interface BulkRow {
  /** Number of the row as it was sent, from 1. */
  row: number;
  /** The content of the row. */
  requested: {
    /** The one word, where the row has one. */
    asset: string | null;
    /** Name of the project. */
    project: string | null;
    /** Its web address. */
    project_url: string | null;
  };
  /** What became of it. */
  state: 'waiting' | 'running' | 'rated' | 'failed' | 'refused' | 'duplicate' | 'cancelled';
  /** Its scoring job (GET /v1/jobs/{id}); null before its turn, and of rows that have none. */
  job_id: string | null;
  /** Number of the row that it repeats; null of others. */
  duplicate_of: number | null;
  /** Null until it is rated. */
  result: BulkResult | null;
  /** Null unless it failed or was refused. */
  error: BulkRowError | null;
  /** When it ended. RFC 3339, UTC. */
  ended_at: string | null;
}

/** Why a row has no result, as the problem of a score states it. */
export interface BulkRowError {
  /** A stable code for programs. */
  code: string;
  /** The problem in short; the same for every such problem. */
  title: string;
  /** What happened this time, what was expected, and what to do. */
  detail: string;
  /** Whether to repeat the request: `no`; the `same` request at once; the same `after` Retry-After; or a `corrected` one. */
  retry: 'no' | 'same' | 'after' | 'corrected';
  /** Every error of the request, all at once. */
  errors?: {
    /** JSON pointer (RFC 6901) to the field, or `/` and the parameter. */
    pointer: string;
    /** A stable code. */
    code: string;
    /** What was expected there. */
    detail: string;
  }[];
  /** Assets that the text may mean. */
  candidates?: {
    /** Id of an asset: accepted as `asset` of another row. */
    id: string;
    /** Ticker, untrusted text. */
    symbol: string | null;
    /** Name, untrusted text. */
    name: string;
    /** Evidence for it. */
    why: string;
  }[];
  /** What was tried. */
  tried?: string[];
  /** The limit that was reached. */
  limit?: number;
}

/** A ceiling on the score, regardless of the rest (methodology, Caps). */
export interface Cap {
  /** Code of the cap, in the methodology’s table of caps. */
  code: string;
  /** The highest score it allows, 0-100. */
  cap: number;
  /** The best band it allows. */
  band: Band;
  /** Code of the flag that caused it; null for caps on thin evidence. */
  flag: string | null;
  /** The condition that holds. */
  detail: string;
  /** This cap set the score; others were less strict or did not matter. */
  binding: boolean;
}

/** An event of a stream of chain data. */
export type ChainEvent = {
  /** What the stream follows. */
  event: 'open';
  /** What the stream follows. */
  data: {
    /** Ids (CAIP-19) of the assets that the stream follows. */
    assets: string[];
    /** Kinds of their snapshots that it sends. */
    kinds: ('market' | 'holders' | 'pools')[];
  };
} | {
  /** A snapshot, as its own route gives it. */
  event: 'snapshot';
  /** The snapshot; `kind` states which. */
  data: MarketSnapshot | HoldersSnapshot | PoolsSnapshot;
} | {
  /** The reader was slow: the newest follows, older ones do not. */
  event: 'skipped';
  /** How many were skipped. */
  data: {
    /** Id of the asset (CAIP-19). */
    asset_id: string;
    /** Kind of snapshot. */
    kind: 'market' | 'holders' | 'pools';
    /** Snapshots between the one sent before and the one that follows. */
    skipped: number;
  };
} | {
  /** Too much was stored since Last-Event-ID: some of it is in the history alone. */
  event: 'gap';
  /** What is not sent again. */
  data: {
    /** Id of the asset (CAIP-19). */
    asset_id: string;
    /** Kind of snapshot. */
    kind: 'market' | 'holders' | 'pools';
    /** The time that Last-Event-ID stood for. RFC 3339, UTC. */
    from: string;
    /** Snapshots stored from here on follow; those between are in the history. RFC 3339, UTC. */
    to: string;
  };
} | {
  /** Blocks were removed: new snapshots follow. */
  event: 'reorganised';
  /** Which blocks were removed. */
  data: {
    /** Id of the asset (CAIP-19). */
    asset_id: string;
    /** First block that was removed and in which something happened at its pools. */
    block: number;
    /** When it was seen. Snapshots with a later `as_of` rest on the blocks that took their place. RFC 3339, UTC. */
    noticed_at: string;
  };
} | {
  /** This process stops: connect again with Last-Event-ID. */
  event: 'bye';
  /** Why the process ends the stream, and when to connect again. */
  data: {
    /** The reason, as text. */
    reason: string;
    /** Wait so long before connecting again; the line `retry` states the same. */
    retry_after_ms: number;
  };
} | {
  /** The key or its plan no longer allows the stream. */
  event: 'end';
  /** Why the stream ends. */
  data: {
    /** The reason, as text. */
    reason: string;
  };
};

/** All aggregates of market, holders and pools of one asset at the end of a day. */
export interface ChainExportRow {
  /** The day, YYYY-MM-DD in UTC. */
  date: string;
  /** CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is. */
  asset_id: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Categories as the sources name them; null when not known. */
  category: string | null;
  /** When the market numbers were true. RFC 3339, UTC. */
  market_as_of: string | null;
  /** Consensus price, US dollars. */
  price_usd: number | null;
  /** Confidence of the price, 0-1: a weight, not the chance of being right. */
  price_confidence: number | null;
  /** Change of the price over one hour, percent. */
  change_1h_pct: number | null;
  /** Change of the price over 24 hours, percent. */
  change_24h_pct: number | null;
  /** Change of the price over 7 days, percent. */
  change_7d_pct: number | null;
  /** Change of the price over 30 days, percent. */
  change_30d_pct: number | null;
  /** Traded in 24 hours, US dollars. */
  volume_24h_usd: number | null;
  /** Price times circulating supply. */
  market_cap_usd: number | null;
  /** Price times total (or maximum) supply. */
  fully_diluted_value_usd: number | null;
  /** Whole tokens. */
  circulating_supply: number | null;
  /** Whole tokens; of a token on several chains, on this one. */
  total_supply: number | null;
  /** Whole tokens; null when there is no maximum or it is not known. */
  max_supply: number | null;
  /** Both sides of all pools, US dollars. */
  liquidity_usd: number | null;
  /** Volume of 24 hours over market capitalisation, percent. */
  turnover_pct: number | null;
  /** Volume of 24 hours over liquidity, a ratio. */
  volume_to_liquidity: number | null;
  /** Standard deviation of daily log returns over 30 days, percent per day. */
  volatility_30d_pct: number | null;
  /** All-time high, US dollars. */
  ath_usd: number | null;
  /** Below the all-time high. 0-100; null when not known. */
  drawdown_pct: number | null;
  /** Markets seen. */
  venues: number | null;
  /** How far the venues’ prices lie apart (1.4826 MAD of log prices), percent. */
  price_dispersion_pct: number | null;
  /** When the holder numbers were true. RFC 3339, UTC. */
  holders_as_of: string | null;
  /** How good the list of holders is: `full_scan`, `indexer` or `top20_only`. */
  holders_method: 'full_scan' | 'indexer' | 'top20_only' | null;
  /** Owners with more than nothing. */
  holder_count: number | null;
  /** Share of the largest holder, of all addresses. 0-100; null when not known. */
  top_1_pct: number | null;
  /** Share of the ten largest, of all addresses. 0-100; null when not known. */
  top_10_pct: number | null;
  /** Share of the twenty largest, of all addresses. 0-100; null when not known. */
  top_20_pct: number | null;
  /** Share of the fifty largest, of all addresses. 0-100; null when not known. */
  top_50_pct: number | null;
  /** Share of the hundred largest, of all addresses. 0-100; null when not known. */
  top_100_pct: number | null;
  /** Share of the largest holder without pools, burn, lockers, bridges and exchanges. 0-100; null when not known. */
  adjusted_top_1_pct: number | null;
  /** Share of the ten largest in that adjusted view. 0-100; null when not known. */
  adjusted_top_10_pct: number | null;
  /** Share of the hundred largest in the adjusted view. 0-100; null when not known. */
  adjusted_top_100_pct: number | null;
  /** Herfindahl-Hirschman index of the adjusted view, 0-10,000. */
  hhi: number | null;
  /** Gini coefficient of the adjusted view, 0-1. */
  gini: number | null;
  /** Shannon entropy of the adjusted view, natural logarithm. */
  entropy: number | null;
  /** One over the sum of squared shares of the adjusted view. */
  effective_holders: number | null;
  /** Fewest holders of the adjusted view with more than half. */
  nakamoto_50: number | null;
  /** Fewest holders of the adjusted view with more than a third. */
  nakamoto_33: number | null;
  /** Share of those of the twenty largest that have no label. 0-100; null when not known. */
  unlabelled_top20_share_pct: number | null;
  /** Balances seen over the total supply; 1 when all were seen. */
  holders_coverage: number | null;
  /** When the pool numbers were true. RFC 3339, UTC. */
  pools_as_of: string | null;
  /** Pools known. */
  pools: number | null;
  /** Of them, read from the chain itself. */
  verified_pools: number | null;
  /** Both sides of all pools whose value is known, US dollars. */
  tvl_usd: number | null;
  /** Traded in 24 hours in all pools, US dollars. */
  pools_volume_24h_usd: number | null;
  /** Fees of 24 hours of all pools, US dollars. */
  pools_fees_24h_usd: number | null;
  /** US dollars that buyers put in before the price is 2 % up. */
  depth_2pct_up_usd: number | null;
  /** US dollars that sellers take out before the price is 2 % down. */
  depth_2pct_down_usd: number | null;
  /** Average cost of buying for 1,000 US dollars, fee included, percent. */
  slippage_1k_buy_pct: number | null;
  /** Average cost of buying for 10,000 US dollars, fee included, percent. */
  slippage_10k_buy_pct: number | null;
  /** Average cost of buying for 100,000 US dollars, fee included, percent. */
  slippage_100k_buy_pct: number | null;
  /** Average cost of selling for 10,000 US dollars, fee included, percent. */
  slippage_10k_sell_pct: number | null;
  /** How the depth of all pools together was found; `mixed`: of some `exact`, of others a `tvl_proxy`; null without depth. */
  depth_method: 'exact' | 'mixed' | 'tvl_proxy' | null;
  /** Names of all sources of the row, joined by `;`. */
  sources: string;
}

/** A row of a kept register behind a rating, as it was when that was made. */
export interface CitedRegisterRow {
  /** Name of the register. */
  register: string;
  /** Id of the row in it. */
  id: string;
  /** What it is about. */
  name: string | null;
  /** The operator’s own row; else one that a version ships. */
  own: boolean;
  /** `confirmed`: a source that was read proves every cell and two people reviewed the row; `unconfirmed`: not so; `expired`: it has to be checked again. */
  state: 'confirmed' | 'unconfirmed' | 'expired';
  /** Two people reviewed it. */
  reviewed: boolean;
  /** When the row was last checked; null: of no day. YYYY-MM-DD. */
  read_on: string | null;
  /** When it has to be checked again; null: it is not kept by days. YYYY-MM-DD. */
  expires: string | null;
  /** What the row was read from. */
  sources: {
    /** Where it was read, or a description. */
    url: string;
    /** On what terms it is used. */
    licence: string | null;
    /** The day of what was read; null: not read yet. YYYY-MM-DD. */
    read_on: string | null;
  }[];
  /** What it decided; empty: nothing that counted. */
  decided: {
    /** A quantity that the row states and that counted, or `class`. */
    quantity: string;
    /** The cell of the row; null: the row as a whole. */
    cell: string | null;
    /** `proven`: a source that was read states it; `unconfirmed`: none that was read, so it counts less and never as supervised; `expired`: it has to be checked again. */
    state: 'proven' | 'unconfirmed' | 'expired';
    /** When the cell has to be checked again; null: it is not kept by days. YYYY-MM-DD. */
    expires: string | null;
  }[];
}

/** A rated asset of the same class. */
export interface ClassPeer {
  /** CAIP-19 id. */
  asset_id: string;
  /** Ticker, untrusted text; null when not known. */
  symbol: string | null;
  /** Name, untrusted text; null when not known. */
  name: string | null;
  /** As published. */
  band: Band;
  /** As published, 0-100. */
  score: number;
  /** Trust in its evidence, 0-100. */
  trust_score: number;
  /** Price over fair value; null when none can be computed. */
  vfr: number | null;
  /** Market capitalisation, US dollars; null when not known. */
  market_cap_usd: number | null;
}

/** How a supply is spread over its holders, in one view of them. */
export interface Concentration {
  /** Holders in this view. */
  holder_count: number | null;
  /** Share of the largest holder. 0-100; null when not known. */
  top_1_pct: number | null;
  /** Share of the five largest. 0-100; null when not known. */
  top_5_pct: number | null;
  /** Share of the ten largest. 0-100; null when not known. */
  top_10_pct: number | null;
  /** Share of the twenty largest. 0-100; null when not known. */
  top_20_pct: number | null;
  /** Share of the fifty largest. 0-100; null when not known. */
  top_50_pct: number | null;
  /** Share of the hundred largest. 0-100; null when not known. */
  top_100_pct: number | null;
  /** Gini coefficient, 0-1; null for fewer than two holders. */
  gini: number | null;
  /** The same over holders of at least one dollar; null without a price. */
  gini_min: number | null;
  /** Herfindahl-Hirschman index, 0-10,000. */
  hhi: number | null;
  /** One over the sum of squared shares. */
  effective_holders: number | null;
  /** Shannon entropy, natural logarithm. */
  entropy: number | null;
  /** e to the entropy. */
  entropy_holders: number | null;
  /** Entropy over ln n, 0-1; null for one holder. */
  entropy_normalised: number | null;
  /** Fewest holders with more than half; null when no number of them has it. */
  nakamoto_50: number | null;
  /** Fewest holders with more than a third; null when no number of them has it. */
  nakamoto_33: number | null;
  /** Codes such as `n_lt_k` (fewer than a hundred holders) and `one_holder`. */
  notes: string[];
}

/** Proof that nothing before was changed. */
export interface ConsistencyProof {
  /** Size of the older tree. */
  from: number;
  /** Size of the newer tree. */
  to: number;
  /** Proof that the newer tree begins with the older (RFC 9162, 2.1.4); empty where they are one. */
  path: string[];
  data_mode: DataMode;
}

/** One line of the sum that makes the score. */
export interface Contribution {
  /** What the line is; `evidence_limit`: too few sources were asked for a higher score; `standing_rating`: today’s evidence is too thin and the previous score remains in force. */
  kind: 'prior' | 'factor' | 'caps' | 'default' | 'evidence_limit' | 'fading_caps' | 'standing_rating';
  /** PRIOR, a factor’s code, CAP, DEFAULT, EVIDENCE or STANDS. */
  code: string;
  /** What it is called. */
  name: string;
  /** In steps of 0.1. */
  points: number;
  /** Where the points come from. */
  detail: string;
}

/** Correction of a rating that the account was notified of. */
export interface Correction {
  /** Number of the correction, see GET /v1/restatements. */
  restatement_id: number;
  /** Job that made the rating that was wrong. */
  job_id: string;
  /** Why it was corrected. */
  reason: string;
  /** The rating as published. */
  before: {
    /** As published. */
    band: Band;
    /** As published; null when not rated. */
    score: number | null;
  };
  /** The rating that should have been published. */
  after: {
    /** As corrected. */
    band: Band;
    /** As corrected; null when not rated. */
    score: number | null;
  };
}

/** Correction of a rating that the account was notified of. */
export interface CorrectionMessage {
  /** What the message is about. */
  type: 'alert.correction';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'correction';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: Correction | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** What would move the rating to the next band. */
export interface Counterfactual {
  /** The asset. */
  asset_id: string;
  /** The present band. */
  published_band: Band;
  /** Score that the changes are reckoned from; null when it is not rated. */
  score: number | null;
  /** The next better band; null when there is none to reckon. */
  band: Band | null;
  /** Its cut-off with the margin of the bands’ hysteresis; null without a next band. */
  needed_score: number | null;
  /** So many daily ratings have to be that high. */
  needed_ratings: number;
  /** Caps in the way. Changes are reckoned as if they had ended. */
  obstacles: Obstacle[];
  /** Score once the obstacles have ended, which points of `raises` and `pairs` are counted from; null with `score`. */
  score_without_obstacles: number | null;
  /** Changes of one feature: those that are enough alone, the smallest first, then those that add most. */
  raises: FeatureChange[];
  /** Two changes that are enough together, where no single one is. */
  pairs: {
    /** The two changes. */
    changes: FeatureChange[];
    /** Score with both, rated anew. */
    score: number;
  }[];
  /** The next worse band; null when there is none. */
  lower_band: Band | null;
  /** Below it the band falls; null without a worse band. */
  lower_score: number | null;
  /** The smallest changes of one feature that lead there. */
  lowers: FeatureChange[];
  /** Why nothing is reckoned; null when it is. */
  reason: string | null;
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
}

/** How many assets the account has requested, and how many its plan allows. */
export interface Coverage {
  /** Assets that the account has requested, on all chains. */
  used: number;
  /** `indexed_assets` of the key’s plan; null for administrators, who have no limit. */
  limit: number | null;
}

/** A page of the present ratings. */
export interface CurrentRatings {
  /** In the order of the asset ids. */
  data: RatingExportRow[];
  /** Repeat the request with `cursor` set to this; null on the last page. */
  next_cursor: string | null;
  data_mode: DataMode;
}

/** `sandbox`: assets and sources are fictional; `live`: real ones. */
export type DataMode = 'live' | 'sandbox';

/** The asset has failed, by tests that are written down (methodology, Default). */
export interface Default {
  /** When it defaulted. RFC 3339, UTC. */
  since: string;
  /** When it is cured if nothing comes up again. RFC 3339, UTC. */
  cures_at: string | null;
  /** Default tests that are met; empty while it waits to be cured. */
  tests: {
    /** D1 to D8, in the methodology’s table of default tests. */
    code: string;
    /** What meets the test. */
    detail: string;
    /** Since when it is met. RFC 3339, UTC. */
    since: string;
  }[];
}

/** One message to a webhook, and its outcome. */
export interface Delivery {
  /** What the receiver sees as `webhook-id`; the same at every attempt. */
  id: string;
  /** `alert.<kind>`, `alert.digest` or `webhook.test`. */
  type: string;
  /** Number of the alert it is about; null for digests and tests. */
  alert_id: number | null;
  /** `folded`: it went out within a digest. */
  state: 'pending' | 'delivered' | 'failed' | 'folded';
  /** Delivery of the digest it was folded into; null when it was not. */
  digest_id: string | null;
  /** Attempts made so far. */
  attempts: number;
  /** When it was put into the queue. RFC 3339, UTC. */
  created_at: string;
  /** When it is tried again; null unless it is pending. RFC 3339, UTC. */
  next_attempt_at: string | null;
  /** When it was delivered, given up or folded; null while it is pending. RFC 3339, UTC. */
  finished_at: string | null;
  /** HTTP status of the last attempt; null before the first, and when there was no reply. */
  last_status: number | null;
  /** What went wrong at the last attempt. */
  last_detail: string | null;
}

/** One dependency of a position. */
export interface DependencyEdge {
  /** The position. */
  asset_id: string;
  /** Kind of the node that it depends on. */
  kind: 'issuer' | 'protocol' | 'bridge' | 'underlying' | 'collateral' | 'oracle' | 'chain';
  /** The node. */
  name: string;
  /** Part of the loss of the node that passes on. 0-1. */
  share: number;
  /** The row of a register that states it, or `asset id`. */
  source: string;
  /** False where no read source proves the row’s cell. */
  confirmed: boolean;
}

/** What it takes to move the price so far. */
export interface Depth {
  /** Size of the price move, percent. */
  move_pct: number;
  /** US dollars that sellers take out before the price is so far down; null: not known. */
  down_usd: number | null;
  /** US dollars that buyers put in before the price is so far up; null: not known. */
  up_usd: number | null;
}

/** One message in place of more than 20 alerts within a minute. */
export interface DigestMessage {
  /** What the message is about. */
  type: 'alert.digest';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** What many alerts came to. */
  data: {
    /** Alerts that it replaces. */
    alerts: number;
    /** How many of each kind. */
    by_kind: {
      [name: string]: number;
    };
    /** How many of each severity. */
    by_severity: {
      [name: string]: number;
    };
    /** Number of the first of them. */
    first_id: number;
    /** Number of the last of them. */
    last_id: number;
    /** Their numbers, a hundred at most. */
    alert_ids: number[];
    /** When the oldest of them was stored. RFC 3339, UTC. */
    since: string;
    /** Path that lists them. */
    list: string;
  };
}

/** A statement that a rating is wrong, and its outcome. */
export interface Dispute {
  /** Id of the dispute. */
  id: string;
  /** `accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed. */
  state: 'received' | 'accepted' | 'rejected' | 'restated';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it came. RFC 3339, UTC. */
  received_at: string;
  /** What is wrong, as it was given. */
  claim: string;
  /** As it was given; seen by the account and the operator alone. */
  contact: string | null;
  /** What the operator found; null while it is open. */
  resolution: string | null;
  /** When that was; null while it is open. RFC 3339, UTC. */
  resolved_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  /** `public`: of somebody without a key. */
  origin: 'account' | 'public';
  data_mode: DataMode;
}

/** Whether the account gets alerts of the kind `source_drift`. */
export interface DriftSubscription {
  /** The account is notified when a source changes what it states. */
  subscribed: boolean;
  /** Names of the sources it is notified of; null: all, also those of later versions. */
  sources: string[] | null;
  /** Open drifts that the account was notified of. */
  open: {
    /** Name of the source. */
    source: string;
    severity: Severity;
    /** When the account was notified. RFC 3339, UTC. */
    opened_at: string;
  }[];
  data_mode: DataMode;
}

/** One part of what moved the score. */
export interface Driver {
  /** Code of a factor; CAP for caps, DEFAULT, STAGE for a change of model, or RECORD for a change of name, website, category or class. */
  code: string;
  /** Its name. */
  name: string;
  /** All add up to the change of the score. */
  points: number;
  /** What changed. */
  detail: string;
}

/** EAS off-chain attestation, version 2. */
export interface EasAttestation {
  /** Address of the key, one of `attestation_keys` of /.well-known/assay-keys.json. */
  signer: string;
  /** As the EAS SDK writes and verifies it; integers of 64 bits are text. */
  sig: {
    /** Version of off-chain attestations. */
    version: 2;
    /** UID of the attestation; the same rating always has the same. 32 bytes in hexadecimal after 0x. */
    uid: string;
    domain: EasDomain;
    /** Always this one. */
    primaryType: 'Attest';
    /** EIP-712 types. */
    types: {
      /** Members of the message, in order. */
      Attest: TypedField[];
    };
    /** What is signed. */
    message: {
      /** As above. */
      version: 2;
      /** UID of the schema of `data` (EAS SchemaRegistry; no resolver, revocable). 32 bytes in hexadecimal after 0x. */
      schema: string;
      /** No recipient: the zero address. */
      recipient: string;
      /** as_of in seconds since the epoch. An integer, as text. */
      time: string;
      /** Seconds since the epoch; refuse it from then on. An integer, as text. */
      expirationTime: string;
      /** See GET /v1/log/revocations. */
      revocable: true;
      /** None: zero. 32 bytes in hexadecimal after 0x. */
      refUID: string;
      /** ABI encoding of the members of the schema. */
      data: string;
      /** Hash of the record and the chain. 32 bytes in hexadecimal after 0x. */
      salt: string;
    };
    signature: Secp256k1Signature;
  };
}

/** EIP-712 domain. */
export interface EasDomain {
  /** Always this one. */
  name: 'EAS Attestation';
  /** Version of the EAS contract of the chain. */
  version: string;
  /** The only chain where the record holds. */
  chainId: number;
  /** EAS contract of that chain. */
  verifyingContract: string;
}

/** The message that any party may submit to a verifier. */
export interface EasRevocation {
  /** Address of the key, one of `attestation_keys` of /.well-known/assay-keys.json. */
  signer: string;
  domain: EasDomain;
  /** Type `Revoke`: bytes32 schema, bytes32 asset, uint64 notBefore. */
  message: {
    /** UID of the schema. 32 bytes in hexadecimal after 0x. */
    schema: string;
    /** SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id. 32 bytes in hexadecimal after 0x. */
    asset: string;
    /** As `not_before`. An integer, as text. */
    notBefore: string;
  };
  signature: Secp256k1Signature;
}

/** One subject of the rating. */
export interface Factor {
  /** Code of the factor. */
  code: 'MQ' | 'HD' | 'TS' | 'SD' | 'FU' | 'DV' | 'GT' | 'TR' | 'SI' | 'TD' | 'PC' | 'BK' | 'TK' | 'LS' | 'WI' | 'CT';
  /** Name of the factor. */
  name: string;
  /** 0-100, after it was drawn towards its prior for lack of evidence. */
  score: number;
  /** Weight in the category; all weights add up to 100. */
  weight: number;
  /** How much of what matters to it is known, and how surely. 0-1. */
  confidence: number;
  /** Weighted mean of the features, 0-100, before it is drawn towards the prior; null when nothing is known. */
  raw_score: number | null;
  /** How much of the raw score is kept; the rest is the prior. 0-1. */
  shrink: number;
  /** What it is drawn towards, 0-100. */
  prior: number;
  /** The finding as text. */
  rationale: string;
  /** What it moves the score from the prior, in points. */
  contribution: number;
  /** Features of the factor. */
  features: Feature[];
}

/** A factor over the peers. */
export interface FactorRange {
  /** Code of the factor. */
  code: 'MQ' | 'HD' | 'TS' | 'SD' | 'FU' | 'DV' | 'GT' | 'TR' | 'SI' | 'TD' | 'PC' | 'BK' | 'TK' | 'LS' | 'WI' | 'CT';
  /** First quartile of the peers’ scores, 0-100; null with fewer than five peers. */
  low: number | null;
  /** Median of the peers’ scores, 0-100; null with fewer than five peers. */
  median: number | null;
  /** Third quartile of the peers’ scores, 0-100; null with fewer than five peers. */
  high: number | null;
  /** Peers that have the factor. */
  peers: number;
}

/** How likely the asset fails within a horizon (docs/ratings.md); no part of the score. */
export interface FailureProbability {
  /** From the rating on. */
  horizon: '30d' | '365d';
  /** 0-1; null where no single value can be given: read `basis`. */
  value: number | null;
  /** Low and high end, 80 %, as far apart as files of outcomes are; null where nothing is known. */
  interval: [number, number] | null;
  /** What it rests on. `calibrated`: failures of assets alike; `low_default`: few of them; `upper_bound`, `lower_bound`: none was rated as well, or as badly, and only the interval can be stated; `no_evidence`: no outcomes of such assets are known; `not_rated`; `defaulted`: it has failed. */
  basis: 'calibrated' | 'low_default' | 'upper_bound' | 'lower_bound' | 'no_evidence' | 'not_rated' | 'defaulted';
  /** The basis as text: failures, members, and what counts as a failure. */
  detail: string;
  /** Group of the calibration whose outcomes it rests on, such as `listed`; null without one. */
  group: string | null;
  /** SHA-256 of the calibration: GET /v1/methodology/calibration. */
  calibration_hash: string;
}

/** One feature of a factor, and the observations it rests on. */
export interface Feature {
  /** Id of the feature. */
  id: string;
  /** Name of the feature, as in the methodology’s tables. */
  name: string;
  /** `absent`: searched for in two registries and not there; `unknown`: a source failed or none states it; `not_applicable`: it does not count here. */
  status: 'observed' | 'absent' | 'unknown' | 'not_applicable';
  /** What was found, in `unit`, or the word of a state; null when nothing was. */
  value: number | string | null;
  /** Unit of the value, such as `usd`, `fraction` or `days`. */
  unit: string;
  /** 0-100, by the feature’s published curve; null when there is none. */
  score: number | null;
  /** Weight within the factor. */
  weight: number;
  /** How sure the value is. 0-1. */
  confidence: number;
  /** How it was computed, or from what. */
  method: string;
  /** The finding as a sentence. */
  rationale: string;
  /** Why it is not known, or not surely; null for what is known. Set for the features that `gaps` lists. */
  absence: Absence | null;
  /** An observation; `evidence` names the archived reply. */
  sources: {
    /** Source of the observation. */
    source: string;
    /** On what: a quantity, or `quantity@scope`. */
    quantity: string;
    /** It counted; else it was outvoted, too old or not surely of this asset. */
    accepted: boolean;
    /** Id of the archived reply (GET /v1/jobs/{id}/evidence). */
    evidence: string;
  }[];
}

/** One feature, changed by as little as does it. */
export interface FeatureChange {
  /** Id of the feature. */
  feature: string;
  /** Name of the feature. */
  name: string;
  /** Code of its factor. */
  factor: 'MQ' | 'HD' | 'TS' | 'SD' | 'FU' | 'DV' | 'GT' | 'TR' | 'SI' | 'TD' | 'PC' | 'BK' | 'TK' | 'LS' | 'WI' | 'CT';
  /** Unit of `now` and `needed`, such as `usd`, `fraction` or `state`. */
  unit: string;
  /** Its value now; null: not known. */
  now: number | string | null;
  /** What is known of it now, as in the breakdown. */
  status: 'observed' | 'absent' | 'unknown' | 'not_applicable';
  /** The least value that does it; its best (or worst) one where that is not enough alone. */
  needed: number | string;
  /** Who can bring it about. */
  who: 'project' | 'key_holder' | 'holders' | 'market' | 'users' | 'observers' | 'time';
  /** Score with this change alone. */
  score: number;
  /** What it adds to `score_without_obstacles` (of `lowers`: to `score`). */
  points: number;
  /** True when this change alone is enough: rated anew with it, the score is reached. */
  reaches: boolean;
}

/** A rule that is not met, or cannot be decided, with its evidence. */
export interface FiredRule {
  /** Name of the rule, such as `band`, `flag` or `exit_size` (docs/policy.md has all). */
  rule: string;
  /** Its effect on the decision. */
  outcome: 'block' | 'caution';
  /** False: what it needs is not known, and the outcome is that of `unknown`. */
  decided: boolean;
  /** The limit of the rule; null without one. */
  limit: string | number | null;
  /** What was found; null where nothing is known. */
  found: string | number | null;
  /** The same as text. */
  detail: string;
  /** The flag that fired it; null for other rules. */
  flag: RiskFlag | null;
  /** Paths of what the figure rests on. */
  receipts: string[];
}

/** Which risk flags have come, gone or changed. */
export interface FlagChange {
  /** Flags that are new. */
  raised: {
    /** Code of the flag; docs/flags.md has all of them. */
    code: string;
    severity: Severity;
    /** The condition in short. */
    title: string;
  }[];
  /** Flags that are gone. */
  cleared: {
    /** Code of the flag; docs/flags.md has all of them. */
    code: string;
    severity: Severity;
  }[];
  /** Flags whose severity is another. */
  changed: {
    /** Code of the flag; docs/flags.md has all of them. */
    code: string;
    /** Severity before. */
    from: Severity;
    /** Severity now. */
    to: Severity;
  }[];
}

/** Risk flags of a watched asset changed. */
export interface FlagChangeMessage {
  /** What the message is about. */
  type: 'alert.risk_flag_change';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'risk_flag_change';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: FlagChange | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** Who emptied an asset’s pools, and where the money went. */
export interface Forensics {
  asset: Asset;
  /** `drained_by_linked_wallets`: at least 90 % of a pool’s liquidity was removed within 24 hours by wallets linked to the creator. `drained`: at least 90 % of the largest amount seen is gone. `large_removals`: single large losses. `not_seen`: no pool’s history could be read. */
  verdict: 'drained_by_linked_wallets' | 'drained' | 'large_removals' | 'no_drain_seen' | 'not_seen';
  /** The finding in a few sentences. */
  summary: string;
  /** Flags of the rating that concern this. */
  flags: string[];
  /** Default tests that hold (D6: executed rug). */
  default_tests: string[];
  /** Who created the asset; null when not known. */
  creator: {
    /** Wallet that created it. */
    address: string;
    /** Names of the public sources it rests on. */
    sources: string[];
  } | null;
  /** The pools that were looked at: the largest, the oldest and the next largest. */
  pools: {
    /** Address of the pool. */
    address: string;
    /** The exchange it belongs to. */
    dex: string;
    /** The token that it trades against. */
    quote: string;
    /** The most of the quote token that it was seen to hold. Base units, a decimal string. */
    peak_raw: string;
    /** Whole tokens. */
    peak: number | null;
    /** What it holds now. Base units, a decimal string. */
    now_raw: string;
    /** Whole tokens. */
    now: number | null;
    /** Of the peak, gone now. Percent. */
    gone_pct: number;
    /** Most that removals took within 24 hours. Percent. */
    removed_within_24h_pct: number;
    /** The same, by wallets linked to the creator. Percent. */
    removed_within_24h_by_linked_pct: number;
    /** Transactions of the pool that were listed. */
    transactions_listed: number;
    /** Of them, those whose content was read. */
    transactions_examined: number;
    /** Time of the oldest transaction that was listed. RFC 3339, UTC. */
    since: string | null;
  }[];
  /** Oldest first; the largest of each pool. */
  events: {
    /** `removal`: liquidity was taken out. `sale`: the asset was sold into the pool. */
    kind: 'removal' | 'sale';
    /** Address of the pool. */
    pool: string;
    /** The exchange it belongs to. */
    dex: string;
    /** Signature or hash of the transaction. */
    transaction: string;
    /** Slot or block number. */
    height: number;
    /** Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC. */
    at: string | null;
    /** Who signed it and paid its fee. */
    actor: string | null;
    /** Names that are known of the address. */
    actor_labels: AddressLabel[];
    /** Whose liquidity tokens were given back; null where the chain does not show it. */
    liquidity_owner: string | null;
    /** Mint or contract of the quote token. */
    quote: string;
    /** Quote tokens that left the pool. Base units, a decimal string. */
    quote_amount_raw: string;
    /** Whole tokens. */
    quote_amount: number | null;
    /** Dollars at that time. */
    quote_usd: number | null;
    /** Source of the price of that time; null without a price. */
    price_source: string | null;
    /** Of the asset, out of the pool; negative when it went in. Base units, a decimal string. */
    base_amount_raw: string;
    /** Whole tokens. */
    base_amount: number | null;
    /** Of the quote tokens that the pool held just before. Percent. */
    share_of_pool_pct: number;
    /** Who got the money, and how much. */
    recipients: {
      /** Who got it. */
      address: string;
      /** Names that are known of the address. */
      labels: AddressLabel[];
      /** Mint, contract, or `native` for the chain’s own coin. */
      asset: string;
      /** What it got. Base units, a decimal string. */
      amount_raw: string;
      /** Whole tokens. */
      amount: number | null;
      /** Dollars at that time. */
      usd: number | null;
      /** The chain does not show the last step: the sender is assumed. */
      presumed: boolean;
    }[];
    /** The pool’s own events, or what its balances did. */
    basis: 'events' | 'balances';
    /** Where it was read: the node or explorer. */
    source: string;
    /** How sure the statement is, 0-1. */
    confidence: number;
  }[];
  /** Where the money went, at most two steps. */
  flows: {
    /** 1: from who got the money out of the pool. */
    step: number;
    /** Who sent it on. */
    from: string;
    /** Null: it was exchanged for something else. */
    to: string | null;
    /** Names that are known of the address. */
    to_labels: AddressLabel[];
    /** An exchange or another address of very many people’s money: from here on nothing is seen. */
    to_is_service: boolean;
    /** It was sent on, or exchanged for something else. */
    kind: 'transfer' | 'exchange';
    /** Mint, contract, or `native` for the chain’s own coin. */
    asset: string;
    /** What went on. Base units, a decimal string. */
    amount_raw: string;
    /** Whole tokens. */
    amount: number | null;
    /** Dollars at that time. */
    usd: number | null;
    /** Source of the price of that time; null without a price. */
    price_source: string | null;
    /** Signature or hash of the transaction. */
    transaction: string;
    /** Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC. */
    at: string | null;
    /** Where it was read: the node or explorer. */
    source: string;
    /** How sure the statement is, 0-1. */
    confidence: number;
  }[];
  /** Why wallets that took part belong to the creator. */
  links: {
    /** The wallet that took part. */
    wallet: string;
    /** What it did: took the liquidity out, owned it, got the money, or passed it on. */
    role: 'actor' | 'liquidity_owner' | 'recipient' | 'hop';
    /** What ties it to the creator (docs/forensics.md has the confidence of each). */
    how: 'is_creator' | 'funded_by_creator' | 'funded_creator' | 'common_funder' | 'paid_creator';
    /** What shows it; null where the wallet is the creator’s itself. */
    transaction: string | null;
    /** How sure the statement is, 0-1. */
    confidence: number;
  }[];
  /** Who first paid the creator and the wallets that took part. */
  first_payments: {
    /** The wallet that was paid. */
    wallet: string;
    /** Who paid it first. */
    funder: string;
    /** Names that are known of the address. */
    funder_labels: AddressLabel[];
    /** An exchange or another wallet of very many payments. */
    funder_is_service: boolean;
    /** Of the chain’s own coin. Base units, a decimal string. */
    amount_raw: string;
    /** Signature or hash of the transaction. */
    transaction: string;
    /** Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC. */
    at: string | null;
  }[];
  /** The launch; null when its beginning could not be read, and `limits` states why. */
  launch: Launch | null;
  /** What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen. */
  limits: {
    /** A stable code. */
    code: string;
    /** What it means here. */
    detail: string;
  }[];
  /** What the search cost. */
  work: {
    /** Requests to nodes and explorers. */
    calls: number;
    /** Bytes read. */
    bytes: number;
    /** Time it took. */
    milliseconds: number;
    /** Why it ended: `complete`, or the bound that it reached. */
    ended: 'complete' | 'calls' | 'bytes' | 'time';
  };
  /** Every reply that the findings rest on. */
  receipts: {
    /** Node or explorer that was requested. */
    source: string;
    /** Method and its argument. */
    request: string;
    /** Of the reply, hex. */
    sha256: string;
    /** Length of the reply. */
    bytes: number;
    /** When it came. RFC 3339, UTC. */
    fetched_at: string;
  }[];
  /** Names of the public sources it rests on. */
  sources: string[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** When the search ended. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
}

/** One subject of the rating, with all its features. */
export interface FullFactor {
  /** Code of the factor. */
  code: string;
  /** Name of the factor. */
  name: string;
  /** 0-100, after it was drawn towards its prior for lack of evidence. */
  score: number;
  /** Weight in the category; all weights add up to 100. */
  weight: number;
  /** How much of what matters to it is known, and how surely. 0-1. */
  confidence: number;
  /** What it moves the score from `prior`, in points; all of them add up to the score before caps. */
  points: number;
  /** Weighted mean of the features, 0-100, before it is drawn towards the prior; null when nothing is known. */
  raw_score: number | null;
  /** How much of the raw score is kept; the rest is the prior. 0-1. */
  shrink: number;
  /** What it is drawn towards, 0-100. */
  prior: number;
  /** The finding as text. */
  rationale: string;
  /** Features of the factor. */
  features: ScoreFeature[];
}

/** The reply to `output_format: full`: the rating with everything behind it. */
export interface FullScore {
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** `type` as it was sent. */
  type: string;
  /** `project` as it was sent, or the name that `asset` was read as. */
  project: string;
  /** This rating was published. False: see `not_published_because`; what GET /v1/rms/{asset} shows is untouched. */
  published: boolean;
  /** Null when it was not published. */
  published_rating: RatingAsPublished | null;
  /** Empty when it is published. */
  not_published_because: {
    /** What is missing. */
    code: 'identity_below_floor' | 'evidence_below_floor' | 'weaker_than_standing' | 'partial_collection';
    /** The same as text. */
    detail: string;
  }[];
  /** The collection that served the request, or that continues where the caller did not wait for it; null where a published rating was fresh enough. */
  collection_id: string | null;
  data_mode: DataMode;
  /** The time that the rating applies to. RFC 3339, UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  /** With a tradable token, or before it. */
  stage: 'post_tge' | 'pre_tge';
  asset: IdentifiedAsset;
  rating: ScoreRating;
  trust_score: TrustScore;
  vfr: ValueFairness;
  /** How likely it fails within 30 days and within a year, beside the band; empty on ratings from before it was given. */
  failure_probability: FailureProbability[];
  /** Seconds from the start of the caller’s job to its result, whichever job collected the evidence. */
  execution_time_seconds: number;
  /** Conditions that hold. */
  risk_flags: ScoreFlag[];
  /** Ceilings on the score whose condition holds. */
  caps_applied: Cap[];
  /** What the project states about others, and whether they confirm it: a link counts only where it is `confirmed`. */
  ties: Tie[];
  /** Every source and what became of it; those left behind too. */
  sources: SourceOutcome[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** What a reader should know: unknown fields of the request, its values that differ from what registries, chain and site state (and are not used), a rating that is older than the request. */
  warnings: string[];
  /** The rating in a few sentences. */
  summary: string;
  /** What this rating cannot show. */
  limitations: string[];
  /** Score of an asset of which nothing is known: where the points start. */
  prior: number;
  /** What the score is made of. */
  factors: FullFactor[];
  /** What is not known, and why. */
  gaps: Gap[];
  /** Quantities that are disputed or have outvoted observations: `quantity`, `scope`, `status`, `outvoted`. */
  conflicts: unknown[];
  /** Every value with all its observations. */
  quantities: Quantity[];
  /** How well the fair value fits. */
  vfr_fit: {
    /** Standard deviation of ln fair value; null without one. */
    sd: number | null;
    /** Share of the peers’ variance the regression explains on peers left out; null without one. */
    r2: number | null;
  };
  /** The estimates that the fair value is the mean of. */
  vfr_drivers: VfrDriver[];
  /** Other tokens that were looked at: `asset`, and the `reason` why it is not the project’s. */
  candidates_rejected: unknown[];
  /** The receipt of every reply. */
  evidence: ArchivedReply[];
  /** How to check it. */
  replay: {
    /** Recomputes this rating from its evidence, to the same bytes. */
    command: string;
    /** SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules. */
    methodology_hash: string;
  };
}

/** A feature that the rating would use and that no source states. */
export interface Gap {
  /** Id of the feature that has no value, such as `sd_unlock`. */
  feature: string;
  /** The reason, as text. */
  reason: string;
}

/** The largest holders, put together by their first payer. */
export interface HolderClusters {
  asset: Asset;
  /** Wallets that the same wallet paid first are together. */
  method: 'first_payment';
  /** Two members at least; the largest share first. */
  clusters: {
    /** Who first paid several of them; null when they paid one another only, or payments of one amount by several payers join them. */
    funder: string | null;
    /** Of total supply, all members together. Percent. */
    share_pct: number;
    /** How sure the statement is, 0-1. */
    confidence: number;
    /** What groups them. */
    reasons: string[];
    /** Null: no common payer holds it together. */
    p_value: number | null;
    /** The holders of the cluster. */
    members: {
      /** The holder’s wallet. */
      address: string;
      /** Of total supply. Percent. */
      share_pct: number;
      /** Who first paid this wallet, where it is known. */
      funder: string | null;
      /** The payment. */
      transaction: string | null;
      /** Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC. */
      at: string | null;
    }[];
  }[];
  /** Common payers that chance explains: no clusters. */
  by_chance: {
    /** Who first paid them. */
    funder: string;
    /** Holders that it paid first. */
    members: string[];
    /** Of total supply. Percent. */
    share_pct: number;
    /** How often random groups show as much. */
    p_value: number;
  }[];
  /** What chance is measured by: docs/forensics.md. */
  null_model: {
    /** Whose payers a group is compared with: wallets of other assets that this installation searched for, or those of a public study. */
    basis: 'own_searches' | 'public_study';
    /** Wallets in it. */
    wallets: number;
  };
  /** Of total supply, in clusters. Percent. */
  clustered_share_pct: number;
  /** The holders that were looked at. */
  owners: {
    /** Largest holders that are neither pools, exchanges nor programs, as far as names show. */
    listed: number;
    /** Of them, those whose first payment was searched for. */
    looked_at: number;
    /** Of them, those whose first payment was found. */
    first_payment_known: number;
    /** Of total supply. Percent. */
    share_looked_at_pct: number;
    /** Of them, first funded by an exchange or the like, which links no holders. */
    paid_by_services: number;
    /** Who lists the holders. */
    source: string | null;
    /** When that list was true. RFC 3339, UTC. */
    as_of: string | null;
  };
  /** Payers that are services, which links no holders. */
  services: string[];
  /** Share that a source’s own graph of transfers ties to insiders; its wallets are not named. Null: no source states it. */
  insider_network: {
    /** Of total supply. Percent. */
    share_pct: number;
    /** Names of the public sources it rests on. */
    sources: string[];
    /** How sure the statement is, 0-1. */
    confidence: number;
  } | null;
  /** What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen. */
  limits: {
    /** A stable code. */
    code: string;
    /** What it means here. */
    detail: string;
  }[];
  /** What the search cost. */
  work: {
    /** Requests to nodes and explorers. */
    calls: number;
    /** Bytes read. */
    bytes: number;
    /** Time it took. */
    milliseconds: number;
    /** Why it ended: `complete`, or the bound that it reached. */
    ended: 'complete' | 'calls' | 'bytes' | 'time';
  };
  /** Every reply that the findings rest on. */
  receipts: {
    /** Node or explorer that was requested. */
    source: string;
    /** Method and its argument. */
    request: string;
    /** Of the reply, hex. */
    sha256: string;
    /** Length of the reply. */
    bytes: number;
    /** When it came. RFC 3339, UTC. */
    fetched_at: string;
  }[];
  /** Names of the public sources it rests on. */
  sources: string[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** When the search ended. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
}

/** What is known of an address. */
export interface HolderLabel {
  /** What the address is. */
  kind: 'pool' | 'burn' | 'locker' | 'vesting' | 'bridge' | 'exchange' | 'staking' | 'lending' | 'issuer' | 'program';
  /** Readable, such as `Raydium AMM v4 pool`. */
  name: string;
  /** Where the label comes from: what the chain shows, a source, a list. */
  source: string;
  /** How sure the label is. 0-1. */
  confidence: number;
}

/** Holders whose balances are of one size. */
export interface HolderTier {
  /** Range of balances: US dollars (`1-10`) or share of supply (`<0.0001%`). */
  tier: string;
  /** Holders whose balance lies in it. */
  holders: number;
  /** What they hold together. Percent of supply, 0-100. */
  share_pct: number;
}

/** Who holds an asset, and how it is spread, at one moment. */
export interface HoldersSnapshot {
  asset: Asset;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  data_mode: DataMode;
  /** Names of the public sources it rests on. */
  sources: string[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** Text that a reader should know: a fallback taken, a part that is missing. */
  warnings: string[];
  /** Which kind of snapshot this is. */
  kind: 'holders';
  /** How good the list is: every account read from the chain, an indexer’s list, or the twenty largest accounts. */
  method: 'full_scan' | 'indexer' | 'top20_only';
  /** `incomplete_enumeration`: the balances seen do not make up the supply, or are in doubt; `zero_supply`: there is nothing to hold; `top20_only`: the rest is not known. */
  status: 'complete' | 'incomplete_enumeration' | 'zero_supply' | 'top20_only';
  /** Owners with more than nothing. */
  holder_count: number | null;
  /** Base units are 10^-decimals of a whole token. */
  decimals: number;
  /** What there is, and what of it the two views are shares of. */
  supply: {
    /** Supply, base units. */
    total_raw: string;
    /** Held by burn addresses, base units. */
    burned_raw: string;
    /** Under locks or vesting: outside the adjusted supply besides what is burned, base units. */
    locked_raw: string;
    /** What is left for the adjusted view, base units. */
    adjusted_raw: string;
    /** Balances seen over the total; 1 when all were seen. */
    coverage: number | null;
  };
  /** Over all addresses, and all of the supply. */
  raw: Concentration;
  /** Without pools, exchanges, bridges and the like (`set_aside`), of the supply that is neither burned nor locked. */
  adjusted: Concentration;
  /** Holders by the value of their balance in US dollars; null without a price. */
  tiers_usd: HolderTier[] | null;
  /** Holders by their share of the supply; null when only the largest are known. */
  tiers_supply: HolderTier[] | null;
  /** The largest holders, largest first. */
  top_holders: {
    /** 1: the largest. */
    rank: number;
    /** Owner’s address. */
    address: string;
    /** Balance, base units. */
    amount_raw: string;
    /** Balance in whole tokens. */
    amount: number;
    /** Its balance. Percent of supply, 0-100. */
    share_pct: number;
    /** What is known of the address; empty: nothing. */
    labels: HolderLabel[];
    /** Why it is not in the adjusted view; null when it is. */
    set_aside: string | null;
  }[];
  /** Share of those of the twenty largest that have no label. 0-100; null when not known. */
  unlabelled_top20_share_pct: number | null;
  /** What is not in the adjusted view, by kind. */
  set_aside: {
    /** What the addresses are. */
    kind: 'pool' | 'burn' | 'locker' | 'vesting' | 'bridge' | 'exchange' | 'staking' | 'lending' | 'issuer' | 'program';
    /** Addresses of the kind. */
    holders: number;
    /** What they hold together. Percent of supply, 0-100. */
    share_pct: number;
  }[];
  /** Against the snapshot before, of the same method; null when there is none. */
  change: {
    /** `as_of` of the snapshot before. RFC 3339, UTC. */
    since: string;
    /** Change of the count. */
    holder_count: number | null;
    /** Change in percentage points. */
    top_10_pct: number | null;
    /** Change in percentage points. */
    adjusted_top_10_pct: number | null;
  } | null;
  /** What was read to make it; null where it was not counted. */
  scan: {
    /** Token accounts read. */
    accounts: number | null;
    /** Slot or block the list is true at. */
    height: number | null;
    /** Bytes read. */
    bytes: number | null;
    /** Time it took. */
    milliseconds: number | null;
  };
  /** All balances in buckets that can be merged with other days’; null for `top20_only`. */
  histogram: {
    /** Bucket i holds balances from base^i to below base^(i+1), base units. */
    base: number;
    /** Number of the bucket, how many balances it holds, their sum in base units. */
    buckets: [number, number, number][];
  } | null;
}

/** What was read of an address on one chain. */
export interface HoldingsRead {
  /** Name of the chain. */
  chain: string;
  /** The address, as given. */
  address: string;
  /** Slot or number of the block that was read. */
  height: number;
  /** Assets with a balance. */
  positions: number;
  /** Tokens whose balance was read. */
  tokens_looked_at: number;
  /** Everything that the address owns by itself was seen. False for EVM chains, whose nodes have no such list. */
  complete: boolean;
  /** What may be missing; empty when complete. */
  gaps: ('known_assets_only' | 'explorer_list' | 'explorer_silent' | 'cut' | 'unread')[];
  /** When it was read; a read is shared for ten seconds. RFC 3339, UTC. */
  read_at: string;
}

/** The asset that the project was found to be. */
export interface IdentifiedAsset {
  /** CAIP-19 id; `project:` and the registrable domain without a token. */
  id: string;
  /** Our name of the chain; null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Class it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string;
  /** Older name of the class, such as `defi_protocol`. */
  category: string;
  /** Why it was put into that class. */
  category_reason: string;
  /** The project’s own site, when known. */
  website: string | null;
  /** Why this asset is taken for the project’s. */
  identification: {
    /** How sure it is that project, token and website are one (methodology, Trust); 0.30 at least to be rated. 0-1. */
    match: number;
    /** Registrable domain of the url; null when the url is on a shared host. */
    registrable_domain: string | null;
    /** What ties them together: `kind`, `strength` (0-1), `detail` and `sources` of each link. */
    links: unknown[];
    /** Evidence against it: `kind`, `factor` (0-1, multiplies the match), `detail` and `sources`. */
    contradictions: unknown[];
    /** What else a reader should know of the identification. */
    notes: string[];
  };
}

/** An asset of which snapshots are made. */
export interface IndexedAsset {
  asset: Asset;
  /** Which of `market`, `holders` and `pools` are made of it. */
  kinds: ('market' | 'holders' | 'pools')[];
  /** How often its readers need new snapshots; `newest`: as often as the service can. */
  cadence: 'hourly' | 'five_minutes' | 'newest';
  /** configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed. */
  added_by: string;
  /** When it was added. RFC 3339, UTC. */
  added_at: string;
  /** When indexing ends; null: when it is removed. RFC 3339, UTC. */
  wanted_until: string | null;
  /** Nothing is read of it for now. */
  paused: boolean;
  /** The account of the key has requested it: it counts towards the plan’s `indexed_assets`. */
  is_yours: boolean;
}

/** The issuer’s powers are by design. */
export interface IssuerControl {
  /** What the asset is. */
  kind: 'stablecoin' | 'wrapped' | 'tokenised_asset';
  /** As if the issuer’s powers belonged to an unknown party. */
  technical_score: number | null;
  /** Of the technical score. */
  technical_band: Band;
}

/** A scoring job. */
export interface Job {
  /** Id of the job. */
  job_id: string;
  /** State of the job; the last three are final. */
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** `type` as it was sent. */
  type: string;
  /** `project` as it was sent, or the name that `asset` was read as. */
  project: string;
  /** `project_url` as it was sent, a bare host with `https://`; null where `asset` named no website. */
  project_url: string | null;
  /** When it was requested. RFC 3339, UTC. */
  created_at: string;
  /** When it was last begun; null while it waits. RFC 3339, UTC. */
  started_at: string | null;
  /** When it ended; null until then. RFC 3339, UTC. */
  finished_at: string | null;
  /** How often it was begun: again when the process that had it was lost. */
  attempts: number;
  /** A caller’s score, or the collection of an asset, which belongs to no caller. */
  kind: 'score' | 'collection';
  /** The collection that a score waits for, or waited for (GET /v1/jobs/{id}: any scoring key may read it once it is published); null before its asset is known, and where a published rating was fresh enough. */
  collection_id: string | null;
  data_mode: DataMode;
  /** The score, in the form of `output_format` (as POST /v1/score returns it); null until it succeeded. */
  result: unknown;
  /** Why it failed, a problem object (RFC 9457); null unless it did. */
  error: unknown;
}

/** Progress of a job: `type` and `id` are fields of the server-sent event, the rest is its `data` (JSON). */
export type JobEvent = {
  /** Name of the server-sent event. */
  type: 'state';
  /** Number of the event, from 1 without gaps: `Last-Event-ID` continues after it. */
  id: string;
  /** When it happened. RFC 3339, UTC. */
  at: string;
  /** Its state from now on. */
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  data_mode: DataMode;
} | {
  /** Name of the server-sent event. */
  type: 'identified';
  /** Number of the event, from 1 without gaps: `Last-Event-ID` continues after it. */
  id: string;
  /** When it happened. RFC 3339, UTC. */
  at: string;
  asset: Asset;
  /** How well the asset fits the request, 0-1. */
  match: number;
  data_mode: DataMode;
} | {
  /** Name of the server-sent event. */
  type: 'waiting';
  /** Number of the event, from 1 without gaps: `Last-Event-ID` continues after it. */
  id: string;
  /** When it happened. RFC 3339, UTC. */
  at: string;
  /** Name of the source. */
  source: string;
  /** Which of its requests. */
  endpoint: string;
  /** How long it is expected to wait. */
  seconds: number;
  data_mode: DataMode;
} | {
  /** Name of the server-sent event. */
  type: 'source';
  /** Number of the event, from 1 without gaps: `Last-Event-ID` continues after it. */
  id: string;
  /** When it happened. RFC 3339, UTC. */
  at: string;
  /** Name of the source. */
  source: string;
  /** Which of its requests. */
  endpoint: string;
  /** `ok`, `empty`, `not_found`, or why there is no reply. */
  outcome: string;
  /** How long it took. */
  milliseconds: number;
  /** Observations read from the reply. */
  observations: number;
  data_mode: DataMode;
} | {
  /** Name of the server-sent event. */
  type: 'result';
  /** Number of the event, from 1 without gaps: `Last-Event-ID` continues after it. */
  id: string;
  /** When it happened. RFC 3339, UTC. */
  at: string;
  /** Band of the rating. */
  band: Band;
  /** 0-100; null when not rated. */
  score: number | null;
  /** Trust in the evidence, 0-100. */
  trust: number;
  data_mode: DataMode;
} | {
  /** Name of the server-sent event. */
  type: 'failure';
  /** Number of the event, from 1 without gaps: `Last-Event-ID` continues after it. */
  id: string;
  /** When it happened. RFC 3339, UTC. */
  at: string;
  /** A stable code. */
  code: string;
  /** What went wrong. */
  detail: string;
  data_mode: DataMode;
};

/** One signed tree. */
export interface KeptCheckpoint {
  /** Leaves of the tree. */
  tree_size: number;
  /** Signed note (C2SP tlog-checkpoint): name of the log, number of leaves, root as base64, `time` in RFC 3339; below, after an empty line, the signature of the log and of witnesses. */
  checkpoint: string;
}

/** An API key, without the key itself. */
export interface Key {
  /** Id of the key; not the key itself. */
  id: string;
  /** Whose watchlist, alerts, webhooks and usage the key reaches */
  account_id: string;
  /** What it was called when it was made. */
  name: string;
  /** How the key begins, by which people recognise it. */
  prefix: string;
  /** What it may do: score, rms:read, rms:write, chain:read; account (the keys of its account); admin (everything). */
  scopes: string[];
  /** Plan whose limits it has (GET /v1/plans). */
  plan: string;
  /** When it was made. RFC 3339, UTC. */
  created_at: string;
  /** From then on it is refused; null: never. RFC 3339, UTC. */
  expires_at: string | null;
  /** Since when it is refused; null while it works. RFC 3339, UTC. */
  revoked_at: string | null;
  /** Its newest request; null before the first. RFC 3339, UTC. */
  last_used_at: string | null;
  /** Addresses and CIDR ranges it may be used from; empty: any. */
  allowed_ips: string[];
  /** Id of the key that it replaces; null when it replaces none. */
  rotated_from: string | null;
}

/** The largest position whose exit costs no more than the rules allow. */
export interface LargestExposure {
  /** Average price below the market, fees included, percent. */
  max_cost_pct: number;
  /** Value of the largest sale at that cost, US dollars. */
  size_usd: number;
  /** What it brings, US dollars. */
  received_usd: number;
  /** `exact`: pools read from the chain; `tvl_proxy`: estimated from what indexers report; `order_books`: bids within 2 % at exchanges, without their fees. */
  method: 'exact' | 'tvl_proxy' | 'order_books';
  /** Pools that it is split over. */
  pools: number;
  /** The pool that takes most of it; null without one. */
  largest_pool: string | null;
  /** Its part of the sale, percent; null without pools. */
  largest_pool_share_pct: number | null;
  /** Part of the liquidity that the creator and linked wallets hold, percent; null when not known. */
  largest_provider_share_pct: number | null;
}

/** Who bought in the first block. */
export interface Launch {
  /** Pool or curve whose beginning was read: the oldest that could be. */
  pool: string;
  /** The exchange it belongs to. */
  dex: string;
  /** Who created the asset; where no source states it, who filled the pool. */
  creator: string | null;
  /** The transaction that filled the pool or curve. */
  opening: {
    /** Signature or hash of the transaction. */
    transaction: string;
    /** Slot or block number. */
    height: number;
    /** Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC. */
    at: string | null;
    /** Who signed it. */
    signer: string | null;
  };
  /** Slot or block of the first purchases; all that follows is about it. */
  first_block: number;
  /** Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC. */
  first_block_at: string | null;
  /** Wallets that bought in it, the creator with the opening included. */
  buyers: number;
  /** Of them, the largest, whose first payment was searched for. */
  payers_looked_for: number;
  /** Of the buyers, those whose first payment was found. */
  payers_known: number;
  /** Of total supply, bought by all of them. Percent. */
  bought_pct: number;
  /** Of total supply, bought by the largest bundle: the quantity of the flag BUNDLED_LAUNCH. Percent. */
  bundled_pct: number;
  /** Of total supply, bought by the creator itself. Percent. */
  dev_pct: number;
  /** Of total supply, bought by wallets that the creator paid before the launch. Percent. */
  insiders_pct: number;
  /** Of total supply, bought by others that are in no bundle. Percent. */
  snipers_pct: number;
  /** Several wallets that one person appears to control; the largest share first. */
  bundles: {
    /** Of total supply, bought by its members. Percent. */
    share_pct: number;
    /** How sure the statement is, 0-1. */
    confidence: number;
    /** What holds it together. */
    links: ('same_transaction' | 'same_signer' | 'funded_by_creator' | 'common_funder' | 'equal_payments' | 'consecutive')[];
    /** Who first paid several of its members, where that is not explained by chance. */
    funder: string | null;
    /** Null: no payer holds it together. */
    p_value: number | null;
    /** Its wallets. */
    members: {
      /** The wallet that bought. */
      address: string;
      /** Of total supply. Percent. */
      share_pct: number;
      /** Signature or hash of the transaction. */
      transaction: string;
      /** Place of the transaction in its block, from 0; null where it is not known. */
      position: number | null;
      /** Who first paid it; null: not known. */
      funder: string | null;
      /** An exchange or another wallet of very many payments. */
      funder_is_service: boolean;
      /** When. RFC 3339, UTC. */
      funded_at: string | null;
    }[];
  }[];
  /** Buyers of the first block without a known owner. */
  snipers: {
    /** The wallet. */
    address: string;
    /** Of total supply, bought then. Percent. */
    share_pct: number;
  }[];
  /** Buyers that were funded earlier by the creator, or by a wallet that it funded first. */
  insiders: {
    /** The wallet. */
    address: string;
    /** Of total supply, bought then. Percent. */
    share_pct: number;
  }[];
  /** Payers of several buyers that chance explains: no bundles. */
  by_chance: {
    /** Who paid them. */
    funder: string;
    /** Buyers that it paid first. */
    wallets: number;
    /** How often random groups show as much. */
    p_value: number;
  }[];
  /** What chance is measured by: docs/forensics.md. */
  null_model: {
    /** Whose payers a group is compared with: wallets of other assets that this installation searched for, or those of a public study. */
    basis: 'own_searches' | 'public_study';
    /** Wallets in it. */
    wallets: number;
  };
}

/** An appeal of the list. */
export interface ListedAppeal {
  /** Id of the appeal. */
  id: string;
  /** Reference of the appeal; anyone who has it may read the status. */
  reference: string;
  /** `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating. */
  state: 'awaiting_proof' | 'expired' | 'proved' | 'under_review' | 'accepted' | 'rejected' | 'corrected';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it was opened. RFC 3339, UTC. */
  opened_at: string;
  /** Until when control has to be proved. RFC 3339, UTC. */
  expires_at: string;
  /** The proof of control; null before it. */
  proof: {
    /** How control was proved. */
    method: 'dns' | 'eip191' | 'eip712' | 'eip1271' | 'ed25519' | 'repository';
    /** What the domain, address or account is to the asset or its repository. */
    role: string;
    /** The domain or address; of a repository: it, the account and the key. */
    subject: string;
    /** When it was proved. RFC 3339, UTC. */
    proved_at: string;
  } | null;
  /** How often evidence was sent. It is read by the reviewers and not shown. */
  evidence_count: number;
  /** Reviews of the present step; two that agree decide. */
  review_count: number;
  /** What the reviewers found; null before. */
  finding: string | null;
  /** When they decided; null before. RFC 3339, UTC. */
  decided_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  /** What the party sent, oldest first. */
  evidence: {
    /** When it came. RFC 3339, UTC. */
    received_at: string;
    /** What the party states; outside text. */
    statement: string;
    /** Where it points; outside addresses that were not opened. */
    links: string[];
  }[];
  /** Reviews of the present step. */
  reviews: {
    /** Key of the reviewer. */
    key_id: string;
    /** The opinion of the reviewer. */
    decision: 'accepted' | 'rejected' | 'corrected';
    /** The reason, as text. */
    finding: string;
    /** The correction it led to, see GET /v1/restatements; null without one. */
    restatement_id: number | null;
    /** When. RFC 3339, UTC. */
    reviewed_at: string;
  }[];
}

/** A dispute as lists show it: without `data_mode`, which the list has. */
export interface ListedDispute {
  /** Id of the dispute. */
  id: string;
  /** `accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed. */
  state: 'received' | 'accepted' | 'rejected' | 'restated';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it came. RFC 3339, UTC. */
  received_at: string;
  /** What is wrong, as it was given. */
  claim: string;
  /** As it was given; seen by the account and the operator alone. */
  contact: string | null;
  /** What the operator found; null while it is open. */
  resolution: string | null;
  /** When that was; null while it is open. RFC 3339, UTC. */
  resolved_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  /** `public`: of somebody without a key. */
  origin: 'account' | 'public';
}

/** A published rating as the log holds it. */
export interface LogEntry {
  /** Place in the log, from 0. */
  leaf_index: number;
  /** What the leaf is the hash of, as text: canonical JSON of `as_of`, `asset` and `record_sha256`, the SHA-256 of the published record without its signature. Leaf hash: SHA-256 of a zero byte and these bytes (RFC 6962). */
  leaf: string;
}

/** The days that are published. */
export interface Manifest {
  /** Published days. */
  data: PublishedDay[];
  /** Always null: the list is whole. */
  next_cursor: null;
  data_mode: DataMode;
}

/** Price, volume, supply and dispersion of an asset at one moment. */
export interface MarketSnapshot {
  asset: Asset;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  data_mode: DataMode;
  /** Names of the public sources it rests on. */
  sources: string[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** Text that a reader should know: a fallback taken, a part that is missing. */
  warnings: string[];
  /** Which kind of snapshot this is. */
  kind: 'market';
  /** Consensus price, US dollars. */
  price_usd: number | null;
  /** Change of the price over one hour, percent. */
  change_1h_pct: number | null;
  /** Change of the price over 24 hours, percent. */
  change_24h_pct: number | null;
  /** Change of the price over 7 days, percent. */
  change_7d_pct: number | null;
  /** Change of the price over 30 days, percent. */
  change_30d_pct: number | null;
  /** Traded in 24 hours, US dollars. */
  volume_24h_usd: number | null;
  /** Price times circulating supply. */
  market_cap_usd: number | null;
  /** Price times total (or maximum) supply. */
  fully_diluted_value_usd: number | null;
  /** Whole tokens. */
  circulating_supply: number | null;
  /** Whole tokens; of a token on several chains, on this one. */
  total_supply: number | null;
  /** Whole tokens; null when there is no maximum or it is not known. */
  max_supply: number | null;
  /** Both sides of all pools, US dollars. */
  liquidity_usd: number | null;
  /** Volume of 24 hours over market capitalisation, percent. */
  turnover_pct: number | null;
  /** Volume of 24 hours over liquidity, a ratio. */
  volume_to_liquidity: number | null;
  /** Standard deviation of daily log returns over 30 days, percent per day. */
  volatility_30d_pct: number | null;
  /** All-time high, US dollars. */
  ath_usd: number | null;
  /** Below the all-time high. 0-100; null when not known. */
  drawdown_pct: number | null;
  /** How far the venues’ prices lie apart (1.4826 MAD of log prices), percent. */
  price_dispersion_pct: number | null;
  /** `total_supply` without rounding: whole tokens as decimal text, with all decimals of the token. A JSON number is rounded beyond 2^53 or about 16 digits. Null when no read of the chain counted in `total_supply` or the sources contradict each other; absent in snapshots from before it was kept. */
  total_supply_exact?: string | null;
  /** Source that read `total_supply_exact` from the chain; null with it. */
  total_supply_exact_source?: string | null;
  /** When the all-time high was, to the day; null when not known. RFC 3339, UTC. */
  ath_at: string | null;
  /** Where it is traded, as far as the sources state. */
  venues: {
    /** Market of an exchange (`binance:TIDE-USDT`), or pool: its exchange and its address. */
    venue: string;
    /** Price there, US dollars. */
    price_usd: number | null;
    /** Traded there in 24 hours, US dollars. */
    volume_24h_usd: number | null;
    /** Names of the public sources it rests on. */
    sources: string[];
  }[];
  /** Where each number above comes from; numbers that are null have none. */
  provenance: {
    price_usd?: Provenance;
    change_1h_pct?: Provenance;
    change_24h_pct?: Provenance;
    change_7d_pct?: Provenance;
    change_30d_pct?: Provenance;
    volume_24h_usd?: Provenance;
    market_cap_usd?: Provenance;
    fully_diluted_value_usd?: Provenance;
    circulating_supply?: Provenance;
    total_supply?: Provenance;
    max_supply?: Provenance;
    liquidity_usd?: Provenance;
    turnover_pct?: Provenance;
    volume_to_liquidity?: Provenance;
    volatility_30d_pct?: Provenance;
    ath_usd?: Provenance;
    drawdown_pct?: Provenance;
    price_dispersion_pct?: Provenance;
  };
}

/** How a version moved ratings: a shadow run beside an earlier one on the same evidence. */
export interface MethodologyMoves {
  /** Version that it was run beside. */
  against: string;
  /** What both versions rated. */
  evidence: string;
  /** Moves by class. */
  classes: {
    /** Class by the newer version. */
    class: 'native_l1' | 'l2' | 'stable_fiat' | 'stable_crypto' | 'stable_algo' | 'lst_wrapped' | 'commodity' | 'defi_gov' | 'exchange' | 'infra' | 'gaming' | 'rwa_sec' | 'memecoin' | 'default';
    /** Assets of the class. */
    assets: number;
    /** Of them rated by both versions: those that the moves are of. */
    rated_by_both: number;
    /** Of them rated by the newer version alone. */
    rated_now_only: number;
    /** Median move of the score in points; null where none was rated by both. */
    median: number | null;
    /** Lowest move. */
    lowest: number | null;
    /** Highest move. */
    highest: number | null;
    /** Assets whose band is better. */
    bands_up: number;
    /** Assets whose band is worse. */
    bands_down: number;
  }[];
  /** The largest moves first. */
  biggest: {
    /** Name in the evidence; before @ that of the asset, after it the month. */
    asset: string;
    /** Class by the newer version. */
    class: 'native_l1' | 'l2' | 'stable_fiat' | 'stable_crypto' | 'stable_algo' | 'lst_wrapped' | 'commodity' | 'defi_gov' | 'exchange' | 'infra' | 'gaming' | 'rwa_sec' | 'memecoin' | 'default';
    /** Category by the earlier version. */
    from_category: 'default' | 'stablecoin' | 'l1_l2' | 'defi_protocol' | 'memecoin' | 'lst_wrapped' | 'rwa' | 'gaming_ai' | 'exchange_token';
    /** Score by the earlier version. */
    from_score: number;
    from_band: Band;
    /** Score by the newer version. */
    score: number;
    band: Band;
    /** Why it moved. */
    reason: string;
  }[];
}

/** The reply to `output_format: minimal`: these fields and no other. */
export interface MinimalScore {
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** `type` as it was sent. */
  type: string;
  /** `project` as it was sent, or the name that `asset` was read as. */
  project: string;
  /** The rating of this moment. */
  rating: {
    band: Band;
    /** 0-100 in steps of 0.1; null when not rated (`NR`). */
    score: number | null;
  };
  /** Trust in the evidence, apart from the rating. */
  trust_score: {
    /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
    score: number;
  };
  /** Value-fairness ratio; no forecast, and no part of the score. */
  vfr: {
    /** Market value over fair value: 1 is what peers are worth; null when no fair value can be computed reliably. */
    value: number | null;
    zone: VfrZone;
  };
  /** Seconds from the start of the caller’s job to its result, whichever job collected the evidence. */
  execution_time_seconds: number;
}

/** A default of what was rated well in the year before. */
export interface Miss {
  /** CAIP-19 id. */
  asset_id: string;
  /** Ticker, untrusted text; null when not known. */
  symbol: string | null;
  /** The best band it held in the year before. */
  band: Band;
  /** When it held that band last. RFC 3339, UTC. */
  band_as_of: string;
  /** The band it held last before it defaulted. */
  band_before: Band;
  /** When it defaulted. RFC 3339, UTC. */
  defaulted_at: string;
}

/** What a webhook is not sent until a time. */
export interface Mute {
  /** Id of the mute (`mute_...`). */
  id: string;
  /** Asset that is muted, as in alerts; null: all of them. */
  asset_id: string | null;
  /** Kind that is muted; null: all of them. */
  kind: 'score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold' | null;
  /** When it was muted. RFC 3339, UTC. */
  created_at: string;
  /** When it ends. RFC 3339, UTC. */
  until: string;
  data_mode: DataMode;
}

/** The key that was made. */
export interface NewKey {
  /** Id of the key; not the key itself. */
  id: string;
  /** Whose watchlist, alerts, webhooks and usage the key reaches */
  account_id: string;
  /** What it was called when it was made. */
  name: string;
  /** How the key begins, by which people recognise it. */
  prefix: string;
  /** What it may do: score, rms:read, rms:write, chain:read; account (the keys of its account); admin (everything). */
  scopes: string[];
  /** Plan whose limits it has (GET /v1/plans). */
  plan: string;
  /** When it was made. RFC 3339, UTC. */
  created_at: string;
  /** From then on it is refused; null: never. RFC 3339, UTC. */
  expires_at: string | null;
  /** Since when it is refused; null while it works. RFC 3339, UTC. */
  revoked_at: string | null;
  /** Its newest request; null before the first. RFC 3339, UTC. */
  last_used_at: string | null;
  /** Addresses and CIDR ranges it may be used from; empty: any. */
  allowed_ips: string[];
  /** Id of the key that it replaces; null when it replaces none. */
  rotated_from: string | null;
  /** The key itself. It is shown once. */
  secret: string;
}

/** The webhook with its secret. */
export interface NewWebhook {
  /** Id of the webhook (`wh_...`). */
  id: string;
  /** Where messages are sent. In the formats of chat services the url is the secret: only its origin is shown, followed by `/***`. */
  url: string;
  /** Shape of the messages. */
  format: 'assay' | 'slack' | 'discord' | 'telegram';
  /** Chat of Telegram that messages go to; null in other formats. */
  chat_id: string | null;
  /** Your own note. */
  description: string | null;
  /** Kinds of alerts it is sent. */
  kinds: ('score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold')[];
  /** False: nothing is sent. */
  enabled: boolean;
  /** `gone` (it replied 410), `failing` (no delivery succeeded for 5 days), `by_request`; null while it is on. */
  disabled_reason: string | null;
  /** When it was made. RFC 3339, UTC. */
  created_at: string;
  /** Until then messages carry a signature by the secret before as well; null without one. RFC 3339, UTC. */
  previous_secret_until: string | null;
  /** Health of the endpoint. */
  health: {
    /** Failed attempts since the last success. */
    consecutive_failures: number;
    /** Time of the first failure since the last success; null while it is well. RFC 3339, UTC. */
    failing_since: string | null;
    /** Last attempt with a 2xx reply; null before the first. RFC 3339, UTC. */
    last_success_at: string | null;
    /** Last attempt that was not; null before the first. RFC 3339, UTC. */
    last_failure_at: string | null;
    /** What went wrong then; never the reply of the endpoint. */
    last_failure: string | null;
  };
  data_mode: DataMode;
  /** The signing secret (`whsec_...`). It is shown once. */
  secret: string;
}

/** The status of an objection. Its text and its author are not shown. */
export interface Objection {
  /** Reference of the appeal; anyone who has it may read the status. */
  reference: string;
  /** As of a dispute; `received`: not decided yet. */
  state: 'received' | 'accepted' | 'rejected' | 'restated';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it came. RFC 3339, UTC. */
  received_at: string;
  /** What the operator found; null while it is open. */
  resolution: string | null;
  /** When that was; null while it is open. RFC 3339, UTC. */
  resolved_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  data_mode: DataMode;
}

/** A cap below the wanted score: until it ends nothing else lifts the band. */
export interface Obstacle {
  /** Code of the cap. */
  code: string;
  /** Score that it allows at most. */
  cap: number;
  /** Flag that caused it; null without one. */
  flag: string | null;
  /** What was found. */
  detail: string;
  /** The condition that has to end. */
  condition: string;
  /** When the cap ends once its condition has. */
  ends: string;
  /** False for the ceiling of a class, which cannot be lifted. */
  can_be_lifted: boolean;
}

/** An appeal with its challenge. */
export interface OpenedAppeal {
  /** Reference of the appeal; anyone who has it may read the status. */
  reference: string;
  /** `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating. */
  state: 'awaiting_proof' | 'expired' | 'proved' | 'under_review' | 'accepted' | 'rejected' | 'corrected';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it was opened. RFC 3339, UTC. */
  opened_at: string;
  /** Until when control has to be proved. RFC 3339, UTC. */
  expires_at: string;
  /** The proof of control; null before it. */
  proof: {
    /** How control was proved. */
    method: 'dns' | 'eip191' | 'eip712' | 'eip1271' | 'ed25519' | 'repository';
    /** What the domain, address or account is to the asset or its repository. */
    role: string;
    /** The domain or address; of a repository: it, the account and the key. */
    subject: string;
    /** When it was proved. RFC 3339, UTC. */
    proved_at: string;
  } | null;
  /** How often evidence was sent. It is read by the reviewers and not shown. */
  evidence_count: number;
  /** Reviews of the present step; two that agree decide. */
  review_count: number;
  /** What the reviewers found; null before. */
  finding: string | null;
  /** When they decided; null before. RFC 3339, UTC. */
  decided_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  /** What proves control, one of them is enough. */
  task: {
    /** Text to sign as it is: `eip191` (personal_sign), `ed25519` or `repository` (OpenPGP), UTF-8. */
    text: string;
    /** The same for `eip712`; null for an asset on no EVM chain. */
    typed_data: unknown;
    /** Record to publish for `dns`; null where no website is tied to the asset. */
    dns: {
      /** Name of the record. */
      name: string;
      /** Type of the record. */
      type: 'TXT';
      /** Text of the record. */
      value: string;
    } | null;
    /** Addresses whose signature proves control, by the evidence of the rating. */
    signers: {
      /** What the address is to the asset. */
      role: string;
      /** The address. */
      address: string;
    }[];
    /** GitHub repository (`owner/name`) that the evidence of the rating ties to the asset: its owner, or a public member of the organisation that owns it, signs for `repository`; null: none is. */
    repository: string | null;
  };
  data_mode: DataMode;
}

/** Where the rating is likely to go; `developing`: either way; `provisional`: a project without a token has no market that shows a direction. */
export type Outlook = 'positive' | 'stable' | 'negative' | 'developing' | 'provisional';

/** Overview of all rated assets. */
export interface Overview {
  /** The moment that everything here is counted at; a plan with delayed data has its grid point. RFC 3339, UTC. */
  as_of: string;
  /** Assets that were ever rated. */
  assets: number;
  /** Of these, assets with a score. */
  scored: number;
  /** Every band, the best first. */
  bands: {
    band: Band;
    /** Assets in the band. */
    assets: number;
    /** Assets that were in it 30 days before. */
    assets_30d_ago: number;
  }[];
  /** Rating actions of the last seven days. */
  actions_7d: {
    /** First ratings. */
    new: number;
    /** Upgrades. */
    upgrade: number;
    /** Downgrades. */
    downgrade: number;
    /** Withdrawals. */
    withdraw: number;
  };
  /** The largest movements of the score within seven days, at most 12. Assets rated for less than that are not among them. */
  movers_7d: {
    asset: OverviewAsset;
    band: Band;
    /** Now. */
    score: number;
    band_before: Band;
    /** Seven days before. */
    score_before: number;
    /** Points. */
    change: number;
    /** What moved it most. */
    reason: string;
    /** Time of the rating that the reason is of. RFC 3339, UTC. */
    as_of: string;
  }[];
  /** Flags of the severities critical and high. */
  severe_flags: {
    /** Critical flags that are raised. */
    critical: number;
    /** High flags that are raised. */
    high: number;
    /** Assets with any of them. */
    assets: number;
    /** Of these flags, first raised within 24 hours. */
    new_24h: number;
    /** The newest, at most 12. */
    newest: {
      asset: OverviewAsset;
      /** Code of the flag. */
      code: string;
      severity: Severity;
      /** The condition in short. */
      title: string;
      /** What was seen, with its numbers. */
      detail: string;
      /** First seen raised, without a break since. RFC 3339, UTC. */
      since: string | null;
    }[];
  };
  /** Assets in default, the newest first, at most 12; all are in `bands`. */
  defaults: {
    asset: OverviewAsset;
    /** When it defaulted. RFC 3339, UTC. */
    since: string | null;
    /** When it is cured if nothing comes up again. RFC 3339, UTC. */
    cures_at: string | null;
    /** The tests that are met; empty while it waits to be cured. */
    detail: string;
  }[];
  /** Assets with a flag that they are off their peg, the newest first, at most 12. */
  pegs: {
    asset: OverviewAsset;
    severity: Severity;
    /** The condition in short. */
    title: string;
    /** How far it is off. */
    detail: string;
    /** First seen raised, without a break since. RFC 3339, UTC. */
    since: string | null;
  }[];
  /** Coverage and age of the newest rating by class, the largest class first. */
  classes: {
    /** Class of the methodology; null: rated before classes. */
    class: string | null;
    /** Assets ever rated. */
    assets: number;
    /** With a score. */
    scored: number;
    /** Scored within the last hour. */
    within_1h: number;
    /** Scored within the last six hours, the last one included. */
    within_6h: number;
    /** Scored within the last day, the last six hours included. */
    within_24h: number;
  }[];
  /** Age of the newest ratings of scored assets. */
  age_seconds: {
    /** Median; null without a scored asset. */
    p50: number | null;
    /** 95 % are at most so old. */
    p95: number | null;
  };
  /** Trust in the evidence over all rated assets. */
  trust: {
    /** 0-100. */
    median: number | null;
    /** The same, 30 days before; null when nothing was rated then. */
    median_30d_ago: number | null;
    /** Assets whose trust is lower than 60. */
    below_60: number;
  };
  data_mode: DataMode;
}

/** An asset of the overview. */
export interface OverviewAsset {
  /** CAIP-19 id, or `project:` and a domain. */
  id: string;
  /** Ticker, untrusted text. */
  symbol: string | null;
  /** What it calls itself: untrusted text. */
  name: string;
  /** Class of the methodology; null for ratings from before classes. */
  class: string | null;
}

/** Single requests that are sold to callers without a key. */
export interface PayPerCall {
  /** The payment protocol, version 2, scheme `exact` (docs/x402.md). */
  protocol: 'x402';
  /** CAIP-2 id of the chain that payers pay on. */
  network: string;
  /** Contract of the token. */
  token: string;
  /** What the token calls itself. */
  token_name: string;
  /** Address that payments go to. */
  pay_to: string;
  /** What is sold. */
  prices: SoldRequest[];
}

/** Rated assets of the same class, and where their factors lie. */
export interface Peers {
  /** The asset that is compared. */
  asset_id: string;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string | null;
  /** Rated assets of the class with a score, without the asset itself; at most the 500 largest. */
  peers: number;
  /** Factors of the class, over the peers. */
  factors: FactorRange[];
  /** The peers, the largest first. */
  data: ClassPeer[];
  /** When they were counted. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
}

/** How far a coin is off its peg, and for how long. */
export interface PegStress {
  /** `opened`: the coin is off its peg, far or for long; `worsened`: severely; `closed`: it has been on it again for a day. */
  state: 'opened' | 'worsened' | 'closed';
  /** Of the peg, ISO 4217. */
  currency: string;
  /** In units of the peg: 1 is on it. */
  price: number;
  /** Time of that price. RFC 3339, UTC. */
  price_at: string;
  /** Of the price from the peg, basis points; negative: below. */
  distance_bps: number;
  /** Distance above what is allowed, times hours, since the price last was on the peg. */
  bps_hours: number;
  /** Distance that is allowed. */
  allowed_bps: number;
  /** At which an alert is made. */
  alarm_bps_hours: number;
}

/** The price of a watched coin is off its peg, or on it again. */
export interface PegStressMessage {
  /** What the message is about. */
  type: 'alert.peg_stress';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'peg_stress';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: PegStress | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** What keys of the plan may do, how much of it, and for what price. */
export interface Plan {
  /** Name of the plan, as keys have it. */
  name: string;
  /** Display name of the plan. */
  title: string;
  /** Its purpose. */
  description: string;
  /** US dollars; null: not sold by itself. */
  price_usd_per_month: number | null;
  /** What its keys may do; `*`: everything. */
  scopes: '*' | string[];
  /** Chains whose data it includes; `*`: all. */
  chains: '*' | string[];
  /** Snapshots served are the newest at or before the last full multiple of so many seconds; 0: the newest. */
  freshness_grid_seconds: number;
  /** Days back from now that history is served of; null: all that is kept. */
  history_days: number | null;
  /** Null: no limit. */
  requests_per_minute: number | null;
  /** Per UTC day; null: no limit. */
  requests_per_day: number | null;
  /** Most assets in one batch. */
  batch_size: number;
  /** Null: no limit. */
  concurrent_scoring_jobs: number | null;
  /** Ratings made anew on demand, per account and UTC day; null: no limit. */
  fresh_ratings_per_day: number | null;
  /** Collections that scores start, per account and UTC day; joining one or reading its rating is free. Null: no limit. */
  collections_per_day: number | null;
  /** Most assets whose indexing an account may request (PUT /v1/{chain}/index/{asset}). */
  indexed_assets: number;
  /** Most rows of one bulk job (POST /v1/bulk) that are scored. */
  bulk_rows: number;
  /** Most assets on an account’s watchlist. */
  watchlist_size: number;
  /** Most webhooks of an account. */
  webhooks: number;
  /** Most event streams open at once, per account. */
  stream_connections: number;
  /** Most assets that one stream of chain data follows (GET /v1/{chain}/stream); 0: no such streams. */
  stream_assets: number;
  /** Most assets on whose snapshots an account may set thresholds (PUT /v1/{chain}/thresholds/{asset}); 0: none. */
  threshold_assets: number;
  /** Days that jobs and results which are not published are kept for the caller who requested them; null: as long as the operator has set for all. */
  kept_days: number | null;
  /** Exports it includes; `*`: all. */
  exports: '*' | string[];
  /** What it promises, and what a breach gives back of the price; null: nothing. */
  sla: null | {
    /** At least, percent of the calendar month (UTC). */
    availability_pct: number;
    /** At most, of market data of assets indexed for the newest, in 99 of 100 minutes. */
    market_age_seconds: number;
    /** At most, 99th percentile of reads, milliseconds. */
    latency_p99_ms: number;
    /** The lowest step that the month fell below counts. */
    credits: {
      /** Availability of the calendar month (UTC), percent. */
      below_pct: number;
      /** Of the price, when it fell below. */
      credit_pct: number;
    }[];
    /** Credit when the month broke market_age_seconds. */
    freshness_credit_pct: number;
    /** Credit when the month broke latency_p99_ms. */
    latency_credit_pct: number;
  };
}

/** `block`: a rule forbids it; `caution`: a person should review it; `allow`: all rules are met. */
export type PolicyOutcome = 'allow' | 'caution' | 'block';

/** One position of a portfolio, judged. */
export interface PolicyPosition {
  /** The asset as requested. */
  requested: string;
  /** Its CAIP-19 id; null where the text names none, or several. */
  asset_id: string | null;
  /** Ticker, untrusted text; null when not known. */
  symbol: string | null;
  outcome: PolicyOutcome;
  /** Every rule that fired, in the order of the rules. */
  fired: FiredRule[];
  /** Rules that apply and are met. */
  met: string[];
  /** As published; NR without a rating. */
  band: Band;
  /** As published, 0-100; null when not rated. */
  score: number | null;
  /** Trust in its evidence, 0-100; null without a rating. */
  trust_score: number | null;
  /** When the facts of the rating were true; null without a rating. RFC 3339, UTC. */
  rating_as_of: string | null;
  /** Version of the methodology that made it; null without a rating. */
  methodology_version: string | null;
  /** Null where neither pools nor order books are known. */
  largest_exposure: LargestExposure | null;
  /** The signed rating that was judged. Path on this service; null where there is none. */
  rating: string | null;
  /** The evidence of its job. Path on this service; null where there is none. */
  evidence: string | null;
  /** The request that has the asset rated, where there is no rating, an old one, or one whose evidence is gone; else null. */
  next: {
    /** Why another rating would help. */
    detail: string;
    /** Method of the request that has it made. */
    method: string;
    /** Its path. */
    path: string;
    /** Its body; null without one. */
    body: {
      /** The asset. */
      asset: string;
    } | null;
    /** The job that rates it already. Path on this service; null where there is none. */
    job: string | null;
  } | null;
  /** Whole tokens, as given or read; null where neither is. */
  quantity: number | null;
  /** Value, US dollars; null where neither value nor price is known. */
  value_usd: number | null;
  /** Of the value of the portfolio. 0-1. */
  share: number;
}

/** Built-in rules. */
export interface PolicyPreset {
  /** What a request calls it. */
  name: string;
  /** Who it is for. */
  title: string;
  /** Its rules. */
  rules: PolicyRules;
}

/** Rules of a caller; what is left out is taken from the preset. */
export interface PolicyRules {
  /** Worse than this band. */
  band?: {
    /** Limit of the decision `block`; null: none. */
    block?: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | null;
    /** Limit of the decision `caution`; null: none. */
    caution?: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | null;
  };
  /** Trust in the evidence below this, 0-100. */
  trust?: {
    /** Limit of the decision `block`; null: none. */
    block?: number | null;
    /** Limit of the decision `caution`; null: none. */
    caution?: number | null;
  };
  /** A flag of one of these severities or codes; `ignore` names codes that do not count. */
  flags?: {
    /** Flags whose decision is `block`. */
    block?: {
      /** Severities of flags. */
      severities?: ('info' | 'low' | 'medium' | 'high' | 'critical')[];
      /** Codes of flags. */
      codes?: string[];
    };
    /** Flags whose decision is `caution`. */
    caution?: {
      /** Severities of flags. */
      severities?: ('info' | 'low' | 'medium' | 'high' | 'critical')[];
      /** Codes of flags. */
      codes?: string[];
    };
    /** Codes of flags. */
    ignore?: string[];
  };
  /** The facts of the rating are older than so many hours. */
  rating_age_hours?: {
    /** Limit of the decision `block`; null: none. */
    block?: number | null;
    /** Limit of the decision `caution`; null: none. */
    caution?: number | null;
  };
  /** The middle observation that the rating rests on is older than so many hours. */
  evidence_age_hours?: {
    /** Limit of the decision `block`; null: none. */
    block?: number | null;
    /** Limit of the decision `caution`; null: none. */
    caution?: number | null;
  };
  /** Chains. `allow`: all others are blocked; `deny`: these are. */
  chains?: {
    /** Those allowed; null: all. */
    allow?: ('solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad')[] | null;
    /** Those denied. */
    deny?: ('solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche' | 'monad')[];
  };
  /** Classes of the methodology. `allow`: all others are blocked; `deny`: these are. */
  classes?: {
    /** Those allowed; null: all. */
    allow?: ('native_l1' | 'l2' | 'stable_fiat' | 'stable_crypto' | 'stable_algo' | 'lst_wrapped' | 'commodity' | 'defi_gov' | 'exchange' | 'infra' | 'gaming' | 'rwa_sec' | 'memecoin' | 'default')[] | null;
    /** Those denied. */
    deny?: ('native_l1' | 'l2' | 'stable_fiat' | 'stable_crypto' | 'stable_algo' | 'lst_wrapped' | 'commodity' | 'defi_gov' | 'exchange' | 'infra' | 'gaming' | 'rwa_sec' | 'memecoin' | 'default')[];
  };
  /** Own lists of assets. `allow`: all others are blocked; `deny`: these are. */
  assets?: {
    /** Those allowed; null: all. */
    allow?: string[] | null;
    /** Those denied. */
    deny?: string[];
  };
  /** The largest sale whose average price, fees included, is at most `max_cost_pct` percent below the market (the largest exposure). */
  exit?: {
    /** Average price below the market, percent. Default: 2. */
    max_cost_pct?: number;
    /** The largest exposure is below so many US dollars. */
    size_usd?: {
      /** Limit of the decision `block`; null: none. */
      block?: number | null;
      /** Limit of the decision `caution`; null: none. */
      caution?: number | null;
    };
    /** The decision where the amount of the request is above the largest exposure. */
    amount?: 'block' | 'caution';
    /** The decision where no pool was read from the chain. */
    estimated?: 'block' | 'caution';
  };
  /** One pool takes more than this share of the largest exit, percent. */
  pool_share_pct?: {
    /** Limit of the decision `block`; null: none. */
    block?: number | null;
    /** Limit of the decision `caution`; null: none. */
    caution?: number | null;
  };
  /** The creator and linked wallets hold more than this share of the liquidity, percent. */
  provider_share_pct?: {
    /** Limit of the decision `block`; null: none. */
    block?: number | null;
    /** Limit of the decision `caution`; null: none. */
    caution?: number | null;
  };
  /** The decision where a rule cannot be evaluated: never rated, not rated (NR), withdrawn, evidence no longer kept, an unknown figure. */
  unknown?: 'block' | 'caution';
}

/** The rules of a caller applied to a published rating; no part of the rating. */
export interface PolicyVerdict {
  /** The asset as requested. */
  requested: string;
  /** Its CAIP-19 id; null where the text names none, or several. */
  asset_id: string | null;
  /** Ticker, untrusted text; null when not known. */
  symbol: string | null;
  outcome: PolicyOutcome;
  /** Every rule that fired, in the order of the rules. */
  fired: FiredRule[];
  /** Rules that apply and are met. */
  met: string[];
  /** As published; NR without a rating. */
  band: Band;
  /** As published, 0-100; null when not rated. */
  score: number | null;
  /** Trust in its evidence, 0-100; null without a rating. */
  trust_score: number | null;
  /** When the facts of the rating were true; null without a rating. RFC 3339, UTC. */
  rating_as_of: string | null;
  /** Version of the methodology that made it; null without a rating. */
  methodology_version: string | null;
  /** Null where neither pools nor order books are known. */
  largest_exposure: LargestExposure | null;
  /** The signed rating that was judged. Path on this service; null where there is none. */
  rating: string | null;
  /** The evidence of its job. Path on this service; null where there is none. */
  evidence: string | null;
  /** The request that has the asset rated, where there is no rating, an old one, or one whose evidence is gone; else null. */
  next: {
    /** Why another rating would help. */
    detail: string;
    /** Method of the request that has it made. */
    method: string;
    /** Its path. */
    path: string;
    /** Its body; null without one. */
    body: {
      /** The asset. */
      asset: string;
    } | null;
    /** The job that rates it already. Path on this service; null where there is none. */
    job: string | null;
  } | null;
  /** The rules that were applied: the preset’s with the caller’s in their place. */
  rules: PolicyRules;
  /** When the rules were applied. RFC 3339, UTC. */
  checked_at: string;
  data_mode: DataMode;
}

/** One liquidity pool of an asset. */
export interface Pool {
  /** The exchange it belongs to. */
  dex: string;
  /** Address of the pool on the chain. */
  address: string;
  /** Mathematics it trades by; null when not known. */
  kind: 'constant_product' | 'concentrated' | 'bins' | 'stableswap' | 'bonding_curve' | null;
  /** Program or version of the protocol. */
  protocol: string;
  /** What the pool trades. */
  tokens: {
    /** Mint or contract. */
    address: string;
    /** Ticker, untrusted text. */
    symbol: string | null;
    /** Base units are 10^-decimals of a whole token; null when not known. */
    decimals: number | null;
    /** What the pool holds of it, base units, a decimal string; null when not known. */
    reserve_raw: string | null;
    /** The same in whole tokens. */
    reserve: number | null;
  }[];
  /** Price of the asset in the other token. */
  price_quote: number | null;
  /** Price of the asset, US dollars. */
  price_usd: number | null;
  /** Both sides, US dollars. */
  tvl_usd: number | null;
  /** Traded in 24 hours, US dollars. */
  volume_24h_usd: number | null;
  /** Fees of 24 hours, US dollars. */
  fees_24h_usd: number | null;
  /** Fee of a trade, percent. */
  fee_rate_pct: number | null;
  /** When the pool was made; null when not known. RFC 3339, UTC. */
  created_at: string | null;
  /** Who could take the liquidity out; null when not known. */
  lp: {
    /** Liquidity that can never be withdrawn. 0-100; null when not known. */
    burned_pct: number | null;
    /** Liquidity under a lock. 0-100; null when not known. */
    locked_pct: number | null;
    /** Who holds the lock; null when none does or it is not known. */
    locker: string | null;
    /** When the lock ends; null when it is not known. RFC 3339, UTC. */
    unlocks_at: string | null;
    /** Source that states it. */
    source: string;
  } | null;
  /** Read from the chain itself, not reported by an indexer. */
  verified: boolean;
  /** By this pool alone; empty when it cannot be computed. */
  depth: Depth[];
  /** By this pool alone; empty when it cannot be computed. */
  slippage: Slippage[];
  /** `exact`: by the pool’s own mathematics; `tvl_proxy`: estimated from the value locked; null without depth. */
  depth_method: 'exact' | 'tvl_proxy' | null;
  /** Names of the public sources it rests on. */
  sources: string[];
  /** Where an indexer contradicts the chain. */
  conflicts: {
    /** The quantity, such as `tvl_usd`. */
    what: string;
    /** Source that contradicts the chain. */
    source: string;
    /** Value that the source states. */
    value: number;
    /** What the chain shows. */
    chain: number;
  }[];
  /** Why something is missing or doubtful, as text. */
  notes: string[];
}

/** The liquidity pools of an asset at one moment. */
export interface PoolsSnapshot {
  asset: Asset;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  data_mode: DataMode;
  /** Names of the public sources it rests on. */
  sources: string[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** Text that a reader should know: a fallback taken, a part that is missing. */
  warnings: string[];
  /** Which kind of snapshot this is. */
  kind: 'pools';
  /** The requested pools. */
  pools: Pool[];
  /** Of the pools listed. */
  totals: {
    /** Pools listed. */
    pools: number;
    /** Of them, read from the chain itself. */
    verified_pools: number;
    /** Sum of the known ones, US dollars. */
    tvl_usd: number | null;
    /** Sum of the known ones, US dollars. */
    volume_24h_usd: number | null;
    /** Sum of the known ones, US dollars. */
    fees_24h_usd: number | null;
  };
  /** Of all pools together, whatever the scope. */
  depth: Depth[];
  /** Of all pools together, whatever the scope. */
  slippage: Slippage[];
  /** How the depth of all pools together was found; `mixed`: of some `exact`, of others a `tvl_proxy`; null without depth. */
  depth_method: 'exact' | 'mixed' | 'tvl_proxy' | null;
  /** Slot or block the pools were read at; null when none was read from the chain. */
  height: number | null;
  /** Present when only some of the pools were requested. */
  scope?: {
    /** `scope` as requested. */
    name: 'all' | 'verified' | 'top';
    /** `min_tvl_usd` as requested; 0: no bound. */
    min_tvl_usd: number;
    /** Pools that are known and not listed. */
    pools_left_out: number;
  };
}

/** A portfolio checked against rules: each position, the whole, and what fails together. */
export interface PortfolioVerdict {
  outcome: PolicyOutcome;
  /** Sum of the known values, US dollars. */
  value_usd: number;
  /** Mean of the scores by value over what is rated, 0-100; null where nothing is. */
  score: number | null;
  /** Band of that mean; NR where less than half of the value is rated. */
  band: Band;
  /** The position with the worst band; null where none is rated. */
  worst: {
    /** The asset. */
    asset_id: string;
    /** Its band. */
    band: Band;
  } | null;
  /** Part of the value without a band. 0-1. */
  uncovered: number;
  /** Parts of the value by decision. */
  shares: {
    /** Allowed. 0-1. */
    allow: number;
    /** With caution. 0-1. */
    caution: number;
    /** Blocked. 0-1. */
    block: number;
  };
  /** The positions, in the order given; those of an address by chain, the coin first. */
  positions: PolicyPosition[];
  /** Where the positions were read; null where the caller gave them. A list that may not be whole makes the decision `caution` at least; positions that were left out make it that of `unknown`. */
  holdings: HoldingsRead[] | null;
  /** What the positions depend on. */
  dependencies: DependencyEdge[];
  /** What each failure takes with it, the largest loss first; at most 100. */
  breaks_together: Breakage[];
  /** Losses within a year when nodes fail by chance; a scenario on stated assumptions, no forecast. */
  simulation: {
    /** The same seed and positions give the same bytes. */
    seed: number;
    /** Number of runs. */
    runs: number;
    /** Mean loss of a year. 0-1. */
    mean: number;
    /** Loss that 95 % of the runs do not pass. 0-1. */
    p95: number;
    /** Loss that 99 % of the runs do not pass. 0-1. */
    p99: number;
    /** Mean of the worst hundredth of the runs. 0-1. */
    worst_hundredth: number;
    /** Largest loss of a run. 0-1. */
    largest: number;
    /** Part of the runs in which two positions or more lose half of their value or more. 0-1. */
    together: number;
    /** Nodes whose chance to fail is an assumption (docs/policy.md), not the calibrated one of a rating. */
    assumed: string[];
  };
  /** The rules that were applied. */
  rules: PolicyRules;
  /** When the rules were applied. RFC 3339, UTC. */
  checked_at: string;
  data_mode: DataMode;
}

/** One position. */
export interface PositionInput {
  /** Named as in the path of GET /v1/rms/{asset}. */
  asset: string;
  /** Value of the position, US dollars. */
  value_usd?: number;
  /** Whole tokens, where no value is given. */
  quantity?: number;
}

/** Sources that a number is made of, and sources that were outvoted. */
export interface Provenance {
  /** Sources whose values made the number. */
  sources: string[];
  /** Sources whose values did not count. */
  outvoted: {
    /** Source that stated it. */
    source: string;
    /** Value that it stated, in the unit of the number; null where its terms forbid passing it on. */
    value: number | null;
    /** Why it did not count: `outlier`, `unit_mismatch`, `same_family` (it passes on a number that was counted already), ... */
    reason: string;
  }[];
  /** A weight, not the chance of being right (methodology, From sources to one value). 0-1. */
  confidence: number;
  /** Low and high end of the number, in its unit; null where it has none. */
  interval: [number, number] | null;
  /** `consensus` of the sources, `derived` from other numbers here, or `history`: from our own kept prices. */
  method: 'consensus' | 'derived' | 'history';
}

/** A key as a JWK (RFC 7517, RFC 8037). */
export interface PublicKey {
  /** Name of the key; `key_id` of signatures. */
  kid: string;
  /** Octet key pair (RFC 8037), always. */
  kty: 'OKP';
  /** The curve, always this one. */
  crv: 'Ed25519';
  /** The public key, 32 bytes in base64url */
  x: string;
  /** For signatures, always. */
  use: 'sig';
  /** When it was made. RFC 3339, UTC. */
  created_at: string;
  /** When another took its place; null while it signs. RFC 3339, UTC. */
  retired_at: string | null;
}

/** The files of one day. */
export interface PublishedDay {
  /** The day, YYYY-MM-DD in UTC. */
  date: string;
  /** 1, and one more with each restatement; without it: 1. */
  revision?: number;
  /** Rows of each file. */
  rows: number;
  /** When it was published. RFC 3339, UTC. */
  published_at: string;
  /** The same rows in every form. */
  files: {
    /** `json`, `csv`, `ndjson` or `parquet`. */
    format: string;
    /** `identity`, or how the file is packed: `gzip` or `zstd`. */
    encoding: string;
    /** Name of the file. */
    name: string;
    /** Length of this file. */
    bytes: number;
    /** Hex, of the bytes of this file. */
    sha256: string;
  }[];
  /** Set on a corrected day; the older set stays readable by `?revision=`. */
  restates: null | {
    /** Of the JSON file (encoding identity) that this set stands in for. */
    sha256: string;
    /** The reason, as text. */
    reason: string;
  };
  /** Over the canonical JSON (RFC 8785) of the entry without this member. */
  signature: {
    /** Ed25519 (RFC 8032), always. */
    algorithm: 'Ed25519';
    /** `kid` of the key among those of /.well-known/assay-keys.json. */
    key_id: string;
    /** Base64 of the 64 bytes. */
    value: string;
  };
}

/** One value from many observations. */
export interface Quantity {
  /** What was measured. */
  quantity: string;
  /** What it is about: `asset`, or a pool, venue, holder or registry by name. */
  scope: string;
  /** Unit of the value. */
  unit: string;
  /** The value on which the sources agree; null when none states it, or when it would reveal what may not be redistributed. */
  value: unknown;
  /** Low end of the interval, in the unit; null for states and facts. */
  low: number | null;
  /** High end of the interval, in the unit; null for states and facts. */
  high: number | null;
  /** A weight, not the chance of being right (methodology, From sources to one value). 0-1. */
  confidence: number;
  /** `independence`, `agreement`, `freshness` and `identity`, each 0-1: what the confidence is made of. */
  confidence_parts: unknown;
  /** How it came about; `disputed`: the sources contradict each other. */
  status: 'agreed' | 'single_source' | 'disputed' | 'missing' | 'not_applicable';
  /** Different origins of the observations. */
  independent_families: number;
  /** The same, less the correlation of lineage groups that draw on each other. */
  effective_families: number;
  /** Spread of the accepted observations: 1.4826 x weighted MAD, of logarithms where the quantity is compared by ratio. */
  dispersion: number;
  /** When it was observed; null when no source states it. RFC 3339, UTC. */
  observed_at: string | null;
  /** Checks against other quantities that it failed, by code. */
  failed_identities: string[];
  /** All observations of the quantity, accepted and rejected. */
  voices: Voice[];
  /** Those of them that were rejected because they contradict the others. */
  outvoted: Voice[];
}

/** The message that was put into the queue. */
export interface QueuedDelivery {
  /** What the receiver sees as `webhook-id`; the same at every attempt. */
  id: string;
  /** `alert.<kind>`, `alert.digest` or `webhook.test`. */
  type: string;
  /** Number of the alert it is about; null for digests and tests. */
  alert_id: number | null;
  /** `folded`: it went out within a digest. */
  state: 'pending' | 'delivered' | 'failed' | 'folded';
  /** Delivery of the digest it was folded into; null when it was not. */
  digest_id: string | null;
  /** Attempts made so far. */
  attempts: number;
  /** When it was put into the queue. RFC 3339, UTC. */
  created_at: string;
  /** When it is tried again; null unless it is pending. RFC 3339, UTC. */
  next_attempt_at: string | null;
  /** When it was delivered, given up or folded; null while it is pending. RFC 3339, UTC. */
  finished_at: string | null;
  /** HTTP status of the last attempt; null before the first, and when there was no reply. */
  last_status: number | null;
  /** What went wrong at the last attempt. */
  last_detail: string | null;
  data_mode: DataMode;
}

/** The asset, and what it is rated as; both fields of the class are null where the rating is older than classes. */
export interface RatedAsset {
  /** CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is. */
  id: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known. */
  category: string | null;
  /** The project’s own site, when known. */
  website: string | null;
  /** How the class was decided. */
  category_reason: string | null;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string | null;
}

/** The published rating of an asset, signed. */
export interface Rating {
  asset: SignedAsset;
  /** With a tradable token, or before it. */
  stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1; null when not rated. */
  score: number | null;
  /** AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated. */
  band: Band;
  /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
  trust_score: number;
  /** Flags that are raised. */
  risk_flags: RiskFlag[];
  /** Low and high end of the score, 80 %; null when not rated. */
  score_interval: number[] | null;
  /** Of this moment’s score alone. */
  indicative_band: Band;
  /** What band changes rest on, 0-100; null when not rated. */
  smoothed_score: number | null;
  /** Where the rating is likely to go; null without one. */
  outlook: Outlook | null;
  /** An event that may move the band is pending; null: none is. */
  watch: Watch | null;
  /** Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score. */
  vfr: {
    /** Price over fair value; null when no fair value can be computed reliably. */
    value: number | null;
    zone: VfrZone;
    /** Low and high end, 80 %; null without a value. */
    interval: number[] | null;
  };
  /** How likely it fails within 30 days and within a year; ratings from before it was given lack it. */
  failure_probability?: FailureProbability[];
  /** The rating before; null on the first. */
  previous: {
    /** Of the rating before. */
    score: number | null;
    /** Of the rating before. */
    band: Band;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
  } | null;
  /** What this rating did to the one before. */
  rating_action: 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';
  /** Why, in one line. */
  action_reason: string;
  /** The action takes back one of the 30 days before. */
  reversal: boolean;
  /** What moved the score since the rating before. */
  drivers: Driver[];
  /** Set once it has defaulted, until it is cured; else null. */
  default: Default | null;
  /** For stablecoins, wrapped and tokenised assets; else null. */
  issuer_control: IssuerControl | null;
  /** What is not known, and why. */
  gaps: Gap[];
  /** Quantities whose sources contradict each other. */
  conflicts: {
    /** What the sources disagree on. */
    quantity: string;
    /** What each source states. */
    detail: string;
  }[];
  /** Market capitalisation, US dollars, for peer groups; null when not known. */
  market_cap_usd: number | null;
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules. */
  methodology_hash: string;
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** The rated party neither requested nor paid for it. */
  participation: 'unsolicited';
  data_mode: DataMode;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  correction?: RatingCorrection;
  /** Among peers as they are rated now (at most a minute old); null on ratings that are not the newest. */
  standing: Standing | null;
  signature: Signature;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
}

/** What GET /v1/rms/{asset} shows of it: with the hysteresis of the asset’s ratings, so that bands change slowly. */
export interface RatingAsPublished {
  band: Band;
  /** 0-100 in steps of 0.1; null when not rated (`NR`). */
  score: number | null;
  /** Why it differs from `rating`: flags that still count, or the hysteresis; null when it does not. */
  reason: string | null;
}

/** What changed about the rating of one asset. */
export interface RatingChangeRow {
  /** CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is. */
  asset_id: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known. */
  category: string | null;
  /** `new`: not rated at the end of the first day; `gone`: withdrawn since; `changed`: band, score, trust, flags or standing differ. */
  change: 'new' | 'gone' | 'changed';
  /** Band at the end of the first day; null when new. */
  band_before: Band | null;
  /** Band at the end of the second day. */
  band_after: Band | null;
  /** Score then; null when new or not rated. */
  score_before: number | null;
  /** Score now; null when not rated. */
  score_after: number | null;
  /** Trust score then; null when new. */
  trust_before: number | null;
  /** Trust score now. */
  trust_after: number | null;
  /** Codes of risk flags of any severity that are new. */
  flags_raised: string[];
  /** Codes of risk flags that are gone. */
  flags_cleared: string[];
  /** Standing then; null when new. */
  standing_before: 'rated' | 'lapsed' | 'not_rated' | 'withdrawn' | 'defaulted' | null;
  /** What became of the rating by the end of the day; `lapsed`: it is older than 30 days; `defaulted`: band D; `withdrawn` and `not_rated`: NR. */
  standing_after: 'rated' | 'lapsed' | 'not_rated' | 'withdrawn' | 'defaulted';
  /** Time of the rating then; null when new. RFC 3339, UTC. */
  as_of_before: string | null;
  /** Time of the rating now. RFC 3339, UTC. */
  as_of_after: string | null;
}

/** A page of what changed between the ends of two days. */
export interface RatingChanges {
  /** The first day, YYYY-MM-DD in UTC. */
  from: string;
  /** The second day. */
  to: string;
  /** In the order of the asset ids. May be shorter than `limit`, or empty, before the last page. */
  data: RatingChangeRow[];
  /** Repeat the request with `cursor` set to this; null on the last page. */
  next_cursor: string | null;
  data_mode: DataMode;
}

/** Present only if this rating was shown to be wrong: its newest correction. The signed members stay as published; it ends with the next rating. */
export interface RatingCorrection {
  /** Its number in `GET /v1/restatements`. */
  restatement_id: number;
  /** When it was published. RFC 3339, UTC. */
  made_at: string;
  /** What was wrong. */
  reason: string;
  /** The band that the rating should have had. */
  band: Band;
  /** The score that it should have had, 0-100; null when not rated. */
  score: number | null;
}

/** A short form for programs with little room; not signed. */
export interface RatingDigest {
  /** CAIP-19 id, or `project:` and a domain. */
  asset_id: string;
  /** Ticker, untrusted text; null when not known. */
  symbol: string | null;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string | null;
  /** AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated. */
  band: Band;
  /** 0-100 in steps of 0.1; null when not rated. */
  score: number | null;
  /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
  trust_score: number;
  /** `positive`, `stable`, `negative`, `developing` or `provisional`; null without one. */
  outlook: string | null;
  /** Reason of the watch; null: none. */
  watch: string | null;
  /** Codes of the gravest flags, worst first. */
  flags: string[];
  /** Flags raised besides those. */
  more_flags: number;
  vfr_zone: VfrZone;
  /** `new`, `affirm`, `upgrade`, `downgrade` or `withdraw`. */
  rating_action: string;
  /** Number of features that are not known. */
  gaps: number;
  /** On how many quantities the sources disagree. */
  conflicts: number;
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  data_mode: DataMode;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  /** The rating in one sentence. */
  sentence: string;
  correction?: RatingCorrection;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
}

/** The rating of one asset as it was known at the end of a day. */
export interface RatingExportRow {
  /** The day, YYYY-MM-DD in UTC. */
  date: string;
  /** CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is. */
  asset_id: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known. */
  category: string | null;
  /** With a tradable token, or before it. */
  stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1; null when not rated. */
  score: number | null;
  /** AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated. */
  band: Band;
  /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
  trust_score: number;
  /** Low end of the interval of the score, 80 %; null when not rated. */
  score_low: number | null;
  /** High end of the interval of the score, 80 %; null when not rated. */
  score_high: number | null;
  /** Where the rating is likely to go; null without one. */
  outlook: Outlook | null;
  /** Price over fair value; null when no fair value can be computed reliably. */
  vfr: number | null;
  vfr_zone: VfrZone;
  /** Codes of the risk flags of severity medium and up, the worst first and each once. */
  key_flags: string[];
  /** Risk flags of any severity. */
  flags: number;
  /** What this rating did to the one before. */
  rating_action: 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';
  /** What became of the rating by the end of the day; `lapsed`: it is older than 30 days; `defaulted`: band D; `withdrawn` and `not_rated`: NR. */
  standing: 'rated' | 'lapsed' | 'not_rated' | 'withdrawn' | 'defaulted';
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string | null;
  /** How the class was decided. */
  category_reason: string | null;
}

/** What proves that a rating is in the log. */
export interface RatingProof {
  /** Place in the log, from 0. */
  leaf_index: number;
  /** What the leaf is the hash of, as text: canonical JSON of `as_of`, `asset` and `record_sha256`, the SHA-256 of the published record without its signature. Leaf hash: SHA-256 of a zero byte and these bytes (RFC 6962). */
  leaf: string;
  /** Leaves of the tree. */
  tree_size: number;
  /** Audit path from the leaf to the root of that tree (RFC 9162, 2.1.3). */
  path: string[];
  /** Signed note (C2SP tlog-checkpoint): name of the log, number of leaves, root as base64, `time` in RFC 3339; below, after an empty line, the signature of the log and of witnesses. */
  checkpoint: string;
}

/** A published rating as it was signed; it never changes. */
export interface RatingRecord {
  asset: SignedAsset;
  /** With a tradable token, or before it. */
  stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1; null when not rated. */
  score: number | null;
  /** AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated. */
  band: Band;
  /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
  trust_score: number;
  /** Flags that are raised. */
  risk_flags: RiskFlag[];
  /** Low and high end of the score, 80 %; null when not rated. */
  score_interval: number[] | null;
  /** Of this moment’s score alone. */
  indicative_band: Band;
  /** What band changes rest on, 0-100; null when not rated. */
  smoothed_score: number | null;
  /** Where the rating is likely to go; null without one. */
  outlook: Outlook | null;
  /** An event that may move the band is pending; null: none is. */
  watch: Watch | null;
  /** Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score. */
  vfr: {
    /** Price over fair value; null when no fair value can be computed reliably. */
    value: number | null;
    zone: VfrZone;
    /** Low and high end, 80 %; null without a value. */
    interval: number[] | null;
  };
  /** How likely it fails within 30 days and within a year; ratings from before it was given lack it. */
  failure_probability?: FailureProbability[];
  /** The rating before; null on the first. */
  previous: {
    /** Of the rating before. */
    score: number | null;
    /** Of the rating before. */
    band: Band;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
  } | null;
  /** What this rating did to the one before. */
  rating_action: 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';
  /** Why, in one line. */
  action_reason: string;
  /** The action takes back one of the 30 days before. */
  reversal: boolean;
  /** What moved the score since the rating before. */
  drivers: Driver[];
  /** Set once it has defaulted, until it is cured; else null. */
  default: Default | null;
  /** For stablecoins, wrapped and tokenised assets; else null. */
  issuer_control: IssuerControl | null;
  /** What is not known, and why. */
  gaps: Gap[];
  /** Quantities whose sources contradict each other. */
  conflicts: {
    /** What the sources disagree on. */
    quantity: string;
    /** What each source states. */
    detail: string;
  }[];
  /** Market capitalisation, US dollars, for peer groups; null when not known. */
  market_cap_usd: number | null;
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules. */
  methodology_hash: string;
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** The rated party neither requested nor paid for it. */
  participation: 'unsolicited';
  data_mode: DataMode;
  /** When the facts were true. RFC 3339, UTC. */
  as_of: string;
  signature: Signature;
}

/** What was bought with one payment, and what was corrected since. */
export interface Receipt {
  /** `settled`; or `unknown` while it is not known whether the transfer was made: the same payment can be sent again, and is settled at most once. */
  state: 'settled' | 'unknown';
  /** When the payment was settled; null unless `settled`. RFC 3339, UTC. */
  paid_at: string | null;
  /** What was bought. */
  class: 'ratings' | 'snapshots';
  /** Path that was read. */
  resource: string;
  /** CAIP-2 id of the chain of the payment. */
  network: string;
  /** Address of the token, in lower case. */
  token: string;
  /** Units of the token. */
  amount: string;
  /** Address that paid, in lower case. */
  payer: string;
  /** Hash of the transaction; null when the facilitator named none. */
  transaction: string | null;
  /** Corrections of ratings that this payer read, by this payment or another, the newest first, at most 100; each is an alert of the kind `correction`. All corrections of all ratings: GET /v1/restatements. */
  corrections: Alert[];
  data_mode: DataMode;
}

/** A kept register: facts that no API states, each row with its source. */
export interface Register {
  /** Name of the register. */
  name: string;
  /** What a row is about. */
  about: string;
  /** Rows, the operator’s own included. */
  rows: number;
  /** Rows that two people reviewed and whose every cell is proven. */
  confirmed: number;
  /** Rows that are not confirmed. */
  unconfirmed: number;
  /** Rows that have to be looked at again. */
  expired: number;
  /** Rows of the operator of this service. */
  own: number;
  /** Earliest day by which a cell has to be checked again; null: of none. YYYY-MM-DD. */
  oldest_expiry: string | null;
  /** Where its rows are read. */
  href: string;
  /** Where the JSON Schema of its file is read. */
  schema_href: string;
}

/** A row of a kept register, with the provenance of each cell. */
export interface RegisterRow {
  /** Id of the row in its register; of a label chain and address. */
  id: string;
  /** What it is about. */
  name: string | null;
  /** Ticker, where it is an asset. */
  symbol: string | null;
  /** `confirmed`: a source that was read proves every cell and two people reviewed the row; `unconfirmed`: not so; `expired`: it has to be checked again. */
  state: 'confirmed' | 'unconfirmed' | 'expired';
  /** The operator’s own row; else one that this version ships. */
  own: boolean;
  /** CAIP-19 ids of the assets that it is about. */
  assets: string[];
  /** When the row was last checked, YYYY-MM-DD. */
  read_on: string;
  /** When the row has to be checked again; null: it is not kept by days. YYYY-MM-DD. */
  expires: string | null;
  /** Who reviewed it; two make it reviewed. */
  reviewers: string[];
  /** Two people reviewed it. */
  reviewed: boolean;
  /** What the row was read from. */
  sources: {
    /** Name of the source in this row. */
    key: string;
    /** Where it was read, or a description. */
    url: string;
    /** On what terms it is used. */
    licence: string;
    /** The day of what was read; null: not read yet. YYYY-MM-DD. */
    read_on: string | null;
  }[];
  /** The cells of the row, each with its state. */
  cells: {
    /** Name of the cell. */
    name: string;
    /** As the schema of the register describes it. */
    value: unknown;
    /** `proven`: a source that was read states it; `unconfirmed`: none that was read, so it counts less and never as supervised; `expired`: it has to be checked again. */
    state: 'proven' | 'unconfirmed' | 'expired';
    /** When it has to be checked again; null: of a row that is not kept by days. YYYY-MM-DD. */
    expires: string | null;
    /** Keys of `sources` that it rests on; of a proven cell those that were read. */
    sources: string[];
    /** The day of what was read, or of the last check of the row. YYYY-MM-DD. */
    read_on: string | null;
  }[];
  /** Further remarks about the row. */
  note: string | null;
}

/** An appeal as its reviewers see it. */
export interface ReviewedAppeal {
  /** Id of the appeal. */
  id: string;
  /** Reference of the appeal; anyone who has it may read the status. */
  reference: string;
  /** `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating. */
  state: 'awaiting_proof' | 'expired' | 'proved' | 'under_review' | 'accepted' | 'rejected' | 'corrected';
  /** CAIP-19 id of the asset. */
  asset_id: string;
  /** The rating it is about; null when it is not kept. */
  rating: {
    /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
    job_id: string;
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    band: Band;
    /** 0-100; null when not rated. */
    score: number | null;
  } | null;
  /** When it was opened. RFC 3339, UTC. */
  opened_at: string;
  /** Until when control has to be proved. RFC 3339, UTC. */
  expires_at: string;
  /** The proof of control; null before it. */
  proof: {
    /** How control was proved. */
    method: 'dns' | 'eip191' | 'eip712' | 'eip1271' | 'ed25519' | 'repository';
    /** What the domain, address or account is to the asset or its repository. */
    role: string;
    /** The domain or address; of a repository: it, the account and the key. */
    subject: string;
    /** When it was proved. RFC 3339, UTC. */
    proved_at: string;
  } | null;
  /** How often evidence was sent. It is read by the reviewers and not shown. */
  evidence_count: number;
  /** Reviews of the present step; two that agree decide. */
  review_count: number;
  /** What the reviewers found; null before. */
  finding: string | null;
  /** When they decided; null before. RFC 3339, UTC. */
  decided_at: string | null;
  /** The correction it led to, see GET /v1/restatements; null without one. */
  restatement_id: number | null;
  /** What the party sent, oldest first. */
  evidence: {
    /** When it came. RFC 3339, UTC. */
    received_at: string;
    /** What the party states; outside text. */
    statement: string;
    /** Where it points; outside addresses that were not opened. */
    links: string[];
  }[];
  /** Reviews of the present step. */
  reviews: {
    /** Key of the reviewer. */
    key_id: string;
    /** The opinion of the reviewer. */
    decision: 'accepted' | 'rejected' | 'corrected';
    /** The reason, as text. */
    finding: string;
    /** The correction it led to, see GET /v1/restatements; null without one. */
    restatement_id: number | null;
    /** When. RFC 3339, UTC. */
    reviewed_at: string;
  }[];
  data_mode: DataMode;
}

/** An asset whose earlier records are void. */
export interface Revocation {
  /** CAIP-19 id. */
  asset_id: string;
  /** SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id. 32 bytes in hexadecimal after 0x. */
  asset: string;
  /** Milliseconds since the epoch: every record of the asset with an earlier as_of is void. */
  not_before: number;
  /** What happened: a newer rating, none any more, a default, or a correction of the newest rating. */
  reason: 'replaced' | 'withdrawn' | 'defaulted' | 'corrected';
  /** When the newest rating was published, or corrected. RFC 3339, UTC. */
  revoked_at: string;
  /** For an EVM chain; null for another. */
  eas: EasRevocation | null;
  /** For a cluster of Solana; null for another chain. */
  solana: SolanaRevocation | null;
}

/** A condition that a reader should know of, as it was published. */
export interface RiskFlag {
  /** Code of the flag; docs/flags.md has all of them. */
  code: string;
  severity: Severity;
  /** The condition in short. */
  title: string;
  /** What was seen, with its numbers. */
  detail: string;
  /** First seen raised, without a break since. RFC 3339, UTC. */
  since: string | null;
}

/** The asset to score, in one word. It is rated exactly as by its project and project_url. */
export interface ScoreAssetRequest {
  /** In place of project and project_url: a CAIP-19 id, chain:address, an address, the url or host of the project’s site, a ticker or a name. Several assets that it may mean are 409 `ambiguous_project` with candidates, whose ids are accepted here; a name that none has is 422 `project_not_identified`, with those of similar names as candidates. */
  asset: string;
  /** posttge (default) or pretge, in any case; echoed in lower case, as the job id begins. */
  type?: string;
  /** Chain the project runs on: a name, a symbol or a CAIP-2 id. */
  blockchain?: string;
  /** minimal, standard (default) or full. */
  output_format?: string;
  [name: string]: unknown;
}

/** How far the score has moved. */
export interface ScoreChange {
  /** Score at the last alert of this kind, or when the asset was added; 0-100. */
  from: number;
  /** Score now, 0-100. */
  to: number;
  /** Points from one to the other, in steps of 0.1; negative: down. */
  change: number;
  /** Least points at which the account is notified. */
  threshold: number;
}

/** The score of a watched asset moved. */
export interface ScoreChangeMessage {
  /** What the message is about. */
  type: 'alert.score_change';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'score_change';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: ScoreChange | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** One subject of the rating. */
export interface ScoreFactor {
  /** Code of the factor. */
  code: string;
  /** Name of the factor. */
  name: string;
  /** 0-100, after it was drawn towards its prior for lack of evidence. */
  score: number;
  /** Weight in the category; all weights add up to 100. */
  weight: number;
  /** How much of what matters to it is known, and how surely. 0-1. */
  confidence: number;
  /** What it moves the score from `prior`, in points; all of them add up to the score before caps. */
  points: number;
}

/** One feature of a factor. */
export interface ScoreFeature {
  /** Id of the feature. */
  id: string;
  /** Name of the feature, as in the methodology’s tables. */
  name: string;
  /** `absent`: searched for in two registries and not there; `unknown`: a source failed or none states it; `not_applicable`: it does not count here. */
  status: 'observed' | 'absent' | 'unknown' | 'not_applicable';
  /** What was found, in `unit`, or the word of a state; null when nothing was. */
  value: number | string | null;
  /** Unit of the value, such as `usd`, `fraction` or `days`. */
  unit: string;
  /** 0-100, by the feature’s published curve; null when there is none. */
  score: number | null;
  /** Weight within the factor. */
  weight: number;
  /** How sure the value is. 0-1. */
  confidence: number;
  /** How it was computed, or from what. */
  method: string;
  /** The finding as a sentence. */
  rationale: string;
  /** Keys of the `quantities` it rests on: `quantity`, or `quantity@scope`. */
  observations: string[];
}

/** A condition that a reader should know of. */
export interface ScoreFlag {
  /** Code of the flag; docs/flags.md has all of them. */
  code: string;
  severity: Severity;
  /** The condition in short. */
  title: string;
  /** What was seen, with its numbers. */
  detail: string;
  /** How sure the condition is; 0.5 at least, 0.7 for critical flags. 0-1. */
  confidence: number;
  /** Since when the condition holds, or else when it was first raised in an unbroken run of ratings. RFC 3339, UTC. */
  since: string | null;
  /** What it rests on: quantities of `quantities`, or ids of archived replies. */
  evidence: string[];
}

/** The rating of this moment, without the hysteresis of published ratings: but what is in default is `D` here too. */
export interface ScoreRating {
  band: Band;
  /** 0-100 in steps of 0.1; null when not rated (`NR`). */
  score: number | null;
  /** Low and high end of the score that full knowledge would give, meant to hold four times out of five; null when not rated. */
  interval: [number, number] | null;
  /** `provisional` before the token, else null: a direction is a matter of the published rating (GET /v1/rms/{asset}). */
  outlook: Outlook | null;
  /** Score before caps, 0-100; null when not rated. */
  uncapped_score: number | null;
  /** Band of the score before caps; null when not rated. */
  uncapped_band: Band | null;
  /** Trust is limited, which puts a ceiling on the score (methodology, Trust). */
  evidence_cap: boolean;
  /** Trust is weak, or the project has no token yet: read the rating as a first look. */
  provisional: boolean;
  /** Why it is not rated; empty when it is. */
  not_rated_reasons: string[];
}

/** The search is still under way. */
export interface Searching {
  /** It continues; repeat the request after `Retry-After` seconds. */
  state: 'searching';
  /** When the search began. RFC 3339, UTC. */
  started_at: string;
  /** The same as text. */
  detail: string;
  data_mode: DataMode;
}

/** Over the EIP-712 hash of the message in its domain. */
export interface Secp256k1Signature {
  /** First half. 32 bytes in hexadecimal after 0x. */
  r: string;
  /** Second half, the lower of the two that are possible. 32 bytes in hexadecimal after 0x. */
  s: string;
  /** 27 or 28. */
  v: number;
}

/** What the service measured of itself, and whether plans’ promises are kept. */
export interface ServiceLevel {
  /** First minute measured; null: none yet. RFC 3339, UTC. */
  measured_since: string | null;
  /** The last hour, day and 30 days. */
  windows: {
    /** How far back it reaches. */
    window: '1h' | '24h' | '30d';
    /** First minute of the window. RFC 3339, UTC. */
    from: string;
    /** End of the window. RFC 3339, UTC. */
    to: string;
    /** Percent, of ratings, chain data and exports. A minute without any process counts as down, another by the share of replies with status 5xx. */
    availability_pct: number | null;
    /** Requests counted. */
    requests: number;
    /** Replies with status 5xx. */
    failures: number;
    /** Of reads of ratings and chain data, within the service; at most 4.5 % too high. Null without any. */
    latency_ms: null | {
      /** Median, milliseconds. */
      p50: number;
      /** 95th percentile, milliseconds. */
      p95: number;
      /** 99th percentile, milliseconds. */
      p99: number;
    };
    /** Age of the newest snapshots, by chain, kind and cadence. */
    freshness: {
      /** Name of the chain. */
      chain: string;
      /** `market`, `holders` or `pools`. */
      kind: string;
      /** How often the readers of the assets need new snapshots. */
      cadence: string;
      /** Half of the assets were at most so old in half of the minutes. */
      age_seconds_p50: number;
      /** 99 % of the assets were at most so old in 99 % of the minutes. */
      age_seconds_p99: number;
    }[];
  }[];
  /** Plans that promise a service level, and the credit they would owe for the month so far. */
  plans: {
    /** Name of the plan. */
    plan: string;
    /** The present month, UTC. */
    month: string;
    /** What the plan promises. */
    targets: {
      /** At least, percent of the month. */
      availability_pct: number;
      /** At most, of market data. */
      market_age_seconds: number;
      /** At most, 99th percentile of reads, milliseconds. */
      latency_p99_ms: number;
    };
    /** No promise is broken so far this month. */
    met: boolean;
    /** Measured, percent of the month; null: nothing was, or no longer is. */
    availability_pct: number | null;
    /** Age of market data that 99 % of the assets kept in 99 % of the minutes, on the worst chain; null: not measured. */
    market_age_seconds: number | null;
    /** Of reads, within the service, milliseconds; null: nothing was measured. */
    latency_p99_ms: number | null;
    /** Promises the month has broken. */
    breaches: ('availability' | 'freshness' | 'latency')[];
    /** What the breaches give back, percent of the month’s price. */
    credit_pct: number;
  }[];
}

/** What works here, what would add something, and what to do first. */
export interface Setup {
  data_mode: DataMode;
  /** Version of the running service. */
  version: string;
  /** When this was read. RFC 3339, UTC. */
  as_of: string;
  /** The newest proof: every endpoint of every source that is on, requested for known assets. */
  proof: {
    /** `none`: none since this process started; POST /v1/setup/prove starts one. */
    state: 'none' | 'running' | 'finished';
    /** When it began; null without one. RFC 3339, UTC. */
    started_at: string | null;
    /** When it ended; null until then. RFC 3339, UTC. */
    finished_at: string | null;
    /** It ends after so many seconds, also when sources have not replied. */
    seconds_at_most: number;
    /** Names of the assets in the requests to the sources. */
    assets: string[];
    /** Sources that are on. */
    sources_on: number;
    /** Of them, those that replied. */
    sources_answering: number;
    /** Of them, those that got requests and did not reply. */
    sources_failing: number;
  };
  /** `unreachable`: no source beyond this installation replied in a proof that has ended. `unknown`: there was no proof yet. */
  internet: 'reachable' | 'unreachable' | 'unknown';
  /** Every source that this version knows, in a fixed order. */
  sources: SetupSource[];
  /** Keys that sources take. None is needed. */
  keys: SetupKey[];
  /** Keys are environment variables and are read at the start of the service: none is stored by it. */
  keys_take_effect: 'at_start';
  /** Assets an hour that all budgets allow; null before a proof in which sources replied. */
  assets_per_hour: number | null;
  /** The source that sets this limit; null without one. */
  limited_by: string | null;
  /** By source, the scarcest first; empty before a proof. */
  capacity: SetupCapacity[];
  /** Assets to rate first: POST /v1/score takes each as it stands, with `type` `posttge`. */
  suggested: {
    /** Name to send as `project`. */
    project: string;
    /** Address to send as `project_url`. */
    project_url: string;
    /** Symbol; null without one. */
    token_symbol: string | null;
  }[];
}

/** How many assets an hour a source allows. */
export interface SetupCapacity {
  /** Name of the source. */
  source: string;
  /** Requests of one asset, the most among those of the proof. */
  requests_per_asset: number;
  /** Requests a minute that it is sent at most. */
  per_minute: number;
  /** Assets an hour that its budget allows. */
  assets_per_hour: number;
  /** The same with a free key; null where one is set, or where the free plan states no other number. */
  assets_per_hour_with_key: number | null;
}

/** A key that an operator may set. */
export interface SetupKey {
  /** Name of the source. */
  source: string;
  /** Display name. */
  title: string;
  /** Environment variable that holds the key. */
  setting: string;
  /** One is set. Its value is never shown. */
  is_set: boolean;
  /** Without it the source is off. */
  required: boolean;
  /** What it adds. */
  adds: string;
  /** Page of the provider where it is had. */
  from: string;
}

/** A public source as this installation reaches it. */
export interface SetupSource {
  /** Name of the source. */
  source: string;
  /** Display name. */
  title: string;
  /** `answers`: at least one reply came. `fails`: requests were sent and none succeeded. `waiting`: the proof is under way and has no reply of it yet. `not_asked`: it was not requested, or nothing about these assets leads to it. `off`: it is turned off, or needs a key. */
  state: 'answers' | 'fails' | 'waiting' | 'not_asked' | 'off';
  /** Why it fails or is off, or its newest failure while it is waited for; null otherwise. */
  detail: string | null;
  /** It was read from files of this installation, without any network. */
  is_local: boolean;
  /** Median of its replies in the proof, milliseconds; null without any. */
  latency_ms: number | null;
  /** Replies in the proof. */
  replies: number;
  /** Requests in the proof that got none. */
  failures: number;
  /** Its endpoints by verdict; all 0 until the proof has ended. */
  endpoints: {
    /** Nothing contradicts them. */
    right: number;
    /** Other sources contradict them, or they are old. */
    suspect: number;
    /** No reply, a reply of another shape, or a known fact misstated. */
    failed: number;
    /** Not requested, or they have none of the assets. */
    unproven: number;
  };
  /** What is wrong, at most three; empty until the proof has ended. */
  findings: string[];
  /** What it is used for. */
  gives: string[];
  /** Requests a minute that it is sent at most. */
  per_minute: number;
}

/** How grave it is, from `info` (worth knowing) to `critical`. */
export type Severity = 'info' | 'low' | 'medium' | 'high' | 'critical';

/** Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing`, `correction` and `age_seconds` (docs/ratings.md). */
export interface Signature {
  /** Ed25519 (RFC 8032), always. */
  algorithm: 'Ed25519';
  /** `kid` of the key among those of /.well-known/assay-keys.json. */
  key_id: string;
  /** Base64 of the 64 bytes. */
  value: string;
}

/** The asset as it was signed; ratings from before classes lack both fields of the class. */
export interface SignedAsset {
  /** CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is. */
  id: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin; null without a token. */
  address: string | null;
  /** Ticker, as the token itself states: untrusted text, not unique. */
  symbol: string | null;
  /** What the token or the project calls itself: untrusted text. */
  name: string;
  /** Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known. */
  category: string | null;
  /** The project’s own site, when known. */
  website: string | null;
  /** How the class was decided. */
  category_reason?: string | null;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class?: string | null;
}

/** What a trade of a size costs. */
export interface Slippage {
  /** Size of the trade, US dollars. */
  size_usd: number;
  /** Average price paid against the price before, fee included, percent; null when it cannot be filled. */
  buy_pct: number | null;
  /** The same for selling. */
  sell_pct: number | null;
}

/** A figure of a snapshot crossed a threshold of the account. */
export interface SnapshotThresholdMessage {
  /** What the message is about. */
  type: 'alert.snapshot_threshold';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'snapshot_threshold';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: ThresholdCrossed | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** What the Ed25519 precompile of Solana checks. */
export interface SolanaAttestation {
  /** 136 bytes as base64, laid out as docs/proofs.md describes. */
  message: string;
  /** Ed25519 signature of the message, 64 bytes as base64. */
  signature: string;
  /** `kid` of the key. */
  key_id: string;
  /** The 32 bytes of that key, as base64. */
  public_key: string;
}

/** The message that any party may submit to a program. */
export interface SolanaRevocation {
  /** 88 bytes as base64, laid out as docs/proofs.md describes. */
  message: string;
  /** Ed25519 signature of the message, 64 bytes as base64. */
  signature: string;
  /** `kid` of the key. */
  key_id: string;
  /** The 32 bytes of that key, as base64. */
  public_key: string;
}

/** A class of requests that is sold one by one. */
export interface SoldRequest {
  /** `ratings`: GET /v1/rms/{asset}; `snapshots`: market, holders and pools of an asset. */
  class: 'ratings' | 'snapshots';
  /** Of one request, in whole tokens. */
  price: string;
  /** The same in units of the token, as it is signed. */
  amount: string;
  /** The plan under which a payer is served. */
  plan: string;
}

/** Which sources changed what they state, or are as usual again. */
export interface SourceDrift {
  /** `opened`: it drifts; `worsened`: more severe than in the last notification; `closed`: it is as usual again, or not read any more. */
  state: 'opened' | 'worsened' | 'closed';
  /** Sources that it is about. */
  sources: {
    /** Name of the source. */
    source: string;
    /** Where the newest drift was noticed first; null where it is of no single endpoint. */
    endpoint: string | null;
    /** What changed in the newest drift; null before the first. */
    changed: string | null;
    /** When the newest drift began; null before the first. RFC 3339, UTC. */
    noticed_at: string | null;
    /** What is not as usual at present; empty when the drift is over. */
    signals: string[];
    /** Weight of its values now; 1: the usual one. */
    weight: number;
  }[];
}

/** A source changed what it states, or is as usual again. */
export interface SourceDriftMessage {
  /** What the message is about. */
  type: 'alert.source_drift';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** The alert, as GET /v1/alerts shows it. */
  data: {
    /** Rises within the account, without gaps. */
    id: number;
    /** CAIP-19 id; null for `source_drift`, which is about a source. */
    asset_id: string | null;
    /** Of the asset, untrusted text; null when not known. */
    symbol: string | null;
    /** Of the asset, untrusted text; null when not known. */
    name: string | null;
    /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
    class: string | null;
    /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it. */
    trust_score: number | null;
    /** Name of the source that a `source_drift` is about; null for other kinds, and when it is about several. */
    source: string | null;
    /** Kind of the alert. */
    kind: 'source_drift';
    severity: Severity;
    /** What happened, in one line. */
    title: string;
    /** Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC. */
    rating_as_of: string | null;
    /** When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC. */
    created_at: string;
    /** Null in a message that was shortened. */
    details: SourceDrift | null;
    /** Texts were cut and `details` left out: the message would have been too large. */
    shortened?: true;
  };
}

/** What became of one source in this job. */
export interface SourceOutcome {
  /** Name of the public source. */
  name: string;
  /** What became of it: `ok`, `empty`, `not_found`, or why it stated nothing, such as `timeout` or `rate_limited`. */
  outcome: string;
  /** Time that its requests took. */
  milliseconds: number;
  /** Observations taken from its replies. */
  items_used: number;
  /** Requests sent to it. */
  asked: number;
  /** Requests that it replied to. */
  answered: number;
  /** What went wrong; null when nothing did. */
  detail: string | null;
}

/** A public source: reachable, its budget, whether it is as usual. */
export interface SourceStanding {
  /** Name of the source. */
  source: string;
  /** Display name. */
  title: string;
  /** It is on. */
  enabled: boolean;
  /** Why it is off; null when it is on. */
  reason: string | null;
  /** The last requests to it succeeded; null: none was sent, or it is off. */
  reachable: boolean | null;
  /** When it last replied; null: not yet. RFC 3339, UTC. */
  succeeded_at: string | null;
  /** Why its last requests failed; null when they did not, and while it is off. */
  failure: string | null;
  /** Median latency of its newest replies, milliseconds; null without any, and while it is off. */
  latency_ms: number | null;
  /** What is left of its request budget; null where none is kept. */
  budget: null | {
    /** Requests that it may be sent at once now. */
    left: number;
    /** The same, after a while without requests. */
    burst: number;
    /** Requests a minute, over all processes. */
    per_minute: number;
  };
  /** The last 24 hours with requests to it, oldest first. */
  hours: {
    /** Beginning of the hour. RFC 3339, UTC. */
    hour: string;
    /** Requests that succeeded. */
    answered: number;
    /** Requests that failed. */
    failed: number;
  }[];
  /** Of what it stated in collections, the share that consensus accepted, 0-1; older ones count half a day by day. Null: nothing yet. */
  accepted_share: number | null;
  /** What its reliability is multiplied with, 0-1; below 1 while it is not as usual. */
  weight: number;
  /** When known assets were read from it last; null: not yet. RFC 3339, UTC. */
  checked_at: string | null;
  /** Signals that are not as usual now. */
  drifting: string[];
  /** The newest change of what it states; null: none was noticed. */
  last_drift: null | {
    /** When it was noticed. RFC 3339, UTC. */
    at: string;
    /** Endpoint where it was noticed first; null where it is of no single one. */
    endpoint: string | null;
    /** What changed. */
    text: string;
  };
}

/** The reply to `output_format: standard`, which is the usual one. */
export interface StandardScore {
  /** The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on. */
  job_id: string;
  /** `type` as it was sent. */
  type: string;
  /** `project` as it was sent, or the name that `asset` was read as. */
  project: string;
  /** This rating was published. False: see `not_published_because`; what GET /v1/rms/{asset} shows is untouched. */
  published: boolean;
  /** Null when it was not published. */
  published_rating: RatingAsPublished | null;
  /** Empty when it is published. */
  not_published_because: {
    /** What is missing. */
    code: 'identity_below_floor' | 'evidence_below_floor' | 'weaker_than_standing' | 'partial_collection';
    /** The same as text. */
    detail: string;
  }[];
  /** The collection that served the request, or that continues where the caller did not wait for it; null where a published rating was fresh enough. */
  collection_id: string | null;
  data_mode: DataMode;
  /** The time that the rating applies to. RFC 3339, UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  /** With a tradable token, or before it. */
  stage: 'post_tge' | 'pre_tge';
  asset: IdentifiedAsset;
  rating: ScoreRating;
  trust_score: TrustScore;
  vfr: ValueFairness;
  /** How likely it fails within 30 days and within a year, beside the band; empty on ratings from before it was given. */
  failure_probability: FailureProbability[];
  /** Seconds from the start of the caller’s job to its result, whichever job collected the evidence. */
  execution_time_seconds: number;
  /** Conditions that hold. */
  risk_flags: ScoreFlag[];
  /** Ceilings on the score whose condition holds. */
  caps_applied: Cap[];
  /** What the project states about others, and whether they confirm it: a link counts only where it is `confirmed`. */
  ties: Tie[];
  /** Every source and what became of it; those left behind too. */
  sources: SourceOutcome[];
  /** Texts and links that sources’ terms require to be shown. */
  attributions: Attribution[];
  /** Version of the methodology it was made by (GET /v1/methodology/{version}). */
  methodology_version: string;
  /** What a reader should know: unknown fields of the request, its values that differ from what registries, chain and site state (and are not used), a rating that is older than the request. */
  warnings: string[];
  /** What the score is made of. */
  factors: ScoreFactor[];
}

/** The rank of a score among its peers. */
export interface Standing {
  /** Category the peers are of. */
  category: string;
  /** Share of the category’s rated assets that score lower, 0-100, ties by half; null below 5 peers. */
  category_percentile: number | null;
  /** Rated peers of the category. */
  category_peers: number;
  /** Decade of the market capitalisation, such as `1e6-1e7 USD`; null when not known. */
  size_group: string | null;
  /** The same among those of the category whose size is of the same decade. */
  size_percentile: number | null;
  /** Rated peers of the category and that size. */
  size_peers: number;
}

/** What an account used in a month, and what is due for it. */
export interface Statement {
  /** Whose statement it is (`acc_...`). */
  account_id: string;
  /** Calendar month, YYYY-MM in UTC. */
  month: string;
  /** False during the month, and for a day after: what is final is not changed any more. */
  final: boolean;
  /** US dollars, always. */
  currency: 'USD';
  /** A line for each plan that the account had a usable key of, or used. */
  lines: {
    /** Name of the plan. */
    plan: string;
    /** Display name of the plan. */
    title: string;
    /** Keys of the plan that could be used in the month. */
    keys: number;
    /** Of the whole month; null: not sold by itself. */
    price_usd: null | string;
    /** Owed for a broken service level. */
    credit_usd: string;
    /** Price less credit. */
    due_usd: string;
    /** All requests with a key of the account, refused and failed ones too. */
    requests: number;
    /** Of them, those that cost quota: not 304, 429 and 5xx. */
    billable: number;
    /** Replies with status 429. */
    refused: number;
    /** Replies with status 5xx. */
    errors: number;
    /** Of reply bodies, as sent (compressed). */
    bytes: number;
    /** Quota of the plan; null: none. */
    requests_per_day: number | null;
    /** Day with the most billable requests; null without any. */
    fullest_day: string | null;
    /** Billable requests of that day. */
    fullest_day_billable: number;
    /** The month compared with the plan’s promises; null: it promises none. */
    service_level: null | {
      /** Measured, percent of the month; null: nothing was, or no longer is. */
      availability_pct: number | null;
      /** Age of market data that 99 % of the assets kept in 99 % of the minutes, on the worst chain; null: not measured. */
      market_age_seconds: number | null;
      /** Of reads, within the service, milliseconds; null: nothing was measured. */
      latency_p99_ms: number | null;
      /** Promises the month has broken. */
      breaches: ('availability' | 'freshness' | 'latency')[];
      /** What the breaches give back, percent of the month’s price. */
      credit_pct: number;
    };
  }[];
  /** Of all lines. */
  totals: {
    /** All requests with a key of the account, refused and failed ones too. */
    requests: number;
    /** Of them, those that cost quota: not 304, 429 and 5xx. */
    billable: number;
    /** Replies with status 429. */
    refused: number;
    /** Replies with status 5xx. */
    errors: number;
    /** Of reply bodies, as sent (compressed). */
    bytes: number;
    /** Sum of the lines. */
    price_usd: string;
    /** Sum of the lines. */
    credit_usd: string;
    /** Price less credit. */
    due_usd: string;
  };
  /** When it was stated. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
}

/** A test requested by POST /v1/webhooks/{id}/test. */
export interface TestMessage {
  /** What the message is about. */
  type: 'webhook.test';
  /** When what it is about happened. RFC 3339, UTC. */
  timestamp: string;
  /** What was tested. */
  data: {
    /** The webhook that is tested. */
    webhook_id: string;
    /** That it is a test. */
    detail: string;
  };
}

/** A line that a figure may cross. */
export interface Threshold {
  /** A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`). */
  figure: string;
  /** `above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`. */
  condition: 'above' | 'below' | 'rises' | 'falls';
  /** In the unit of the figure; of `rises` and `falls` percent. */
  value: number;
  /** Of `rises` and `falls`; null for the others. */
  window_seconds: number | null;
  /** Percent of `value` that the figure goes back before it can cross again. */
  hysteresis_pct: number;
  severity: Severity;
  /** `waiting`: no snapshot had the figure yet; `armed`: the next crossing alerts; `crossed`: it is beyond the line and alerts again only after it went back. */
  state: 'waiting' | 'armed' | 'crossed';
}

/** Which threshold was crossed, and the figures of that moment. */
export interface ThresholdCrossed {
  /** A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`). */
  figure: string;
  /** `above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`. */
  condition: 'above' | 'below' | 'rises' | 'falls';
  /** In the unit of the figure; of `rises` and `falls` percent. */
  value: number;
  /** Of `rises` and `falls`; null for the others. */
  window_seconds: number | null;
  /** Percent of `value` that the figure goes back before it can cross again. */
  hysteresis_pct: number;
  /** The figure now. */
  reached: number;
  /** Of `rises` and `falls`: the reading that the change is counted from; else null. */
  from: number | null;
  /** When that was; null without it. */
  from_at: string | null;
  /** Change from it, percent; null without it. */
  change_pct: number | null;
  /** The snapshot that crossed the line. */
  snapshot: {
    /** Kind of the snapshot that crossed the line. */
    kind: 'market' | 'holders' | 'pools';
    /** When its facts were true. RFC 3339, UTC. */
    as_of: string;
    /** How old it was when the alert was made, seconds. */
    age_seconds: number;
    /** Path of this snapshot. */
    path: string;
    /** All figures of this kind of snapshot on which thresholds can be set. */
    figures: {
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      price_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      volume_24h_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      market_cap_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      liquidity_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      price_dispersion_pct?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      pools?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      pools_tvl_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      pools_volume_24h_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      depth_2_pct_down_usd?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      holder_count?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      top_1_pct?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      top_10_pct?: number | null;
      /** In the unit of the snapshot; null: not known; absent: of another kind. */
      adjusted_top_10_pct?: number | null;
    };
  };
}

/** The thresholds of an account on an asset. */
export interface ThresholdEntry {
  /** CAIP-19 id. */
  asset: string;
  /** Our name of the chain (GET /v1/chains); null without a token. */
  chain: string | null;
  /** When the first thresholds of the asset were set. RFC 3339, UTC. */
  added_at: string;
  /** The account’s own; null without one. */
  note: string | null;
  /** In the order they were given in. */
  thresholds: Threshold[];
}

/** A statement of the project about somebody else, with the state of its other end. */
export interface Tie {
  /** What the project states. */
  kind: 'repository' | 'audit' | 'governance' | 'person' | 'bounty';
  /** Its subject: a repository, an audit firm, a voting space, a profile. Untrusted text. */
  subject: string;
  /** `confirmed`: the other end names the project; `linked`: linked by the project, not confirmed; `claimed`: stated without a link to another party. Only what is confirmed counts. */
  state: 'confirmed' | 'linked' | 'claimed';
  /** What was found at the other end. */
  by: string;
  /** Where it leads; null without a link. */
  link: string | null;
  /** Keys of the `quantities` it rests on: `quantity@scope`. */
  observations: string[];
}

/** What became of everything that was ever published here. */
export interface TrackRecord {
  /** When it was computed; what was published until then is in it. RFC 3339, UTC. */
  as_of: string;
  /** Whose default tests, horizons and targets it uses. */
  methodology_version: string;
  /** Assets ever rated. */
  assets: number;
  /** Ratings ever published. */
  ratings: number;
  /** Defaults among them. */
  defaults: number;
  /** No rating of theirs failed. */
  first_rated_in_default: number;
  /** What became of them, one entry per horizon. */
  horizons: {
    /** Length of the horizon. */
    days: number;
    /** One row per band. */
    bands: {
      band: Band;
      /** Members whose horizon is over: per asset and UTC month, its first rating of the month. */
      rated: number;
      /** Different assets among them. */
      assets: number;
      /** Defaulted within the horizon (methodology 4.4). */
      failed: number;
      /** Without a failure, but withdrawn within the horizon; they stay in `rated`. */
      withdrawn: number;
      /** Not rated any more at the end: their outcome is not known. */
      unfollowed: number;
      /** Members whose horizon is not over: in no rate yet. */
      young: number;
      /** Failures among those that were followed. */
      rate: number | null;
      /** Jeffreys, 95 %; each asset counts once. */
      interval: number[] | null;
      /** The methodology’s target, for 365 days. */
      target: number | null;
      /** Range of failures within 365 days that the band is meant for; null for other horizons. */
      target_range: number[] | null;
      /** Of them, those that defaulted already. */
      young_failed: number;
    }[];
    /** From band to band at the horizon’s end; D once defaulted, NR when withdrawn or lapsed. */
    transitions: {
      [name: string]: {
        [name: string]: number;
      };
    };
    /** 1: every failure was rated below every survivor; 0: no better than chance. */
    accuracy_ratio: number | null;
    /** Why there is no accuracy ratio; null when there is one. */
    accuracy_reason: string | null;
  }[];
  /** Defaults of what was rated well in the year before; the newest hundred. */
  misses: Miss[];
  /** All of them: GET /v1/track-record/misses. */
  misses_total: number;
  data_mode: DataMode;
  /** Over the canonical JSON (RFC 8785) of the reply without this member. */
  signature: Signature;
}

/** Trust in the evidence, apart from the rating. */
export interface TrustScore {
  /** How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust). */
  score: number;
  /** The tier of the trust. */
  tier: 'high' | 'adequate' | 'limited' | 'weak' | 'insufficient';
  /** What it is made of. */
  components: {
    /** How much of what matters is known (methodology, Trust). 0-1. */
    coverage: number;
    /** How far the sources agree (methodology, Trust). 0-1. */
    agreement: number;
    /** Number of independent origins (methodology, Trust). 0-1. */
    independence: number;
    /** How new the facts are (methodology, Trust). 0-1. */
    freshness: number;
    /** How surely all of it is about this asset (methodology, Trust). 0-1. */
    identity: number;
  };
}

/** A member of an EIP-712 type. */
export interface TypedField {
  /** Name of the member. */
  name: string;
  /** Its type in Solidity. */
  type: string;
}

/** What an account has used. */
export interface Usage {
  /** Whose usage it is (`acc_...`). */
  account_id: string;
  /** First day, YYYY-MM-DD in UTC. */
  from: string;
  /** Last day, included, YYYY-MM-DD in UTC. */
  to: string;
  /** What a row adds up: `day`, `key`, `endpoint_group` or `plan`. */
  group_by: string;
  /** One row per group that was used. */
  data: {
    /** When grouped by day; days without requests have no row. */
    day?: string;
    /** When grouped by key. */
    key_id?: string;
    /** When grouped by endpoint group: score, jobs, rms, chain, exports, alerts, watchlist, webhooks, usage, admin or other. */
    endpoint_group?: string;
    /** When grouped by plan. */
    plan?: string;
    /** All requests with a key of the account, refused and failed ones too. */
    requests: number;
    /** Of them, those that cost quota: not 304, 429 and 5xx. */
    billable: number;
    /** Replies with status 429. */
    refused: number;
    /** Replies with status 5xx. */
    errors: number;
    /** Of reply bodies, as sent (compressed). */
    bytes: number;
  }[];
  /** Of all rows. */
  totals: {
    /** All requests with a key of the account, refused and failed ones too. */
    requests: number;
    /** Of them, those that cost quota: not 304, 429 and 5xx. */
    billable: number;
    /** Replies with status 429. */
    refused: number;
    /** Replies with status 5xx. */
    errors: number;
    /** Of reply bodies, as sent (compressed). */
    bytes: number;
  };
  /** Always null: the list is whole. */
  next_cursor: null;
  /** When it was read; requests of the last second may not be counted yet. RFC 3339, UTC. */
  as_of: string;
  data_mode: DataMode;
}

/** Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score. */
export interface ValueFairness {
  /** Market value over fair value: 1 is what peers are worth; null when no fair value can be computed reliably. */
  value: number | null;
  zone: VfrZone;
  /** Low and high end, 80 %; null without a value. */
  interval: [number, number] | null;
  /** What it is compared with: its redemption value (`peg`), peers by `multiples`, also by a regression, or funding `rounds`; `none`: there is no ratio. */
  method: 'peg' | 'multiples' | 'multiples_and_regression' | 'rounds' | 'none';
  /** Assets it was compared with. */
  peers: number;
  /** Why there is no value; null when there is one. */
  reason: string | null;
  /** ln of the value over its standard deviation: the zones are cut by it. */
  z: number | null;
  /** What the value divides, US dollars; null where a unit is compared (peg). */
  fair_value_usd: number | null;
  /** The same fair value under price x circulating supply, unlocks to come left out. */
  circulating: number | null;
  /** The same fair value under price x all that will ever exist. */
  fully_diluted: number | null;
  /** Short histories, estimates: what to know of this value. */
  notes: string[];
}

/** One estimate of the fair value. */
export interface VfrDriver {
  /** `multiple` or `regression`. */
  estimator: string;
  /** What a multiple divides by; null for the regression, which uses several. */
  quantity: string | null;
  /** The driver as it was used; null where it may not be passed on. */
  value: number | null;
  /** Days of our own readings that the value is the median of. */
  days: number;
  /** Peers that have the driver. */
  peers: number;
  /** Fair value by this estimate alone, US dollars. */
  fair_value_usd: number;
  /** Standard deviation of its logarithm. */
  sd: number;
  /** Its part of the fair value; all add up to 1. 0-1. */
  weight: number;
}

/** Where the value-fairness ratio lies, in units of its own error (docs/vfr.md); INDETERMINATE when there is no ratio. */
export type VfrZone = 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';

/** An observation: what one source states of a quantity, and whether consensus accepted it. */
export interface Voice {
  /** Source that stated it. */
  source: string;
  /** Endpoint of the source that stated it. */
  endpoint: string;
  /** Lineage group, the origin of the number: of the sources of a group one observation counts. */
  family: string;
  /** How near the source is to the origin of the value; `chain` is nearest. */
  tier: 'chain' | 'venue' | 'aggregator' | 'registry' | 'self_reported';
  /** Value that it stated, in the unit of the quantity; null when `withheld`. */
  value: unknown;
  /** The source’s terms forbid passing its values on; it counts all the same. */
  withheld: boolean;
  /** What the number means at this source, in short. */
  meaning: string;
  /** When it was true, by the source. RFC 3339, UTC. */
  observed_at: string;
  /** Its vote: reliability x freshness x how surely it is this asset. */
  weight: number;
  /** Distance from the consensus in robust standard deviations; null for states and facts. */
  z: number | null;
  /** Power of ten that it is off by, when that is why it does not count. */
  unit_power: number | null;
  /** It counted. */
  accepted: boolean;
  /** Why it did not count, such as `outlier`, `unit_mismatch` or `too_old`; null when it did. */
  reason: string | null;
  /** Id of the archived reply, in `evidence`. */
  evidence: string;
}

/** An event that may move the band is pending. */
export interface Watch {
  /** Which way the band may go. */
  direction: 'positive' | 'negative' | 'developing';
  /** A word, such as `unlock_pending`, `source_conflict` or `evidence`. */
  reason: string;
  /** What is pending. */
  detail: string;
  /** When it began. RFC 3339, UTC. */
  since: string;
  /** By then it is resolved or renewed. RFC 3339, UTC. */
  deadline: string;
}

/** An address of the account’s that alerts are sent to. */
export interface Webhook {
  /** Id of the webhook (`wh_...`). */
  id: string;
  /** Where messages are sent. In the formats of chat services the url is the secret: only its origin is shown, followed by `/***`. */
  url: string;
  /** Shape of the messages. */
  format: 'assay' | 'slack' | 'discord' | 'telegram';
  /** Chat of Telegram that messages go to; null in other formats. */
  chat_id: string | null;
  /** Your own note. */
  description: string | null;
  /** Kinds of alerts it is sent. */
  kinds: ('score_change' | 'risk_flag_change' | 'band_transition' | 'source_drift' | 'peg_stress' | 'correction' | 'snapshot_threshold')[];
  /** False: nothing is sent. */
  enabled: boolean;
  /** `gone` (it replied 410), `failing` (no delivery succeeded for 5 days), `by_request`; null while it is on. */
  disabled_reason: string | null;
  /** When it was made. RFC 3339, UTC. */
  created_at: string;
  /** Until then messages carry a signature by the secret before as well; null without one. RFC 3339, UTC. */
  previous_secret_until: string | null;
  /** Health of the endpoint. */
  health: {
    /** Failed attempts since the last success. */
    consecutive_failures: number;
    /** Time of the first failure since the last success; null while it is well. RFC 3339, UTC. */
    failing_since: string | null;
    /** Last attempt with a 2xx reply; null before the first. RFC 3339, UTC. */
    last_success_at: string | null;
    /** Last attempt that was not; null before the first. RFC 3339, UTC. */
    last_failure_at: string | null;
    /** What went wrong then; never the reply of the endpoint. */
    last_failure: string | null;
  };
  data_mode: DataMode;
}

/** An asset that the account watches. */
export interface WhitelistEntry {
  /** CAIP-19 id. */
  asset: string;
  /** As the newest rating has it, untrusted text; null when not known. */
  symbol: string | null;
  /** As the newest rating has it, untrusted text; null when not known. */
  name: string | null;
  /** Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings. */
  class: string | null;
  /** When it was added. RFC 3339, UTC. */
  added_at: string;
  /** The account’s own; null without one. */
  note: string | null;
  /** `alerting`: some alert is not acknowledged. */
  alert_status: 'ok' | 'alerting';
  /** Time of the newest alert; null when there was none. RFC 3339, UTC. */
  last_alert: string | null;
  /** Alerts that are not acknowledged. */
  open_alerts: number;
  /** Newest score, 0-100; null when not rated. */
  score: number | null;
  /** Newest band; null when it was never rated. */
  band: string | null;
  /** Time of the newest rating; null when it was never rated. RFC 3339, UTC. */
  as_of: string | null;
  /** The request that has it rated; null once it is. */
  how_to_rate: {
    /** HTTP method. */
    method: string;
    /** Path of the request. */
    path: string;
    /** JSON body of the request. */
    body: unknown;
  } | null;
  /** When it alerts. */
  thresholds: {
    /** Points since the last score alert from which on one is made. */
    min_score_change: number;
    /** Flags of these severities alert. */
    flag_severities: ('info' | 'low' | 'medium' | 'high' | 'critical')[];
    /** Transitions into or out of these alert; null: all do. D and NR always do. */
    bands: ('AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR')[] | null;
  };
}
