// Made from /openapi.json by `npm run client:types`; a test fails when it is stale.

/** What each operation takes and answers, by method and path. */
export interface Operations {
  /** Revoke a key at once */
  'DELETE /v1/admin/keys/{id}': {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: undefined;
  };
  /** Cancel a job */
  'DELETE /v1/jobs/{id}': {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      job_id: string;
      state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
      type: string;
      project: string;
      project_url: string;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      attempts: number;
      data_mode: string;
      result: unknown;
      error: unknown;
    };
  };
  /** Watch an asset no longer; its alerts stay */
  'DELETE /v1/rms/whitelist/{asset}': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
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
  /** Index an asset no longer; its snapshots stay */
  'DELETE /v1/{chain}/index/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
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
      keys: {
        kid: string;
        kty: 'OKP';
        crv: 'Ed25519';
        /** The public key, 32 bytes in base64url */
        x: string;
        use: 'sig';
        created_at: string;
        retired_at: string | null;
      }[];
      data_mode: string;
    };
  };
  /** The process is alive */
  'GET /healthz': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      status: 'ok';
      version: string;
      data_mode: string;
    };
  };
  /** The service can take work */
  'GET /readyz': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      status: 'ready';
      checks: {
        [name: string]: boolean;
      };
      data_mode: string;
    };
  };
  /** Disputes of all accounts, newest first */
  'GET /v1/admin/disputes': {
    path: undefined;
    query: {
      /** One of received, accepted, rejected, restated. */
      state?: 'received' | 'accepted' | 'rejected' | 'restated';
      /** A whole number from 1 to 200; default 50. */
      limit?: number;
      /** next_cursor of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: {
        id: string;
        state: 'received' | 'accepted' | 'rejected' | 'restated';
        asset_id: string;
        /** The rating it is about. */
        rating: {
          job_id: string;
          as_of: string;
          band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
          /** Null when not rated. */
          score: number | null;
        } | null;
        received_at: string;
        claim: string;
        /** As it was given; seen by the account and the operator alone. */
        contact: string | null;
        /** What the operator found, in words. */
        resolution: string | null;
        /** When. */
        resolved_at: string | null;
        /** The correction it led to, see GET /v1/restatements. */
        restatement_id: number | null;
        /** Who disputes. */
        account_id: string | null;
      }[];
      next_cursor: string | null;
      data_mode: string;
    };
  };
  /** List keys */
  'GET /v1/admin/keys': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      data: {
        id: string;
        /** Whose watchlist, alerts, webhooks and usage the key reaches */
        account_id: string;
        name: string;
        prefix: string;
        scopes: string[];
        plan: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        last_used_at: string | null;
        allowed_ips: string[];
        rotated_from: string | null;
      }[];
      next_cursor: null;
    };
  };
  /** Alerts of the account, newest first */
  'GET /v1/alerts': {
    path: undefined;
    query: {
      kind?: 'score_change' | 'risk_flag_change' | 'band_transition';
      /** CAIP-19 id, `chain:address`, address, or symbol of a rated asset. */
      asset?: string;
      acknowledged?: 'true' | 'false';
      /** RFC 3339 time, included. */
      since?: string;
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: Alert[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Alerts as server-sent events */
  'GET /v1/alerts/stream': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: string;
  };
  /** The chains served, and the plans that include them */
  'GET /v1/chains': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      data: {
        /** The name used in paths. */
        chain: string;
        title: string;
        kind: 'solana' | 'evm';
        /** CAIP-2 id. */
        caip2: string;
        native_symbol: string;
        /** Plans that include the chain. */
        included_in: string[];
      }[];
      next_cursor: null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Disputes of the account, newest first */
  'GET /v1/disputes': {
    path: undefined;
    query: {
      /** One of received, accepted, rejected, restated. */
      state?: 'received' | 'accepted' | 'rejected' | 'restated';
      /** A whole number from 1 to 200; default 50. */
      limit?: number;
      /** next_cursor of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: {
        id: string;
        state: 'received' | 'accepted' | 'rejected' | 'restated';
        asset_id: string;
        /** The rating it is about. */
        rating: {
          job_id: string;
          as_of: string;
          band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
          /** Null when not rated. */
          score: number | null;
        } | null;
        received_at: string;
        claim: string;
        /** As it was given; seen by the account and the operator alone. */
        contact: string | null;
        /** What the operator found, in words. */
        resolution: string | null;
        /** When. */
        resolved_at: string | null;
        /** The correction it led to, see GET /v1/restatements. */
        restatement_id: number | null;
      }[];
      next_cursor: string | null;
      data_mode: string;
    };
  };
  /** One dispute of the account */
  'GET /v1/disputes/{id}': {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: Dispute;
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
    reply: {
      data: {
        date: string;
        /** 1, and one more with each restatement; without it: 1. */
        revision?: number;
        rows: number;
        published_at: string;
        files: {
          format: string;
          encoding: string;
          name: string;
          bytes: number;
          /** Hex, of the bytes of this file. */
          sha256: string;
        }[];
        /** Set on a corrected day; the older set stays readable by `?revision=`. */
        restates: null | {
          /** Of the JSON file (encoding identity) that this set stands in for. */
          sha256: string;
          reason: string;
        };
        /** Over the canonical JSON (RFC 8785) of the entry without this member. */
        signature: {
          algorithm: 'Ed25519';
          key_id: string;
          value: string;
        };
      }[];
      next_cursor: null;
      data_mode: string;
    };
  };
  /** State and result of a job */
  'GET /v1/jobs/{id}': {
    path: {
      id: string;
    };
    query: {
      output_format?: 'minimal' | 'standard' | 'full';
    } | undefined;
    body: undefined;
    reply: {
      job_id: string;
      state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
      type: string;
      project: string;
      project_url: string;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      attempts: number;
      data_mode: string;
      result: unknown;
      error: unknown;
    };
  };
  /** Progress as server-sent events */
  'GET /v1/jobs/{id}/events': {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: string;
  };
  /** The archived evidence of a job */
  'GET /v1/jobs/{id}/evidence': {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** The methodology in force, as data */
  'GET /v1/methodology': {
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
      data: {
        id: string;
        version: string;
        date: string;
        /** MAJOR: weights, cut-offs, caps, definition of default; MINOR: features, anchors, sources; PATCH: a mistake put right. */
        kind: 'MAJOR' | 'MINOR' | 'PATCH';
        reason: string;
        /** What it did to ratings. */
        effect: string;
        in_force: boolean;
        /** SHA-256 of the canonical JSON of the version: `methodology_hash` of its ratings. */
        hash: string;
        /** Where the version is read. */
        href: string;
      }[];
      next_cursor: null;
      data_mode: string;
    };
  };
  /** A version of the methodology, as it was */
  'GET /v1/methodology/{version}': {
    path: {
      version: string;
    };
    query: undefined;
    body: undefined;
    reply: unknown;
  };
  /** The plans, their limits and prices */
  'GET /v1/plans': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      data: {
        name: string;
        title: string;
        description: string;
        /** US dollars; null: not sold by itself. */
        price_usd_per_month: number | null;
        /** What its keys may do; `*`: everything. */
        scopes: '*' | string[];
        /** Chains whose data it includes; `*`: all. */
        chains: '*' | string[];
        /** Snapshots served are the newest at or before the last full multiple of so many seconds; 0: the newest. */
        freshness_grid_seconds: number;
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
        /** Most assets on an account’s watchlist. */
        watchlist_size: number;
        /** Most webhooks of an account. */
        webhooks: number;
        /** Most event streams open at once, per account. */
        stream_connections: number;
        /** Exports it includes; `*`: all. */
        exports: '*' | string[];
        sla: null | {
          availability_pct: number;
          market_age_seconds: number;
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
      }[];
      next_cursor: null;
      data_mode: string;
    };
  };
  /** What was corrected, newest first */
  'GET /v1/restatements': {
    path: undefined;
    query: {
      /** A whole number from 1 to 200; default 50. */
      limit?: number;
      /** next_cursor of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: {
        id: number;
        /** `rms` or a chain: a day of its export; `rating`: one rating. */
        subject: string;
        /** The corrected day. */
        date: string | null;
        /** Revision that holds the corrected rows; the ones before stay readable. */
        revision: number | null;
        /** The corrected asset. */
        asset_id: string | null;
        made_at: string;
        reason: string;
        /** What was changed: counts and rows of a day; a rating before and after. */
        detail: {
          [name: string]: unknown;
        };
      }[];
      next_cursor: string | null;
      data_mode: string;
    };
  };
  /** All rated assets */
  'GET /v1/rms': {
    path: undefined;
    query: {
      /** Name of a chain. */
      chain?: string;
      /** Bands, separated by commas. */
      band?: string;
      /** Category of the methodology. */
      category?: string;
      /** Code of a raised flag. */
      flag?: string;
      /** A number from 0 to 100. */
      min_trust?: number;
      /** Usual: -score. What has no value comes last. */
      sort?: 'score' | '-score' | 'trust' | '-trust' | 'as_of' | '-as_of' | 'symbol' | '-symbol';
      /** A whole number from 1 to 500; usual 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: RatingRecord[];
      /** Ask with it for the next page; null on the last. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Rating actions of all assets */
  'GET /v1/rms/actions': {
    path: undefined;
    query: {
      /** A whole number from 1 to 500; usual 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: RatingRecord[];
      /** Ask with it for the next page; null on the last. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
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
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
      as_of?: string;
      /** Version of the methodology: the newest rating made with it. */
      methodology?: string;
      /** `true`: rates the asset again now, within a quota of its own (GET /v1/plans). `Prefer: wait=N` says how long to wait for it. */
      fresh?: 'true' | 'false';
      /** `digest`: the short form for programs with little room. */
      format?: 'full' | 'digest';
      /** `digest`: the short form for programs with little room. */
      view?: 'full' | 'digest';
    } | undefined;
    body: undefined;
    reply: Rating | RatingDigest | {
      job_id: string;
      state: string;
      location: string;
      data_mode: string;
    };
  };
  /** Rating actions of an asset */
  'GET /v1/rms/{asset}/actions': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339; usual: the beginning. */
      from?: string;
      /** RFC 3339; usual: now. */
      to?: string;
      /** A whole number from 1 to 500; usual 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: RatingRecord[];
      /** Ask with it for the next page; null on the last. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** What a rating is made of */
  'GET /v1/rms/{asset}/breakdown': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
      as_of?: string;
      /** Version of the methodology: the newest rating made with it. */
      methodology?: string;
    } | undefined;
    body: undefined;
    reply: Breakdown;
  };
  /** The largest holders, put together by who first paid them */
  'GET /v1/rms/{asset}/clusters': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: HolderClusters | {
      state: 'searching';
      started_at: string;
      detail: string;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Who emptied an asset’s pools, and where the money went */
  'GET /v1/rms/{asset}/forensics': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: Forensics | {
      state: 'searching';
      started_at: string;
      detail: string;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Ratings of an asset over time */
  'GET /v1/rms/{asset}/history': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: {
      /** RFC 3339; usual: 30 days before `to`. */
      from?: string;
      /** RFC 3339; usual: now. */
      to?: string;
      /** The newest rating of each interval; `all`: every rating. Usual: 1d. */
      interval?: 'all' | '1h' | '4h' | '1d' | '7d';
      /** A whole number from 1 to 500; usual 100. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: RatingRecord[];
      /** Ask with it for the next page; null on the last. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
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
    reply: {
      data: {
        date: string;
        /** 1, and one more with each restatement; without it: 1. */
        revision?: number;
        rows: number;
        published_at: string;
        files: {
          format: string;
          encoding: string;
          name: string;
          bytes: number;
          /** Hex, of the bytes of this file. */
          sha256: string;
        }[];
        /** Set on a corrected day; the older set stays readable by `?revision=`. */
        restates: null | {
          /** Of the JSON file (encoding identity) that this set stands in for. */
          sha256: string;
          reason: string;
        };
        /** Over the canonical JSON (RFC 8785) of the entry without this member. */
        signature: {
          algorithm: 'Ed25519';
          key_id: string;
          value: string;
        };
      }[];
      next_cursor: null;
      data_mode: string;
    };
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
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: MarketSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion */
  'GET /v1/solana/market/{asset}/snapshot': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
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
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: HoldersSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels */
  'GET /v1/solana/{asset}/holders/snapshot': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
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
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: PoolsSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage */
  'GET /v1/solana/{asset}/liquidity/pools': {
    path: {
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
      as_of?: string;
      /** `all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL. */
      scope?: 'all' | 'verified' | 'top';
      /** plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out. */
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
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: PoolsSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** How fresh the chain data is, and the service level as the service measures it */
  'GET /v1/status': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      status: 'ok' | 'lagging' | 'unknown';
      data_mode: 'live' | 'sandbox';
      version: string;
      as_of: string;
      chains: {
        chain: string;
        /** Newest day that is closed for export, UTC; null before the first. */
        last_closed_day: string | null;
        snapshots: {
          kind: 'market' | 'holders' | 'pools';
          indexed_assets: number;
          /** Assets whose time has come and nobody has begun. */
          due: number;
          running: number;
          /** Assets whose last run gave no snapshot. */
          failing: number;
          /** Seconds behind the plan, median over the assets; 0 in time. */
          late_seconds_p50: number;
          /** The same, 99th percentile. */
          late_seconds_p99: number;
          /** When the newest snapshot was stored; null before the first. */
          last_stored_at: string | null;
          /** How long ago that was. */
          last_stored_age_seconds: number | null;
        }[];
      }[];
      /** Null: this service does not measure itself. */
      service_level: ServiceLevel | null;
    };
  };
  /** What became of rated assets */
  'GET /v1/track-record': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** When it was computed; what was published until then is in it. */
      as_of: string;
      /** Whose default tests, horizons and targets it uses. */
      methodology_version: string;
      assets: number;
      ratings: number;
      defaults: number;
      /** No rating of theirs failed. */
      first_rated_in_default: number;
      horizons: {
        days: number;
        bands: {
          band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
          /** Members whose horizon is over: per asset and UTC month, its first rating of the month. */
          rated: number;
          /** Different assets among them. */
          assets: number;
          /** Defaulted within the horizon (methodology 4.4). */
          failed: number;
          withdrawn: number;
          /** Nobody rated them any more at the end: what became of them is not known. */
          unfollowed: number;
          /** Failures among those that were followed. */
          rate: number | null;
          /** Jeffreys, 95 %; each asset counts once. */
          interval: number[] | null;
          /** The methodology’s target, for 365 days. */
          target: number | null;
          /** Members whose horizon is not over: in no rate yet. */
          young: number;
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
        /** Why there is no accuracy ratio. */
        accuracy_reason: string | null;
      }[];
      /** Defaults of what was rated well in the year before; the newest hundred. */
      misses: {
        asset_id: string;
        /** Text of strangers. */
        symbol: string | null;
        band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
        /** When it held that band last. */
        band_as_of: string;
        band_before: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
        defaulted_at: string;
      }[];
      /** All of them: GET /v1/track-record/misses. */
      misses_total: number;
      data_mode: string;
      /** Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing` and `age_seconds` (docs/ratings.md). */
      signature: Signature;
    };
  };
  /** Defaults of what was rated well in the year before, newest first */
  'GET /v1/track-record/misses': {
    path: undefined;
    query: {
      /** A whole number from 1 to 200; default 50. */
      limit?: number;
      /** next_cursor of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      data: {
        asset_id: string;
        /** Text of strangers. */
        symbol: string | null;
        band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
        /** When it held that band last. */
        band_as_of: string;
        band_before: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
        defaulted_at: string;
      }[];
      next_cursor: string | null;
      as_of: string;
      data_mode: string;
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
      /** What a row adds up. */
      group_by?: 'day' | 'key' | 'endpoint_group' | 'plan';
      /** Another account, for keys with the scope admin (acc_...). */
      account?: string;
    } | undefined;
    body: undefined;
    reply: {
      account_id: string;
      from: string;
      to: string;
      group_by: string;
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
        /** Answered 429. */
        refused: number;
        /** Answered 5xx. */
        errors: number;
        /** Of reply bodies, as sent (compressed). */
        bytes: number;
      }[];
      totals: {
        /** All requests with a key of the account, refused and failed ones too. */
        requests: number;
        /** Of them, those that cost quota: not 304, 429 and 5xx. */
        billable: number;
        /** Answered 429. */
        refused: number;
        /** Answered 5xx. */
        errors: number;
        /** Of reply bodies, as sent (compressed). */
        bytes: number;
      };
      next_cursor: null;
      /** Requests of the last second may not be counted yet. */
      as_of: string;
      data_mode: string;
    };
  };
  /** The account’s statement of a month */
  'GET /v1/usage/statement': {
    path: undefined;
    query: {
      /** YYYY-MM (UTC), a calendar month; the present one when not given. */
      month?: string;
      /** Form of the statement. */
      format?: 'json' | 'csv';
      /** Another account, for keys with the scope admin (acc_...). */
      account?: string;
    } | undefined;
    body: undefined;
    reply: string;
  };
  /** List webhooks */
  'GET /v1/webhooks': {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: Webhook[];
      next_cursor: null;
      data_mode: 'live' | 'sandbox';
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
      state?: 'pending' | 'delivered' | 'failed' | 'folded';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Newest first. */
      data: Delivery[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** All chain aggregates of a day */
  'GET /v1/{chain}/exports/daily': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
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
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
    };
    query: undefined;
    body: undefined;
    reply: {
      data: {
        date: string;
        /** 1, and one more with each restatement; without it: 1. */
        revision?: number;
        rows: number;
        published_at: string;
        files: {
          format: string;
          encoding: string;
          name: string;
          bytes: number;
          /** Hex, of the bytes of this file. */
          sha256: string;
        }[];
        /** Set on a corrected day; the older set stays readable by `?revision=`. */
        restates: null | {
          /** Of the JSON file (encoding identity) that this set stands in for. */
          sha256: string;
          reason: string;
        };
        /** Over the canonical JSON (RFC 8785) of the entry without this member. */
        signature: {
          algorithm: 'Ed25519';
          key_id: string;
          value: string;
        };
      }[];
      next_cursor: null;
      data_mode: string;
    };
  };
  /** List the indexed assets of a chain */
  'GET /v1/{chain}/index': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
    };
    query: undefined;
    body: undefined;
    reply: {
      data: IndexedAsset[];
      next_cursor: null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** One indexed asset */
  'GET /v1/{chain}/index/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      asset: Asset;
      kinds: ('market' | 'holders' | 'pools')[];
      cadence: 'hourly' | 'five_minutes' | 'newest';
      /** configuration, api, cli, rated or watched. */
      added_by: string;
      added_at: string;
      /** When the wish ends; null: until it is removed. */
      wanted_until: string | null;
      paused: boolean;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** History of market snapshots */
  'GET /v1/{chain}/market/{asset}/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: MarketSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion */
  'GET /v1/{chain}/market/{asset}/snapshot': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
      as_of?: string;
    } | undefined;
    body: undefined;
    reply: MarketSnapshot;
  };
  /** History of holders snapshots */
  'GET /v1/{chain}/{asset}/holders/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: HoldersSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels */
  'GET /v1/{chain}/{asset}/holders/snapshot': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
      as_of?: string;
    } | undefined;
    body: undefined;
    reply: HoldersSnapshot;
  };
  /** History of pools snapshots */
  'GET /v1/{chain}/{asset}/liquidity/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: PoolsSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage */
  'GET /v1/{chain}/{asset}/liquidity/pools': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** RFC 3339 time, not in the future: answers with what was known then. */
      as_of?: string;
      /** `all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL. */
      scope?: 'all' | 'verified' | 'top';
      /** plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out. */
      min_tvl_usd?: number;
    } | undefined;
    body: undefined;
    reply: PoolsSnapshot;
  };
  /** History of pools snapshots */
  'GET /v1/{chain}/{asset}/liquidity/pools/history': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: {
      /** First time, RFC 3339; default a day before `to`. */
      from?: string;
      /** Last time, RFC 3339; default now. */
      to?: string;
      /** The newest snapshot of each interval (UTC), or `all` of them. */
      interval?: 'all' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
      /** whole number from 1 to 500. */
      limit?: number;
      /** `next_cursor` of the page before. */
      cursor?: string;
    } | undefined;
    body: undefined;
    reply: {
      /** Oldest first. */
      data: PoolsSnapshot[];
      /** Ask again with `cursor` set to this; null on the last page. */
      next_cursor: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Accept, reject or end a dispute, with words */
  'POST /v1/admin/disputes/{id}/resolve': {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      /** accepted: it will be restated; restated: it was. */
      state: 'accepted' | 'rejected' | 'restated';
      /** What was found, in words the account reads. */
      resolution: string;
      /** Needed for restated. */
      restatement_id?: number;
    };
    reply: Dispute;
  };
  /** Create a key */
  'POST /v1/admin/keys': {
    path: undefined;
    query: undefined;
    body: {
      name: string;
      scopes: ('score' | 'rms:read' | 'rms:write' | 'chain:read' | 'admin')[];
      plan?: string;
      /** Share the account of another key; without it the key gets its own */
      account_id?: string;
      expires_at?: string;
      allowed_ips?: string[];
    };
    reply: {
      id: string;
      /** Whose watchlist, alerts, webhooks and usage the key reaches */
      account_id: string;
      name: string;
      prefix: string;
      scopes: string[];
      plan: string;
      created_at: string;
      expires_at: string | null;
      revoked_at: string | null;
      last_used_at: string | null;
      allowed_ips: string[];
      rotated_from: string | null;
      /** The key itself. It is shown once. */
      secret: string;
    };
  };
  /** Replace a key; the old one works during the overlap */
  'POST /v1/admin/keys/{id}/rotate': {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      overlap_seconds?: number;
    };
    reply: {
      id: string;
      /** Whose watchlist, alerts, webhooks and usage the key reaches */
      account_id: string;
      name: string;
      prefix: string;
      scopes: string[];
      plan: string;
      created_at: string;
      expires_at: string | null;
      revoked_at: string | null;
      last_used_at: string | null;
      allowed_ips: string[];
      rotated_from: string | null;
      /** The key itself. It is shown once. */
      secret: string;
    };
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
      /** CAIP-19 id. */
      asset_id: string;
      /** Of the asset. */
      symbol: string | null;
      /** Of the asset. */
      name: string | null;
      kind: 'score_change' | 'risk_flag_change' | 'band_transition';
      severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
      title: string;
      /** By kind: from, to and change; flags raised, cleared and changed; bands. */
      details: unknown;
      /** Time of the rating that caused it, RFC 3339 UTC. */
      rating_as_of: string;
      created_at: string;
      /** When it was first acknowledged; null while it is open. */
      acknowledged_at: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Say what is wrong about a rating */
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
      /** Where questions may be sent. Never shown in public. */
      contact?: string;
    };
    reply: Dispute;
  };
  /** The ratings of many assets */
  'POST /v1/rms/batch': {
    path: undefined;
    query: undefined;
    body: {
      /** Named as in the path of GET /v1/rms/{asset}; as many as the plan’s batch size (GET /v1/plans). */
      assets: string[];
    };
    reply: (Rating | {
      /** The asset as it was asked for. */
      requested: string;
      error: {
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
      /** posttge or pretge, in any case; echoed as sent. */
      type: string;
      /** Project name. */
      project: string;
      /** Project web address, http or https, on a public host. */
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
    };
    reply: StandardScore | MinimalScore | FullScore | {
      job_id: string;
      state: string;
      location: string;
      data_mode: string;
    };
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
      /** Kinds of alerts it is sent; all of them by default. */
      kinds?: ('score_change' | 'risk_flag_change' | 'band_transition')[];
    };
    reply: {
      id: string;
      url: string;
      /** Your own note. */
      description: string | null;
      kinds: ('score_change' | 'risk_flag_change' | 'band_transition')[];
      enabled: boolean;
      /** `gone` (it answered 410), `failing` (nothing came through for 5 days), `by_request`. */
      disabled_reason: string | null;
      created_at: string;
      /** Until then messages carry a signature by the secret before as well. */
      previous_secret_until: string | null;
      health: {
        consecutive_failures: number;
        /** Time of the first failure since the last success. */
        failing_since: string | null;
        /** Time. */
        last_success_at: string | null;
        /** Time. */
        last_failure_at: string | null;
        /** What went wrong, in our words; never the reply of the endpoint. */
        last_failure: string | null;
      };
      data_mode: 'live' | 'sandbox';
      /** The signing secret (`whsec_...`). It is shown once. */
      secret: string;
    };
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
    reply: {
      /** What the receiver sees as `webhook-id`; the same at every attempt. */
      id: string;
      /** `alert.<kind>`, `alert.digest` or `webhook.test`. */
      type: string;
      alert_id: number | null;
      state: 'pending' | 'delivered' | 'failed' | 'folded';
      /** Delivery of the digest it was folded into. */
      digest_id: string | null;
      attempts: number;
      created_at: string;
      /** While it is pending. */
      next_attempt_at: string | null;
      /** Time. */
      finished_at: string | null;
      /** HTTP status of the last attempt. */
      last_status: number | null;
      /** What went wrong at the last attempt, in our words. */
      last_detail: string | null;
      data_mode: 'live' | 'sandbox';
    };
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
      /** Time of the last alert among them: with 1000 messages, replay again from here. */
      until: string | null;
      data_mode: 'live' | 'sandbox';
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
      overlap_seconds?: number;
    };
    reply: {
      id: string;
      url: string;
      /** Your own note. */
      description: string | null;
      kinds: ('score_change' | 'risk_flag_change' | 'band_transition')[];
      enabled: boolean;
      /** `gone` (it answered 410), `failing` (nothing came through for 5 days), `by_request`. */
      disabled_reason: string | null;
      created_at: string;
      /** Until then messages carry a signature by the secret before as well. */
      previous_secret_until: string | null;
      health: {
        consecutive_failures: number;
        /** Time of the first failure since the last success. */
        failing_since: string | null;
        /** Time. */
        last_success_at: string | null;
        /** Time. */
        last_failure_at: string | null;
        /** What went wrong, in our words; never the reply of the endpoint. */
        last_failure: string | null;
      };
      data_mode: 'live' | 'sandbox';
      /** The signing secret (`whsec_...`). It is shown once. */
      secret: string;
    };
  };
  /** Send a test message, also to a webhook that is switched off */
  'POST /v1/webhooks/{id}/test': {
    path: {
      /** Id of a webhook. */
      id: string;
    };
    query: undefined;
    body: undefined;
    reply: {
      /** What the receiver sees as `webhook-id`; the same at every attempt. */
      id: string;
      /** `alert.<kind>`, `alert.digest` or `webhook.test`. */
      type: string;
      alert_id: number | null;
      state: 'pending' | 'delivered' | 'failed' | 'folded';
      /** Delivery of the digest it was folded into. */
      digest_id: string | null;
      attempts: number;
      created_at: string;
      /** While it is pending. */
      next_attempt_at: string | null;
      /** Time. */
      finished_at: string | null;
      /** HTTP status of the last attempt. */
      last_status: number | null;
      /** What went wrong at the last attempt, in our words. */
      last_detail: string | null;
      data_mode: 'live' | 'sandbox';
    };
  };
  /** Watch an asset, or change its note and thresholds */
  'PUT /v1/rms/whitelist/{asset}': {
    path: {
      /** CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id. */
      asset: string;
    };
    query: undefined;
    body: {
      note?: string | null;
      thresholds?: {
        /** Points since the last alert. */
        min_score_change?: number;
        /** Default: high and critical. */
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
      /** Kinds of alerts it is sent; all of them by default. */
      kinds?: ('score_change' | 'risk_flag_change' | 'band_transition')[];
      /** Switched on again, it begins with a clean slate. */
      enabled?: boolean;
    };
    reply: Webhook;
  };
  /** Have an asset indexed */
  'PUT /v1/{chain}/index/{asset}': {
    path: {
      /** Name of a chain, see GET /v1/chains. */
      chain: 'solana' | 'ethereum' | 'base' | 'bsc' | 'arbitrum' | 'polygon' | 'optimism' | 'avalanche';
      /** Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F). */
      asset: string;
    };
    query: undefined;
    body: {
      /** Default: all three. */
      kinds?: ('market' | 'holders' | 'pools')[];
      /** How often readers want news. */
      cadence?: 'hourly' | 'five_minutes' | 'newest';
    };
    reply: {
      asset: Asset;
      kinds: ('market' | 'holders' | 'pools')[];
      cadence: 'hourly' | 'five_minutes' | 'newest';
      /** configuration, api, cli, rated or watched. */
      added_by: string;
      added_at: string;
      /** When the wish ends; null: until it is removed. */
      wanted_until: string | null;
      paused: boolean;
      data_mode: 'live' | 'sandbox';
    };
  };
}

export interface Alert {
  /** Rises within the account, without gaps. */
  id: number;
  /** CAIP-19 id. */
  asset_id: string;
  /** Of the asset. */
  symbol: string | null;
  /** Of the asset. */
  name: string | null;
  kind: 'score_change' | 'risk_flag_change' | 'band_transition';
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
  title: string;
  /** By kind: from, to and change; flags raised, cleared and changed; bands. */
  details: unknown;
  /** Time of the rating that caused it, RFC 3339 UTC. */
  rating_as_of: string;
  created_at: string;
  /** When it was first acknowledged; null while it is open. */
  acknowledged_at: string | null;
}

export interface Asset {
  /** CAIP-19 id. */
  id: string;
  /** Our name of the chain. */
  chain: string | null;
  /** Mint or contract; `native` for a chain’s own coin. */
  address: string | null;
  /** Ticker, as the token itself says: text of strangers, not unique. */
  symbol: string | null;
  /** Name, as the token itself says: text of strangers. */
  name: string;
  /** Category, when known. */
  category: string | null;
  /** The project’s own site, when known. */
  website: string | null;
}

export interface Breakdown {
  asset: Asset;
  /** As published. */
  score: number | null;
  /** As published. */
  band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  trust_score: number;
  /** Their points add up to `score`, to the last digit. Empty when there is no score. */
  contributions: {
    kind: 'prior' | 'factor' | 'caps' | 'default' | 'fading_caps' | 'standing_rating';
    code: string;
    name: string;
    /** In steps of 0.1. */
    points: number;
    detail: string;
  }[];
  factors: {
    code: 'MQ' | 'HD' | 'TS' | 'SD' | 'FU' | 'DV' | 'GT' | 'TR' | 'SI' | 'TD' | 'PC' | 'BK' | 'TK' | 'LS' | 'WI' | 'CT';
    name: string;
    score: number;
    /** Before it is drawn towards its prior for want of evidence. */
    raw_score: number | null;
    weight: number;
    /** Points from the prior. */
    contribution: number;
    confidence: number;
    shrink: number;
    prior: number;
    rationale: string;
    features: {
      id: string;
      name: string;
      status: 'observed' | 'absent' | 'unknown' | 'not_applicable';
      value: number | string | null;
      unit: string;
      /** 0-100; null when there is none. */
      score: number | null;
      weight: number;
      confidence: number;
      method: string;
      rationale: string;
      /** Who was heard; `evidence` names the archived reply. */
      sources: {
        source: string;
        quantity: string;
        accepted: boolean;
        evidence: string;
      }[];
    }[];
  }[];
  caps: {
    code: string;
    cap: number;
    /** The best it allows. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    /** Flag that caused it. */
    flag: string | null;
    detail: string;
    /** It set the score. */
    binding: boolean;
  }[];
  risk_flags: {
    code: string;
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
    title: string;
    detail: string;
    /** First seen raised, without a break since. */
    since: string | null;
  }[];
  gaps: {
    feature: string;
    reason: string;
  }[];
  conflicts: {
    quantity: string;
    detail: string;
  }[];
  summary: string;
  limitations: string[];
  methodology_version: string;
  methodology_hash: string;
  job_id: string;
  /** When the facts were true, RFC 3339 UTC. */
  as_of: string;
  data_mode: 'live' | 'sandbox';
  age_seconds: number;
}

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
  /** Gini coefficient, 0-1. */
  gini: number | null;
  /** The same over holders of at least one dollar. */
  gini_min: number | null;
  /** Herfindahl-Hirschman index, 0-10,000. */
  hhi: number | null;
  /** One over the sum of squared shares. */
  effective_holders: number | null;
  /** Shannon entropy, natural logarithm. */
  entropy: number | null;
  /** e to the entropy. */
  entropy_holders: number | null;
  /** Entropy over ln n, 0-1. */
  entropy_normalised: number | null;
  /** Fewest holders with more than half. */
  nakamoto_50: number | null;
  /** Fewest holders with more than a third. */
  nakamoto_33: number | null;
  notes: string[];
}

export interface Delivery {
  /** What the receiver sees as `webhook-id`; the same at every attempt. */
  id: string;
  /** `alert.<kind>`, `alert.digest` or `webhook.test`. */
  type: string;
  alert_id: number | null;
  state: 'pending' | 'delivered' | 'failed' | 'folded';
  /** Delivery of the digest it was folded into. */
  digest_id: string | null;
  attempts: number;
  created_at: string;
  /** While it is pending. */
  next_attempt_at: string | null;
  /** Time. */
  finished_at: string | null;
  /** HTTP status of the last attempt. */
  last_status: number | null;
  /** What went wrong at the last attempt, in our words. */
  last_detail: string | null;
}

export interface Dispute {
  id: string;
  state: 'received' | 'accepted' | 'rejected' | 'restated';
  asset_id: string;
  /** The rating it is about. */
  rating: {
    job_id: string;
    as_of: string;
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    /** Null when not rated. */
    score: number | null;
  } | null;
  received_at: string;
  claim: string;
  /** As it was given; seen by the account and the operator alone. */
  contact: string | null;
  /** What the operator found, in words. */
  resolution: string | null;
  /** When. */
  resolved_at: string | null;
  /** The correction it led to, see GET /v1/restatements. */
  restatement_id: number | null;
  data_mode: string;
}

export interface Forensics {
  asset: Asset;
  /** `drained_by_linked_wallets`: at least 90 % of a pool’s liquidity was removed within 24 hours by wallets linked to the creator. `drained`: at least 90 % of the largest amount seen is gone. `large_removals`: single large losses. `not_seen`: no pool’s history could be read. */
  verdict: 'drained_by_linked_wallets' | 'drained' | 'large_removals' | 'no_drain_seen' | 'not_seen';
  summary: string;
  /** Flags of the rating that speak of this. */
  flags: string[];
  /** Default tests that hold (D6: executed rug). */
  default_tests: string[];
  creator: {
    address: string;
    sources: string[];
  } | null;
  pools: {
    address: string;
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
    transactions_listed: number;
    transactions_examined: number;
    /** Time of the oldest transaction that was listed. */
    since: string | null;
  }[];
  /** Oldest first; the largest of each pool. */
  events: {
    /** `removal`: liquidity was taken out. `sale`: the asset was sold into the pool. */
    kind: 'removal' | 'sale';
    pool: string;
    dex: string;
    /** Signature or hash. */
    transaction: string;
    /** Slot or block number. */
    height: number;
    /** RFC 3339 UTC; null where the chain’s reply has no time. */
    at: string | null;
    /** Who signed it and paid its fee. */
    actor: string | null;
    /** Names that are known of the address. */
    actor_labels: {
      kind: string;
      name: string;
      source: string;
      /** How sure the statement is, 0-1. */
      confidence: number;
    }[];
    /** Whose liquidity tokens were given back; null where the chain does not show it. */
    liquidity_owner: string | null;
    quote: string;
    /** Quote tokens that left the pool. Base units, a decimal string. */
    quote_amount_raw: string;
    /** Whole tokens. */
    quote_amount: number | null;
    /** Dollars at that time. */
    quote_usd: number | null;
    /** Who told the price of that time. */
    price_source: string | null;
    /** Of the asset, out of the pool; negative when it went in. Base units, a decimal string. */
    base_amount_raw: string;
    /** Whole tokens. */
    base_amount: number | null;
    /** Of the quote tokens that the pool held just before. Percent. */
    share_of_pool_pct: number;
    recipients: {
      address: string;
      /** Names that are known of the address. */
      labels: {
        kind: string;
        name: string;
        source: string;
        /** How sure the statement is, 0-1. */
        confidence: number;
      }[];
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
    source: string;
    /** How sure the statement is, 0-1. */
    confidence: number;
  }[];
  /** Where the money went, at most two steps. */
  flows: {
    /** 1: from who got the money out of the pool. */
    step: number;
    from: string;
    /** Null: it was exchanged for something else. */
    to: string | null;
    /** Names that are known of the address. */
    to_labels: {
      kind: string;
      name: string;
      source: string;
      /** How sure the statement is, 0-1. */
      confidence: number;
    }[];
    /** An exchange or another address of very many people’s money: from here on nothing is seen. */
    to_is_service: boolean;
    kind: 'transfer' | 'exchange';
    asset: string;
    /** What went on. Base units, a decimal string. */
    amount_raw: string;
    /** Whole tokens. */
    amount: number | null;
    /** Dollars at that time. */
    usd: number | null;
    /** Who told the price of that time. */
    price_source: string | null;
    transaction: string;
    /** RFC 3339 UTC; null where the chain’s reply has no time. */
    at: string | null;
    source: string;
    /** How sure the statement is, 0-1. */
    confidence: number;
  }[];
  /** Why wallets that took part belong to the creator. */
  links: {
    wallet: string;
    role: 'actor' | 'liquidity_owner' | 'recipient' | 'hop';
    how: 'is_creator' | 'funded_by_creator' | 'funded_creator' | 'common_funder' | 'paid_creator';
    /** What shows it; null where the wallet is the creator’s itself. */
    transaction: string | null;
    /** How sure the statement is, 0-1. */
    confidence: number;
  }[];
  /** Who first paid the creator and the wallets that took part. */
  first_payments: {
    wallet: string;
    funder: string;
    /** Names that are known of the address. */
    funder_labels: {
      kind: string;
      name: string;
      source: string;
      /** How sure the statement is, 0-1. */
      confidence: number;
    }[];
    /** An exchange or another wallet of very many payments. */
    funder_is_service: boolean;
    /** Of the chain’s own coin. Base units, a decimal string. */
    amount_raw: string;
    transaction: string;
    /** RFC 3339 UTC; null where the chain’s reply has no time. */
    at: string | null;
  }[];
  /** What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen. */
  limits: {
    code: string;
    detail: string;
  }[];
  work: {
    /** Questions asked of nodes and explorers. */
    calls: number;
    bytes: number;
    milliseconds: number;
    ended: 'complete' | 'calls' | 'bytes' | 'time';
  };
  /** Every reply that the findings rest on. */
  receipts: {
    source: string;
    /** Method and what it was asked about. */
    request: string;
    /** Of the reply, hex. */
    sha256: string;
    bytes: number;
    fetched_at: string;
  }[];
  sources: string[];
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  /** When the search ended, RFC 3339 UTC. */
  as_of: string;
  data_mode: 'live' | 'sandbox';
  age_seconds: number;
}

export interface FullScore {
  job_id: string;
  type: string;
  project: string;
  data_mode: 'live' | 'sandbox';
  as_of: string;
  age_seconds: number;
  stage: string;
  asset: {
    id: string;
    chain: string | null;
    address: string | null;
    symbol: string | null;
    name: string;
    category: string;
    category_reason: string;
    website: string | null;
    identification: {
      match: number;
      registrable_domain: string | null;
      links: unknown[];
      contradictions: unknown[];
      notes: string[];
    };
  };
  rating: {
    /** Rating band; NR when the evidence is too thin, and then score is null. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    score: number | null;
    interval: [number, number] | null;
    outlook: string | null;
    uncapped_score: number | null;
    uncapped_band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR' | null;
    evidence_cap: boolean;
    provisional: boolean;
    not_rated_reasons: string[];
  };
  trust_score: {
    score: number;
    tier: string;
    components: {
      coverage: number;
      agreement: number;
      independence: number;
      freshness: number;
      identity: number;
    };
  };
  vfr: {
    value: number | null;
    zone: 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';
    interval: [number, number] | null;
    method: string;
    peers: number;
    reason: string | null;
    /** ln of the value over its standard deviation: the zones are cut by it. */
    z: number | null;
    /** What the value divides; null where a unit is compared (peg). */
    fair_value_usd: number | null;
    /** The same fair value under price x circulating supply, unlocks to come left out. */
    circulating: number | null;
    /** The same fair value under price x all that will ever exist. */
    fully_diluted: number | null;
    /** Short histories, estimates: what to know of this value. */
    notes: string[];
  };
  execution_time_seconds: number;
  risk_flags: {
    code: string;
    severity: string;
    title: string;
    detail: string;
    confidence: number;
    since: string | null;
    evidence: string[];
  }[];
  factors: {
    code: string;
    name: string;
    score: number;
    weight: number;
    confidence: number;
    points: number;
    raw_score: number | null;
    shrink: number;
    prior: number;
    rationale: string;
    features: {
      id: string;
      name: string;
      status: string;
      value: number | string | null;
      unit: string;
      score: number | null;
      weight: number;
      confidence: number;
      method: string;
      rationale: string;
      observations: string[];
    }[];
  }[];
  caps_applied: {
    code: string;
    cap: number;
    /** Rating band; NR when the evidence is too thin, and then score is null. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    flag: string | null;
    detail: string;
    binding: boolean;
  }[];
  sources: {
    name: string;
    outcome: string;
    milliseconds: number;
    items_used: number;
    asked: number;
    answered: number;
    detail: string | null;
  }[];
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  methodology_version: string;
  warnings: string[];
  summary: string;
  limitations: string[];
  prior: number;
  gaps: {
    feature: string;
    reason: string;
  }[];
  conflicts: unknown[];
  quantities: {
    quantity: string;
    scope: string;
    unit: string;
    value: unknown;
    low: number | null;
    high: number | null;
    confidence: number;
    confidence_parts: unknown;
    status: string;
    independent_families: number;
    effective_families: number;
    dispersion: number;
    observed_at: string | null;
    failed_identities: string[];
    voices: {
      source: string;
      endpoint: string;
      family: string;
      tier: string;
      value: unknown;
      withheld: boolean;
      meaning: string;
      observed_at: string;
      weight: number;
      z: number | null;
      unit_power: number | null;
      accepted: boolean;
      reason: string | null;
      evidence: string;
    }[];
    outvoted: {
      source: string;
      endpoint: string;
      family: string;
      tier: string;
      value: unknown;
      withheld: boolean;
      meaning: string;
      observed_at: string;
      weight: number;
      z: number | null;
      unit_power: number | null;
      accepted: boolean;
      reason: string | null;
      evidence: string;
    }[];
  }[];
  vfr_fit: {
    sd: number | null;
    r2: number | null;
  };
  vfr_drivers: {
    estimator: string;
    quantity: string | null;
    value: number | null;
    days: number;
    peers: number;
    fair_value_usd: number;
    sd: number;
    weight: number;
  }[];
  candidates_rejected: unknown[];
  evidence: {
    id: string;
    source: string;
    endpoint: string;
    outcome: string;
    url: string;
    status: number | null;
    fetched_at: string;
    milliseconds: number;
    sha256: string | null;
    bytes: number | null;
    detail: string | null;
  }[];
  replay: {
    command: string;
    methodology_hash: string;
  };
}

export interface HolderClusters {
  asset: Asset;
  method: 'first_payment';
  /** Two members at least; the largest share first. */
  clusters: {
    /** Who first paid them; null when they paid one another only. */
    funder: string | null;
    /** Of total supply, all members together. Percent. */
    share_pct: number;
    /** How sure the statement is, 0-1. */
    confidence: number;
    reasons: string[];
    members: {
      address: string;
      /** Of total supply. Percent. */
      share_pct: number;
      /** Who first paid this wallet, where it is known. */
      funder: string | null;
      /** The payment. */
      transaction: string | null;
      /** RFC 3339 UTC; null where the chain’s reply has no time. */
      at: string | null;
    }[];
  }[];
  /** Of total supply, in clusters. Percent. */
  clustered_share_pct: number;
  owners: {
    /** Largest holders that are neither pools, exchanges nor programs, as far as names tell. */
    listed: number;
    looked_at: number;
    first_payment_known: number;
    /** Of total supply. Percent. */
    share_looked_at_pct: number;
    /** Of them, first paid by an exchange or the like: they link nobody. */
    paid_by_services: number;
    /** Who lists the holders. */
    source: string | null;
    /** When that list was true. */
    as_of: string | null;
  };
  /** Payers that are no persons and link nobody. */
  services: string[];
  insider_network: {
    /** Of total supply. Percent. */
    share_pct: number;
    sources: string[];
    /** How sure the statement is, 0-1. */
    confidence: number;
  } | null;
  /** What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen. */
  limits: {
    code: string;
    detail: string;
  }[];
  work: {
    /** Questions asked of nodes and explorers. */
    calls: number;
    bytes: number;
    milliseconds: number;
    ended: 'complete' | 'calls' | 'bytes' | 'time';
  };
  /** Every reply that the findings rest on. */
  receipts: {
    source: string;
    /** Method and what it was asked about. */
    request: string;
    /** Of the reply, hex. */
    sha256: string;
    bytes: number;
    fetched_at: string;
  }[];
  sources: string[];
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  /** When the search ended, RFC 3339 UTC. */
  as_of: string;
  data_mode: 'live' | 'sandbox';
  age_seconds: number;
}

export interface HoldersSnapshot {
  asset: Asset;
  /** When the facts were true, RFC 3339 UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  data_mode: 'live' | 'sandbox';
  /** Names of the sources the snapshot rests on. */
  sources: string[];
  /** Texts and links that sources’ terms ask to be shown. */
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  /** What a reader should know, in plain words. */
  warnings: string[];
  kind: 'holders';
  /** How good the list is: every account read from the chain, an indexer’s list, or the twenty largest accounts. */
  method: 'full_scan' | 'indexer' | 'top20_only';
  status: 'complete' | 'incomplete_enumeration' | 'zero_supply' | 'top20_only';
  /** Owners with more than nothing. */
  holder_count: number | null;
  decimals: number;
  supply: {
    /** Supply, base units. */
    total_raw: string;
    /** Held by burn addresses, base units. */
    burned_raw: string;
    /** Set aside besides what is burned, base units. */
    locked_raw: string;
    /** What is left for the adjusted view, base units. */
    adjusted_raw: string;
    /** Balances seen over the total; 1 when all were seen. */
    coverage: number | null;
  };
  raw: Concentration;
  adjusted: Concentration;
  tiers_usd: {
    tier: string;
    holders: number;
    share_pct: number;
  }[] | null;
  tiers_supply: {
    tier: string;
    holders: number;
    share_pct: number;
  }[] | null;
  top_holders: {
    rank: number;
    address: string;
    /** Balance, base units. */
    amount_raw: string;
    /** Balance in whole tokens. */
    amount: number;
    share_pct: number;
    labels: {
      kind: 'pool' | 'burn' | 'locker' | 'vesting' | 'bridge' | 'exchange' | 'staking' | 'lending' | 'issuer' | 'program';
      name: string;
      source: string;
      confidence: number;
    }[];
    /** Why it is not in the adjusted view; null when it is. */
    set_aside: string | null;
  }[];
  /** Share of those of the twenty largest that nobody knows. 0-100; null when not known. */
  unlabelled_top20_share_pct: number | null;
  set_aside: {
    kind: 'pool' | 'burn' | 'locker' | 'vesting' | 'bridge' | 'exchange' | 'staking' | 'lending' | 'issuer' | 'program';
    holders: number;
    share_pct: number;
  }[];
  change: {
    since: string;
    /** Change of the count. */
    holder_count: number | null;
    /** Change in percentage points. */
    top_10_pct: number | null;
    /** Change in percentage points. */
    adjusted_top_10_pct: number | null;
  } | null;
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
  histogram: {
    base: number;
    buckets: [number, number, number][];
  } | null;
}

export interface IndexedAsset {
  asset: Asset;
  kinds: ('market' | 'holders' | 'pools')[];
  cadence: 'hourly' | 'five_minutes' | 'newest';
  /** configuration, api, cli, rated or watched. */
  added_by: string;
  added_at: string;
  /** When the wish ends; null: until it is removed. */
  wanted_until: string | null;
  paused: boolean;
}

export interface MarketSnapshot {
  asset: Asset;
  /** When the facts were true, RFC 3339 UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  data_mode: 'live' | 'sandbox';
  /** Names of the sources the snapshot rests on. */
  sources: string[];
  /** Texts and links that sources’ terms ask to be shown. */
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  /** What a reader should know, in plain words. */
  warnings: string[];
  kind: 'market';
  /** Consensus price, US dollars. */
  price_usd: number | null;
  /** Change of the price over one hour, percent. */
  change_1h_pct: number | null;
  /** Over 24 hours, percent. */
  change_24h_pct: number | null;
  /** Over 7 days, percent. */
  change_7d_pct: number | null;
  /** Over 30 days, percent. */
  change_30d_pct: number | null;
  /** Traded in 24 hours, US dollars. */
  volume_24h_usd: number | null;
  /** Price times circulating supply. */
  market_cap_usd: number | null;
  /** Price times total (or maximum) supply. */
  fully_diluted_value_usd: number | null;
  /** Whole tokens. */
  circulating_supply: number | null;
  /** Whole tokens. */
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
  /** Day of the all-time high. */
  ath_at: string | null;
  venues: {
    venue: string;
    /** Price there. */
    price_usd: number | null;
    /** Volume there. */
    volume_24h_usd: number | null;
    sources: string[];
  }[];
  provenance: {
    /** Which sources made a number, and who was outvoted. */
    price_usd?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    change_1h_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    change_24h_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    change_7d_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    change_30d_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    volume_24h_usd?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    market_cap_usd?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    fully_diluted_value_usd?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    circulating_supply?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    total_supply?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    max_supply?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    liquidity_usd?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    turnover_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    volume_to_liquidity?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    volatility_30d_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    ath_usd?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    drawdown_pct?: Provenance;
    /** Which sources made a number, and who was outvoted. */
    price_dispersion_pct?: Provenance;
  };
}

export interface MinimalScore {
  job_id: string;
  type: string;
  project: string;
  rating: {
    /** Rating band; NR when the evidence is too thin, and then score is null. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    score: number | null;
  };
  trust_score: {
    score: number;
  };
  vfr: {
    value: number | null;
    zone: 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';
  };
  execution_time_seconds: number;
}

export interface Pool {
  dex: string;
  address: string;
  kind: 'constant_product' | 'concentrated' | 'bins' | 'stableswap' | 'bonding_curve' | null;
  protocol: string;
  tokens: {
    address: string;
    /** Ticker, text of strangers. */
    symbol: string | null;
    /** Decimals. */
    decimals: number | null;
    /** Reserve in base units. */
    reserve_raw: string | null;
    /** Reserve in whole tokens. */
    reserve: number | null;
  }[];
  /** Price of the asset in the other token. */
  price_quote: number | null;
  /** Price of the asset, US dollars. */
  price_usd: number | null;
  /** Both sides, US dollars. */
  tvl_usd: number | null;
  /** Traded in 24 hours. */
  volume_24h_usd: number | null;
  /** Fees of 24 hours. */
  fees_24h_usd: number | null;
  /** Fee of a trade, percent. */
  fee_rate_pct: number | null;
  /** When the pool was made. */
  created_at: string | null;
  lp: {
    /** Liquidity that can never be withdrawn. 0-100; null when not known. */
    burned_pct: number | null;
    /** Liquidity under a lock. 0-100; null when not known. */
    locked_pct: number | null;
    /** Who holds the lock. */
    locker: string | null;
    /** When it ends. */
    unlocks_at: string | null;
    source: string;
  } | null;
  /** Read from the chain itself, not told by an indexer. */
  verified: boolean;
  depth: {
    /** Size of the price move, percent. */
    move_pct: number;
    /** Sold before the price is so far down. */
    down_usd: number | null;
    /** Bought before the price is so far up. */
    up_usd: number | null;
  }[];
  slippage: {
    /** Size of the trade, US dollars. */
    size_usd: number;
    /** Average price paid against the price before, fee included; null when it cannot be filled. */
    buy_pct: number | null;
    /** The same for selling. */
    sell_pct: number | null;
  }[];
  depth_method: 'exact' | 'tvl_proxy' | null;
  sources: string[];
  conflicts: {
    what: string;
    source: string;
    value: number;
    chain: number;
  }[];
  notes: string[];
}

export interface PoolsSnapshot {
  asset: Asset;
  /** When the facts were true, RFC 3339 UTC. */
  as_of: string;
  /** Whole seconds since `as_of` when the reply was made. */
  age_seconds: number;
  data_mode: 'live' | 'sandbox';
  /** Names of the sources the snapshot rests on. */
  sources: string[];
  /** Texts and links that sources’ terms ask to be shown. */
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  /** What a reader should know, in plain words. */
  warnings: string[];
  kind: 'pools';
  pools: Pool[];
  /** Of the pools listed. */
  totals: {
    pools: number;
    verified_pools: number;
    /** Sum of the known ones. */
    tvl_usd: number | null;
    /** Sum of the known ones. */
    volume_24h_usd: number | null;
    /** Sum of the known ones. */
    fees_24h_usd: number | null;
  };
  /** Of all pools together, whatever the scope. */
  depth: {
    /** Size of the price move, percent. */
    move_pct: number;
    /** Sold before the price is so far down. */
    down_usd: number | null;
    /** Bought before the price is so far up. */
    up_usd: number | null;
  }[];
  /** Of all pools together, whatever the scope. */
  slippage: {
    /** Size of the trade, US dollars. */
    size_usd: number;
    /** Average price paid against the price before, fee included; null when it cannot be filled. */
    buy_pct: number | null;
    /** The same for selling. */
    sell_pct: number | null;
  }[];
  depth_method: 'exact' | 'mixed' | 'tvl_proxy' | null;
  /** Slot or block the pools were read at. */
  height: number | null;
  /** Present when only some of the pools were asked for. */
  scope?: {
    name: 'all' | 'verified' | 'top';
    min_tvl_usd: number;
    pools_left_out: number;
  };
}

export interface Provenance {
  sources: string[];
  outvoted: {
    source: string;
    value: number;
    reason: string;
  }[];
  confidence: number;
  interval: [number, number] | null;
  method: 'consensus' | 'derived' | 'history';
}

export interface Rating {
  asset: Asset;
  stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1; null when not rated. */
  score: number | null;
  /** AAA to D, with hysteresis; NR when not rated. */
  band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  /** How far the evidence can be trusted, 0-100. */
  trust_score: number;
  risk_flags: {
    code: string;
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
    title: string;
    detail: string;
    /** First seen raised, without a break since. */
    since: string | null;
  }[];
  /** Low and high end of the score. */
  score_interval: number[] | null;
  /** Of this moment’s score alone. */
  indicative_band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  /** What band changes rest on. */
  smoothed_score: number | null;
  outlook: 'positive' | 'stable' | 'negative' | 'developing' | 'provisional' | null;
  watch: {
    direction: string;
    reason: string;
    detail: string;
    since: string;
    deadline: string;
  } | null;
  vfr: {
    /** Price over fair value; null when no fair value can be computed honestly. */
    value: number | null;
    zone: 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';
    /** Low and high end. */
    interval: number[] | null;
  };
  previous: {
    /** Of the rating before. */
    score: number | null;
    /** Of the rating before. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    as_of: string;
  } | null;
  rating_action: 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';
  action_reason: string;
  /** The action takes back one of the 30 days before. */
  reversal: boolean;
  drivers: {
    code: string;
    name: string;
    /** All add up to the change of the score. */
    points: number;
    detail: string;
  }[];
  default: {
    since: string;
    /** When it is cured if nothing comes up again. */
    cures_at: string | null;
    tests: {
      code: string;
      detail: string;
      since: string;
    }[];
  } | null;
  issuer_control: {
    kind: 'stablecoin' | 'wrapped' | 'tokenised_asset';
    /** As if the issuer’s powers were a stranger’s. */
    technical_score: number | null;
    /** Of the technical score. */
    technical_band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  } | null;
  gaps: {
    feature: string;
    reason: string;
  }[];
  conflicts: {
    quantity: string;
    detail: string;
  }[];
  /** For peer groups. */
  market_cap_usd: number | null;
  methodology_version: string;
  methodology_hash: string;
  /** GET /v1/jobs/{job_id}/evidence holds the evidence. */
  job_id: string;
  participation: 'unsolicited';
  data_mode: 'live' | 'sandbox';
  /** When the facts were true, RFC 3339 UTC. */
  as_of: string;
  standing: {
    category: string;
    /** Share of the category’s rated assets that score lower, ties by half; null below 5 peers. */
    category_percentile: number | null;
    category_peers: number;
    /** Decade of the market capitalisation. */
    size_group: string | null;
    /** The same among those of the category whose size is of the same decade. */
    size_percentile: number | null;
    size_peers: number;
  } | null;
  /** Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing` and `age_seconds` (docs/ratings.md). */
  signature: Signature;
  age_seconds: number;
}

export interface RatingDigest {
  asset_id: string;
  /** Ticker. */
  symbol: string | null;
  /** AAA to D, or NR. */
  band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  /** 0-100. */
  score: number | null;
  trust_score: number;
  /** Outlook. */
  outlook: string | null;
  /** Reason of the watch. */
  watch: string | null;
  /** Worst first. */
  flags: string[];
  more_flags: number;
  vfr_zone: string;
  rating_action: string;
  gaps: number;
  conflicts: number;
  methodology_version: string;
  data_mode: 'live' | 'sandbox';
  as_of: string;
  sentence: string;
  age_seconds: number;
}

export interface RatingRecord {
  asset: Asset;
  stage: 'post_tge' | 'pre_tge';
  /** 0-100 in steps of 0.1; null when not rated. */
  score: number | null;
  /** AAA to D, with hysteresis; NR when not rated. */
  band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  /** How far the evidence can be trusted, 0-100. */
  trust_score: number;
  risk_flags: {
    code: string;
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
    title: string;
    detail: string;
    /** First seen raised, without a break since. */
    since: string | null;
  }[];
  /** Low and high end of the score. */
  score_interval: number[] | null;
  /** Of this moment’s score alone. */
  indicative_band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  /** What band changes rest on. */
  smoothed_score: number | null;
  outlook: 'positive' | 'stable' | 'negative' | 'developing' | 'provisional' | null;
  watch: {
    direction: string;
    reason: string;
    detail: string;
    since: string;
    deadline: string;
  } | null;
  vfr: {
    /** Price over fair value; null when no fair value can be computed honestly. */
    value: number | null;
    zone: 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';
    /** Low and high end. */
    interval: number[] | null;
  };
  previous: {
    /** Of the rating before. */
    score: number | null;
    /** Of the rating before. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    as_of: string;
  } | null;
  rating_action: 'new' | 'affirm' | 'upgrade' | 'downgrade' | 'withdraw';
  action_reason: string;
  /** The action takes back one of the 30 days before. */
  reversal: boolean;
  drivers: {
    code: string;
    name: string;
    /** All add up to the change of the score. */
    points: number;
    detail: string;
  }[];
  default: {
    since: string;
    /** When it is cured if nothing comes up again. */
    cures_at: string | null;
    tests: {
      code: string;
      detail: string;
      since: string;
    }[];
  } | null;
  issuer_control: {
    kind: 'stablecoin' | 'wrapped' | 'tokenised_asset';
    /** As if the issuer’s powers were a stranger’s. */
    technical_score: number | null;
    /** Of the technical score. */
    technical_band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
  } | null;
  gaps: {
    feature: string;
    reason: string;
  }[];
  conflicts: {
    quantity: string;
    detail: string;
  }[];
  /** For peer groups. */
  market_cap_usd: number | null;
  methodology_version: string;
  methodology_hash: string;
  /** GET /v1/jobs/{job_id}/evidence holds the evidence. */
  job_id: string;
  participation: 'unsolicited';
  data_mode: 'live' | 'sandbox';
  /** When the facts were true, RFC 3339 UTC. */
  as_of: string;
  /** Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing` and `age_seconds` (docs/ratings.md). */
  signature: Signature;
}

export interface ServiceLevel {
  /** First minute measured; null: none yet. */
  measured_since: string | null;
  windows: {
    window: '1h' | '24h' | '30d';
    from: string;
    to: string;
    /** Of ratings, chain data and exports. A minute without any process counts as down, another by the share of requests answered 5xx. */
    availability_pct: number | null;
    requests: number;
    /** Answered 5xx. */
    failures: number;
    /** Of reads of ratings and chain data, within the service; at most 4.5 % too high. */
    latency_ms: null | {
      p50: number;
      p95: number;
      p99: number;
    };
    /** Age of the newest snapshots, by chain, kind and cadence. */
    freshness: {
      chain: string;
      kind: string;
      /** How often the assets’ readers want news. */
      cadence: string;
      /** Half of the assets were at most so old in half of the minutes. */
      age_seconds_p50: number;
      /** 99 % of the assets were at most so old in 99 % of the minutes. */
      age_seconds_p99: number;
    }[];
  }[];
  /** Plans that promise a service level, and the credit they would owe for the month as it stands. */
  plans: {
    plan: string;
    /** The present month, UTC. */
    month: string;
    targets: {
      availability_pct: number;
      market_age_seconds: number;
      latency_p99_ms: number;
    };
    /** Nothing promised is broken so far this month. */
    met: boolean;
    /** Measured; null: nothing was, or no longer is. */
    availability_pct: number | null;
    /** Age that 99 % of the assets kept in 99 % of the minutes, on the worst chain. */
    market_age_seconds: number | null;
    /** Of reads, within the service. */
    latency_p99_ms: number | null;
    /** Promises the month has broken. */
    breaches: ('availability' | 'freshness' | 'latency')[];
    /** Of the month’s price. */
    credit_pct: number;
  }[];
}

export interface Signature {
  algorithm: 'Ed25519';
  /** Key of /.well-known/assay-keys.json. */
  key_id: string;
  /** Base64 of the 64 bytes. */
  value: string;
}

export interface StandardScore {
  job_id: string;
  type: string;
  project: string;
  data_mode: 'live' | 'sandbox';
  as_of: string;
  age_seconds: number;
  stage: string;
  asset: {
    id: string;
    chain: string | null;
    address: string | null;
    symbol: string | null;
    name: string;
    category: string;
    category_reason: string;
    website: string | null;
    identification: {
      match: number;
      registrable_domain: string | null;
      links: unknown[];
      contradictions: unknown[];
      notes: string[];
    };
  };
  rating: {
    /** Rating band; NR when the evidence is too thin, and then score is null. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    score: number | null;
    interval: [number, number] | null;
    outlook: string | null;
    uncapped_score: number | null;
    uncapped_band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR' | null;
    evidence_cap: boolean;
    provisional: boolean;
    not_rated_reasons: string[];
  };
  trust_score: {
    score: number;
    tier: string;
    components: {
      coverage: number;
      agreement: number;
      independence: number;
      freshness: number;
      identity: number;
    };
  };
  vfr: {
    value: number | null;
    zone: 'DEEP_DISCOUNT' | 'DISCOUNT' | 'FAIR' | 'PREMIUM' | 'EXTREME_PREMIUM' | 'INDETERMINATE';
    interval: [number, number] | null;
    method: string;
    peers: number;
    reason: string | null;
    /** ln of the value over its standard deviation: the zones are cut by it. */
    z: number | null;
    /** What the value divides; null where a unit is compared (peg). */
    fair_value_usd: number | null;
    /** The same fair value under price x circulating supply, unlocks to come left out. */
    circulating: number | null;
    /** The same fair value under price x all that will ever exist. */
    fully_diluted: number | null;
    /** Short histories, estimates: what to know of this value. */
    notes: string[];
  };
  execution_time_seconds: number;
  risk_flags: {
    code: string;
    severity: string;
    title: string;
    detail: string;
    confidence: number;
    since: string | null;
    evidence: string[];
  }[];
  factors: {
    code: string;
    name: string;
    score: number;
    weight: number;
    confidence: number;
    points: number;
  }[];
  caps_applied: {
    code: string;
    cap: number;
    /** Rating band; NR when the evidence is too thin, and then score is null. */
    band: 'AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR';
    flag: string | null;
    detail: string;
    binding: boolean;
  }[];
  sources: {
    name: string;
    outcome: string;
    milliseconds: number;
    items_used: number;
    asked: number;
    answered: number;
    detail: string | null;
  }[];
  attributions: {
    source: string;
    text: string;
    url: string;
  }[];
  methodology_version: string;
  warnings: string[];
}

export interface Webhook {
  id: string;
  url: string;
  /** Your own note. */
  description: string | null;
  kinds: ('score_change' | 'risk_flag_change' | 'band_transition')[];
  enabled: boolean;
  /** `gone` (it answered 410), `failing` (nothing came through for 5 days), `by_request`. */
  disabled_reason: string | null;
  created_at: string;
  /** Until then messages carry a signature by the secret before as well. */
  previous_secret_until: string | null;
  health: {
    consecutive_failures: number;
    /** Time of the first failure since the last success. */
    failing_since: string | null;
    /** Time. */
    last_success_at: string | null;
    /** Time. */
    last_failure_at: string | null;
    /** What went wrong, in our words; never the reply of the endpoint. */
    last_failure: string | null;
  };
  data_mode: 'live' | 'sandbox';
}

export interface WhitelistEntry {
  /** CAIP-19 id. */
  asset: string;
  added_at: string;
  /** The account’s own. */
  note: string | null;
  alert_status: 'ok' | 'alerting';
  /** Time of the newest alert; null when there was none. */
  last_alert: string | null;
  /** Alerts that are not acknowledged. */
  open_alerts: number;
  /** Newest score; null when not rated. */
  score: number | null;
  /** Newest band; null when it was never rated. */
  band: string | null;
  /** Time of the newest rating. */
  as_of: string | null;
  /** The request that has it rated, with the project’s name and site filled in; null once it is. */
  how_to_rate: {
    method: string;
    path: string;
    body: unknown;
  } | null;
  thresholds: {
    min_score_change: number;
    flag_severities: ('info' | 'low' | 'medium' | 'high' | 'critical')[];
    bands: ('AAA' | 'AA' | 'A' | 'BBB' | 'BB' | 'B' | 'CCC' | 'CC' | 'C' | 'D' | 'NR')[] | null;
  };
}
