"""What the service takes and answers. Made from /openapi.json by `npm run client:types`; a test fails when it is stale."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .http import Sender, new_key

# Why a feature is one of the gaps.
class Absence(TypedDict):
    # `no_source`: no requested source states it; `not_shown`: the project shows none; `none_found`: searched for and none found, which is good; `unconfirmed`: the project alone states it.
    kind: Literal["no_source", "source_failed", "not_shown", "not_found", "none_found", "unconfirmed", "too_uncertain"]
    # Why it is not known, or not surely, in a sentence or two.
    why: str
    # What counts in its place, and on how much of the score.
    cost: str
    # What can be done, and by whom.
    action: str


# The job continues; poll its address.
class AcceptedJob(TypedDict):
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # `queued` or `running`.
    state: str
    # Where its state and result are read.
    location: str
    data_mode: DataMode


# The account of a key: its plan and what it has. Usage is under /v1/usage, webhooks under /v1/webhooks.
class Account(TypedDict):
    # Whose watchlist, alerts, webhooks, keys and usage this key reaches.
    account_id: str
    key: Key
    plan: Plan
    # Keys that work: how many, of how many.
    keys: AccountKeys
    # Webhooks: how many, of how many.
    webhooks: AccountWebhooks
    # Assets on the watchlist: how many, of how many.
    watchlist: AccountWatchlist
    # Assets requested for indexing: how many, of how many.
    indexed_assets: AccountIndexedAssets
    data_mode: DataMode


# A dispute with the account it is of.
class AccountDispute(TypedDict):
    # Id of the dispute.
    id: str
    # `accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed.
    state: Literal["received", "accepted", "rejected", "restated"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it came. RFC 3339, UTC.
    received_at: str
    # What is wrong, as it was given.
    claim: str
    # As it was given; seen by the account and the operator alone.
    contact: str | None
    # What the operator found; null while it is open.
    resolution: str | None
    # When that was; null while it is open. RFC 3339, UTC.
    resolved_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # `public`: of somebody without a key.
    origin: Literal["account", "public"]
    # Account that disputes; null where none is kept.
    account_id: str | None


# Assets requested for indexing: how many, of how many.
class AccountIndexedAssets(TypedDict):
    # Assets requested for indexing that the account has now.
    used: int
    # As many as its plan allows.
    limit: int


# Keys that work: how many, of how many.
class AccountKeys(TypedDict):
    # Keys that work that the account has now.
    used: int
    # As many as its plan allows.
    limit: int


# Assets on the watchlist: how many, of how many.
class AccountWatchlist(TypedDict):
    # Assets on the watchlist that the account has now.
    used: int
    # As many as its plan allows.
    limit: int


# Webhooks: how many, of how many.
class AccountWebhooks(TypedDict):
    # Webhooks that the account has now.
    used: int
    # As many as its plan allows.
    limit: int


# The alert.
AcknowledgeAlertReply = TypedDict(
    "AcknowledgeAlertReply",
    {
        # Rises within the account, without gaps.
        "id": "int",
        # CAIP-19 id; null for `source_drift`, which is about a source.
        "asset_id": "str | None",
        # Of the asset, untrusted text; null when not known.
        "symbol": "str | None",
        # Of the asset, untrusted text; null when not known.
        "name": "str | None",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
        # Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it.
        "trust_score": "float | None",
        # Name of the source that a `source_drift` is about; null for other kinds, and when it is about several.
        "source": "str | None",
        # What moved: the score, the flags, the band, what a source states, a price off its peg, a rating that was corrected, or a figure of a snapshot that crossed a threshold of the account.
        "kind": "Literal[\"score_change\", \"risk_flag_change\", \"band_transition\", \"source_drift\", \"peg_stress\", \"correction\", \"snapshot_threshold\"]",
        "severity": "Severity",
        # What happened, in one line.
        "title": "str",
        # By kind: how far the score moved, which flags changed, from which band to which, which sources drift, how far a price is off its peg, what was corrected.
        "details": "ScoreChange | FlagChange | BandTransition | SourceDrift | PegStress | Correction | ThresholdCrossed",
        # Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC.
        "rating_as_of": "str | None",
        # When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC.
        "created_at": "str",
        # When it was first acknowledged; null while it is open. RFC 3339, UTC.
        "acknowledged_at": "str | None",
        "data_mode": "DataMode",
    },
)

# Evidence of the party. It is a claim until a source or a register row states it.
class AddAppealEvidenceBody(TypedDict):
    # What is wrong with the rating, and what shows it.
    statement: str
    # Where it can be seen. Reviewers open them; the service does not.
    links: NotRequired[list[str]]


# A checkpoint that a witness signed.
class AddCosignatureBody(TypedDict):
    # Text of a checkpoint with the line of a witness below (C2SP tlog-cosignature).
    note: str


# The outcome for the signature.
class AddCosignatureReply(TypedDict):
    # `kept`: it is shown under its checkpoint from now on.
    state: Literal["kept"]
    data_mode: DataMode


# A name that is known of an address.
class AddressLabel(TypedDict):
    # What the address is, such as `exchange` or `pool`.
    kind: str
    # Readable name.
    name: str
    # Source that states it.
    source: str
    # How sure the statement is, 0-1.
    confidence: float


# Something that happened to a watched asset, or to a source.
Alert = TypedDict(
    "Alert",
    {
        # Rises within the account, without gaps.
        "id": "int",
        # CAIP-19 id; null for `source_drift`, which is about a source.
        "asset_id": "str | None",
        # Of the asset, untrusted text; null when not known.
        "symbol": "str | None",
        # Of the asset, untrusted text; null when not known.
        "name": "str | None",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
        # Trust score of the rating that caused it, 0-100; null when none did, and in older alerts, which did not keep it.
        "trust_score": "float | None",
        # Name of the source that a `source_drift` is about; null for other kinds, and when it is about several.
        "source": "str | None",
        # What moved: the score, the flags, the band, what a source states, a price off its peg, a rating that was corrected, or a figure of a snapshot that crossed a threshold of the account.
        "kind": "Literal[\"score_change\", \"risk_flag_change\", \"band_transition\", \"source_drift\", \"peg_stress\", \"correction\", \"snapshot_threshold\"]",
        "severity": "Severity",
        # What happened, in one line.
        "title": "str",
        # By kind: how far the score moved, which flags changed, from which band to which, which sources drift, how far a price is off its peg, what was corrected.
        "details": "ScoreChange | FlagChange | BandTransition | SourceDrift | PegStress | Correction | ThresholdCrossed",
        # Time of the rating that caused it; null for `source_drift` and `peg_stress`. RFC 3339, UTC.
        "rating_as_of": "str | None",
        # When it was stored: in one transaction with the rating, if one caused it. RFC 3339, UTC.
        "created_at": "str",
        # When it was first acknowledged; null while it is open. RFC 3339, UTC.
        "acknowledged_at": "str | None",
    },
)

# The status of an appeal.
class Appeal(TypedDict):
    # Reference of the appeal; anyone who has it may read the status.
    reference: str
    # `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating.
    state: Literal["awaiting_proof", "expired", "proved", "under_review", "accepted", "rejected", "corrected"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it was opened. RFC 3339, UTC.
    opened_at: str
    # Until when control has to be proved. RFC 3339, UTC.
    expires_at: str
    # The proof of control; null before it.
    proof: OpenedAppealProof | None
    # How often evidence was sent. It is read by the reviewers and not shown.
    evidence_count: int
    # Reviews of the present step; two that agree decide.
    review_count: int
    # What the reviewers found; null before.
    finding: str | None
    # When they decided; null before. RFC 3339, UTC.
    decided_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    data_mode: DataMode


# The receipt of one reply.
class ArchivedReply(TypedDict):
    # Unique within the job; observations name it as `evidence`.
    id: str
    # Source of the reply.
    source: str
    # Endpoint of the source.
    endpoint: str
    # Outcome of the request, such as `ok`, `not_found` or `timeout`.
    outcome: str
    # The requested address, without keys.
    url: str
    # HTTP status; null when there was no reply.
    status: float | None
    # When the reply came. RFC 3339, UTC.
    fetched_at: str
    # Time it took.
    milliseconds: float
    # SHA-256 of the reply’s decoded body, hex; null without one.
    sha256: str | None
    # Length of the decoded body; null without one.
    bytes: float | None
    # What went wrong; null when nothing did.
    detail: str | None


# How an asset is named everywhere in Assay.
class Asset(TypedDict):
    # CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.
    id: str
    # Our name of the chain (GET /v1/chains); null without a token.
    chain: str | None
    # Mint or contract; `native` for a chain’s own coin; null without a token.
    address: str | None
    # Ticker, as the token itself states: untrusted text, not unique.
    symbol: str | None
    # What the token or the project calls itself: untrusted text.
    name: str
    # Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known.
    category: str | None
    # The project’s own site, when known.
    website: str | None


# A published rating that a contract can check.
class Attestation(TypedDict):
    # CAIP-19 id.
    asset_id: str
    # CAIP-2 id of the chain that it is for.
    chain: str
    # Of the rating. RFC 3339, UTC.
    as_of: str
    # From then on contracts refuse it. RFC 3339, UTC.
    expires_at: str
    # What is signed of the rating.
    claim: AttestationClaim
    # Schema of the EAS attestation’s data.
    schema: str
    # For an EVM chain; null for another.
    eas: EasAttestation | None
    # For a cluster of Solana; null for another chain.
    solana: SolanaAttestation | None
    data_mode: DataMode


# What is signed of the rating.
class AttestationClaim(TypedDict):
    # SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id. 32 bytes in hexadecimal after 0x.
    asset: str
    # Place of the band: AAA is 0, D is 9.
    band: int
    # In tenths of a point.
    score: int
    # In tenths of a point.
    trust: int
    # Hash of the published record: that of its leaf in the log (GET /v1/rms/{asset}/proofs).
    record_sha256: str


# A key as a JWK (RFC 7517, RFC 8812), with its address.
class AttestationKey(TypedDict):
    # Name of the key.
    kid: str
    # Elliptic curve, always.
    kty: Literal["EC"]
    # The curve, always this one.
    crv: Literal["secp256k1"]
    # First coordinate, 32 bytes in base64url.
    x: str
    # Second coordinate, 32 bytes in base64url.
    y: str
    # For signatures, always.
    use: Literal["sig"]
    # The address by which EVM contracts identify the key.
    address: str
    # When it was made. RFC 3339, UTC.
    created_at: str
    # When another took its place; null while it signs. RFC 3339, UTC.
    retired_at: str | None


# What the terms of a source require to be shown beside its data.
class Attribution(TypedDict):
    # Name of the source that requires it.
    source: str
    # The text to show.
    text: str
    # The link to set below them.
    url: str


# From which band to which.
BandTransition = TypedDict(
    "BandTransition",
    {
        # Band before.
        "from": "Band",
        # Band now.
        "to": "Band",
        # What this rating did to the one before.
        "action": "Literal[\"new\", \"affirm\", \"upgrade\", \"downgrade\", \"withdraw\"]",
        # Why, in one line.
        "reason": "str",
    },
)

# The assets to read.
class BatchRatingsBody(TypedDict):
    # Named as in the path of GET /v1/rms/{asset}; as many as the plan’s batch size (GET /v1/plans).
    assets: list[str]
    # `digest`: entries in the short form, as `view=digest` gives them one by one.
    view: NotRequired[Literal["full", "digest"]]


class BatchRatingsReplyItem(TypedDict):
    # The asset as requested.
    requested: str
    # The problem object that the asset alone would have got.
    error: BatchRatingsReplyItemError


# The problem object that the asset alone would have got.
class BatchRatingsReplyItemError(TypedDict):
    # The problem’s stable word, such as `asset_not_rated`.
    code: str


# What fails together when one node fails.
class Breakage(TypedDict):
    # What fails.
    kind: Literal["asset", "issuer", "protocol", "bridge", "underlying", "collateral", "oracle", "chain"]
    # Its name; of an asset its id.
    name: str
    # Part of the portfolio that is lost when it fails altogether. 0-1.
    loss: float
    # Positions that lose by it, the largest loss first.
    positions: list[BreakagePositionsItem]


class BreakagePositionsItem(TypedDict):
    # A position that loses by it.
    asset_id: str
    # Part of the position. 0-1.
    loss: float


# What a rating is made of.
class Breakdown(TypedDict):
    asset: RatedAsset
    # As published.
    score: float | None
    # As published.
    band: Band
    # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
    trust_score: float
    # Their points add up to `score`, to the last digit. Empty when there is no score.
    contributions: list[Contribution]
    # Every factor with all its features.
    factors: list[Factor]
    # Ceilings on the score whose condition held.
    caps: list[Cap]
    # Flags that are raised.
    risk_flags: list[RiskFlag]
    # What is not known, and why.
    gaps: list[Gap]
    # Quantities whose sources contradict each other.
    conflicts: list[RatingRecordConflictsItem]
    # Rows of kept registers in its evidence, as they were then, with what each decided.
    register_rows: list[CitedRegisterRow]
    # The rating in a few sentences.
    summary: str
    # What this rating cannot show.
    limitations: list[str]
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules.
    methodology_hash: str
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    data_mode: DataMode
    correction: NotRequired[RatingCorrection]
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int


# Many assets scored as one job: how far it is.
class BulkJob(TypedDict):
    # Id of the bulk job.
    bulk_id: str
    # `cancelled`: its rows that waited are given up, and those under way end by themselves.
    state: Literal["running", "finished", "cancelled"]
    # When it was sent. RFC 3339, UTC.
    created_at: str
    # When its last row ended; null before. RFC 3339, UTC.
    finished_at: str | None
    # Number of rows by state.
    rows: BulkJobRows
    # Why rows failed or were refused, the most frequent first.
    reasons: list[BulkJobReasonsItem]
    # Rows that are scored at the same time.
    at_once: int
    # About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end.
    eta_seconds: float | None
    # Path of the bulk job.
    location: str
    # Path of its rows; with `format=csv` as a table.
    results: str
    data_mode: DataMode


class BulkJobReasonsItem(TypedDict):
    # Code of the problem.
    code: str
    # Rows that it ended.
    rows: int


# Number of rows by state.
class BulkJobRows(TypedDict):
    # Rows that were sent.
    total: int
    # Rows of which nothing more is to come.
    done: int
    # Rows whose turn has not come.
    waiting: int
    # Rows that are scored now.
    running: int
    # Rows with a result.
    rated: int
    # Rows whose score failed; each states why.
    failed: int
    # Rows that were not begun: they could not be read, or are more than the plan allows.
    refused: int
    # Rows that repeat an earlier one, which has the result.
    duplicate: int
    # Rows that were given up.
    cancelled: int


# The rating of a row in short; the whole one is at its job.
class BulkResult(TypedDict):
    # Id of the asset that was rated (CAIP-19).
    asset: str
    # Ticker, untrusted text.
    symbol: str | None
    # Name, untrusted text.
    name: str
    band: Band
    # 0-100; null where the evidence is too thin.
    score: float | None
    # 0-100.
    trust_score: float | None
    # The rating is published, and read under /v1/rms.
    published: bool
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    # What a reader should know.
    warnings: list[str]


# One row of a bulk job.
class BulkRow(TypedDict):
    # Number of the row as it was sent, from 1.
    row: int
    # The content of the row.
    requested: BulkRowRequested
    # What became of it.
    state: Literal["waiting", "running", "rated", "failed", "refused", "duplicate", "cancelled"]
    # Its scoring job (GET /v1/jobs/{id}); null before its turn, and of rows that have none.
    job_id: str | None
    # Number of the row that it repeats; null of others.
    duplicate_of: int | None
    # Null until it is rated.
    result: BulkResult | None
    # Null unless it failed or was refused.
    error: BulkRowError | None
    # When it ended. RFC 3339, UTC.
    ended_at: str | None


# Why a row has no result, as the problem of a score states it.
class BulkRowError(TypedDict):
    # A stable code for programs.
    code: str
    # The problem in short; the same for every such problem.
    title: str
    # What happened this time, what was expected, and what to do.
    detail: str
    # Whether to repeat the request: `no`; the `same` request at once; the same `after` Retry-After; or a `corrected` one.
    retry: Literal["no", "same", "after", "corrected"]
    # Every error of the request, all at once.
    errors: NotRequired[list[BulkRowErrorErrorsItem]]
    # Assets that the text may mean.
    candidates: NotRequired[list[BulkRowErrorCandidatesItem]]
    # What was tried.
    tried: NotRequired[list[str]]
    # The limit that was reached.
    limit: NotRequired[int]


class BulkRowErrorCandidatesItem(TypedDict):
    # Id of an asset: accepted as `asset` of another row.
    id: str
    # Ticker, untrusted text.
    symbol: str | None
    # Name, untrusted text.
    name: str
    # Evidence for it.
    why: str


class BulkRowErrorErrorsItem(TypedDict):
    # JSON pointer (RFC 6901) to the field, or `/` and the parameter.
    pointer: str
    # A stable code.
    code: str
    # What was expected there.
    detail: str


# The content of the row.
class BulkRowRequested(TypedDict):
    # The one word, where the row has one.
    asset: str | None
    # Name of the project.
    project: str | None
    # Its web address.
    project_url: str | None


# A ceiling on the score, regardless of the rest (methodology, Caps).
class Cap(TypedDict):
    # Code of the cap, in the methodology’s table of caps.
    code: str
    # The highest score it allows, 0-100.
    cap: float
    # The best band it allows.
    band: Band
    # Code of the flag that caused it; null for caps on thin evidence.
    flag: str | None
    # The condition that holds.
    detail: str
    # This cap set the score; others were less strict or did not matter.
    binding: bool


# All aggregates of market, holders and pools of one asset at the end of a day.
class ChainExportRow(TypedDict):
    # The day, YYYY-MM-DD in UTC.
    date: str
    # CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.
    asset_id: str
    # Our name of the chain (GET /v1/chains); null without a token.
    chain: str | None
    # Mint or contract; `native` for a chain’s own coin; null without a token.
    address: str | None
    # Ticker, as the token itself states: untrusted text, not unique.
    symbol: str | None
    # What the token or the project calls itself: untrusted text.
    name: str
    # Categories as the sources name them; null when not known.
    category: str | None
    # When the market numbers were true. RFC 3339, UTC.
    market_as_of: str | None
    # Consensus price, US dollars.
    price_usd: float | None
    # Confidence of the price, 0-1: a weight, not the chance of being right.
    price_confidence: float | None
    # Change of the price over one hour, percent.
    change_1h_pct: float | None
    # Change of the price over 24 hours, percent.
    change_24h_pct: float | None
    # Change of the price over 7 days, percent.
    change_7d_pct: float | None
    # Change of the price over 30 days, percent.
    change_30d_pct: float | None
    # Traded in 24 hours, US dollars.
    volume_24h_usd: float | None
    # Price times circulating supply.
    market_cap_usd: float | None
    # Price times total (or maximum) supply.
    fully_diluted_value_usd: float | None
    # Whole tokens.
    circulating_supply: float | None
    # Whole tokens; of a token on several chains, on this one.
    total_supply: float | None
    # Whole tokens; null when there is no maximum or it is not known.
    max_supply: float | None
    # Both sides of all pools, US dollars.
    liquidity_usd: float | None
    # Volume of 24 hours over market capitalisation, percent.
    turnover_pct: float | None
    # Volume of 24 hours over liquidity, a ratio.
    volume_to_liquidity: float | None
    # Standard deviation of daily log returns over 30 days, percent per day.
    volatility_30d_pct: float | None
    # All-time high, US dollars.
    ath_usd: float | None
    # Below the all-time high. 0-100; null when not known.
    drawdown_pct: float | None
    # Markets seen.
    venues: int | None
    # How far the venues’ prices lie apart (1.4826 MAD of log prices), percent.
    price_dispersion_pct: float | None
    # When the holder numbers were true. RFC 3339, UTC.
    holders_as_of: str | None
    # How good the list of holders is: `full_scan`, `indexer` or `top20_only`.
    holders_method: Literal["full_scan", "indexer", "top20_only"] | None
    # Owners with more than nothing.
    holder_count: int | None
    # Share of the largest holder, of all addresses. 0-100; null when not known.
    top_1_pct: float | None
    # Share of the ten largest, of all addresses. 0-100; null when not known.
    top_10_pct: float | None
    # Share of the twenty largest, of all addresses. 0-100; null when not known.
    top_20_pct: float | None
    # Share of the fifty largest, of all addresses. 0-100; null when not known.
    top_50_pct: float | None
    # Share of the hundred largest, of all addresses. 0-100; null when not known.
    top_100_pct: float | None
    # Share of the largest holder without pools, burn, lockers, bridges and exchanges. 0-100; null when not known.
    adjusted_top_1_pct: float | None
    # Share of the ten largest in that adjusted view. 0-100; null when not known.
    adjusted_top_10_pct: float | None
    # Share of the hundred largest in the adjusted view. 0-100; null when not known.
    adjusted_top_100_pct: float | None
    # Herfindahl-Hirschman index of the adjusted view, 0-10,000.
    hhi: float | None
    # Gini coefficient of the adjusted view, 0-1.
    gini: float | None
    # Shannon entropy of the adjusted view, natural logarithm.
    entropy: float | None
    # One over the sum of squared shares of the adjusted view.
    effective_holders: float | None
    # Fewest holders of the adjusted view with more than half.
    nakamoto_50: int | None
    # Fewest holders of the adjusted view with more than a third.
    nakamoto_33: int | None
    # Share of those of the twenty largest that have no label. 0-100; null when not known.
    unlabelled_top20_share_pct: float | None
    # Balances seen over the total supply; 1 when all were seen.
    holders_coverage: float | None
    # When the pool numbers were true. RFC 3339, UTC.
    pools_as_of: str | None
    # Pools known.
    pools: int | None
    # Of them, read from the chain itself.
    verified_pools: int | None
    # Both sides of all pools whose value is known, US dollars.
    tvl_usd: float | None
    # Traded in 24 hours in all pools, US dollars.
    pools_volume_24h_usd: float | None
    # Fees of 24 hours of all pools, US dollars.
    pools_fees_24h_usd: float | None
    # US dollars that buyers put in before the price is 2 % up.
    depth_2pct_up_usd: float | None
    # US dollars that sellers take out before the price is 2 % down.
    depth_2pct_down_usd: float | None
    # Average cost of buying for 1,000 US dollars, fee included, percent.
    slippage_1k_buy_pct: float | None
    # Average cost of buying for 10,000 US dollars, fee included, percent.
    slippage_10k_buy_pct: float | None
    # Average cost of buying for 100,000 US dollars, fee included, percent.
    slippage_100k_buy_pct: float | None
    # Average cost of selling for 10,000 US dollars, fee included, percent.
    slippage_10k_sell_pct: float | None
    # How the depth of all pools together was found; `mixed`: of some `exact`, of others a `tvl_proxy`; null without depth.
    depth_method: Literal["exact", "mixed", "tvl_proxy"] | None
    # Names of all sources of the row, joined by `;`.
    sources: str


# What to change; at least one field.
class ChangeWebhookBody(TypedDict):
    # https, port 443, a public host name. Redirects are not followed.
    url: NotRequired[str]
    # Your own note.
    description: NotRequired[str | None]
    # Kinds of alerts it is sent; all of them by default. The account has alerts of the kind `source_drift` only after PUT /v1/alerts/source-drift.
    kinds: NotRequired[list[Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"]]]
    # When it is switched on again, its failures are counted from zero.
    enabled: NotRequired[bool]
    # Shape of the messages: `assay` is signed (Standard Webhooks); the others are what incoming webhooks of Slack and Discord and `sendMessage` of Telegram take.
    format: NotRequired[Literal["assay", "slack", "discord", "telegram"]]
    # With the format `telegram`, and only there: number of the chat, or @name of the channel.
    chat_id: NotRequired[str | None]


# Changes that users see, by version.
class ChangelogFeed(TypedDict):
    # Version of the format.
    version: Literal["https://jsonfeed.org/version/1.1"]
    # Title of the feed.
    title: str
    # What it is about.
    description: str
    # A version each, the newest first.
    items: list[ChangelogFeedItemsItem]
    data_mode: DataMode


class ChangelogFeedItemsItem(TypedDict):
    # Stays the same: `assay/<version>`.
    id: str
    # The version, with `unreleased` while it changes.
    title: str
    # What changed, as Markdown.
    content_text: str
    # RFC 3339, UTC; left out while the version is not released.
    date_published: NotRequired[str]


# The asset and the rules.
class CheckPolicyBody(TypedDict):
    # Named as in the path of GET /v1/rms/{asset}.
    asset: str
    # Amount to be held or bought, US dollars; compared with the largest exposure.
    amount_usd: NotRequired[float]
    # Rules to begin with (GET /v1/policy/presets). Default: wallet.
    preset: NotRequired[Literal["wallet", "listing_desk", "treasury", "agent"]]
    rules: NotRequired[PolicyRules]


# Positions in one of three forms, and the rules.
class CheckPortfolioBody(TypedDict):
    # The positions.
    positions: NotRequired[list[PositionInput]]
    # The positions as CSV with the header `asset` and `value_usd` or `quantity`, instead of `positions`.
    csv: NotRequired[str]
    # An address whose holdings are the positions, read from the chains now; instead of `positions` and `csv`.
    address: NotRequired[str]
    # With `address`: the chains that are read. Default: every chain with such addresses that has a node here.
    chains: NotRequired[list[Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"]]]
    # Rules to begin with (GET /v1/policy/presets). Default: wallet.
    preset: NotRequired[Literal["wallet", "listing_desk", "treasury", "agent"]]
    rules: NotRequired[PolicyRules]
    # Runs in which issuers, bridges, oracles and collateral fail by chance.
    simulation: NotRequired[CheckPortfolioBodySimulation]


# Runs in which issuers, bridges, oracles and collateral fail by chance.
class CheckPortfolioBodySimulation(TypedDict):
    # The same seed gives the same bytes.
    seed: NotRequired[int]
    # Number of runs.
    runs: NotRequired[int]


# A row of a kept register behind a rating, as it was when that was made.
class CitedRegisterRow(TypedDict):
    # Name of the register.
    register: str
    # Id of the row in it.
    id: str
    # What it is about.
    name: str | None
    # The operator’s own row; else one that a version ships.
    own: bool
    # `confirmed`: a source that was read proves every cell and two people reviewed the row; `unconfirmed`: not so; `expired`: it has to be checked again.
    state: Literal["confirmed", "unconfirmed", "expired"]
    # Two people reviewed it.
    reviewed: bool
    # When the row was last checked; null: of no day. YYYY-MM-DD.
    read_on: str | None
    # When it has to be checked again; null: it is not kept by days. YYYY-MM-DD.
    expires: str | None
    # What the row was read from.
    sources: list[CitedRegisterRowSourcesItem]
    # What it decided; empty: nothing that counted.
    decided: list[CitedRegisterRowDecidedItem]


class CitedRegisterRowDecidedItem(TypedDict):
    # A quantity that the row states and that counted, or `class`.
    quantity: str
    # The cell of the row; null: the row as a whole.
    cell: str | None
    # `proven`: a source that was read states it; `unconfirmed`: none that was read, so it counts less and never as supervised; `expired`: it has to be checked again.
    state: Literal["proven", "unconfirmed", "expired"]
    # When the cell has to be checked again; null: it is not kept by days. YYYY-MM-DD.
    expires: str | None


class CitedRegisterRowSourcesItem(TypedDict):
    # Where it was read, or a description.
    url: str
    # On what terms it is used.
    licence: str | None
    # The day of what was read; null: not read yet. YYYY-MM-DD.
    read_on: str | None


# A rated asset of the same class.
class ClassPeer(TypedDict):
    # CAIP-19 id.
    asset_id: str
    # Ticker, untrusted text; null when not known.
    symbol: str | None
    # Name, untrusted text; null when not known.
    name: str | None
    # As published.
    band: Band
    # As published, 0-100.
    score: float
    # Trust in its evidence, 0-100.
    trust_score: float
    # Price over fair value; null when none can be computed.
    vfr: float | None
    # Market capitalisation, US dollars; null when not known.
    market_cap_usd: float | None


# How a supply is spread over its holders, in one view of them.
class Concentration(TypedDict):
    # Holders in this view.
    holder_count: float | None
    # Share of the largest holder. 0-100; null when not known.
    top_1_pct: float | None
    # Share of the five largest. 0-100; null when not known.
    top_5_pct: float | None
    # Share of the ten largest. 0-100; null when not known.
    top_10_pct: float | None
    # Share of the twenty largest. 0-100; null when not known.
    top_20_pct: float | None
    # Share of the fifty largest. 0-100; null when not known.
    top_50_pct: float | None
    # Share of the hundred largest. 0-100; null when not known.
    top_100_pct: float | None
    # Gini coefficient, 0-1; null for fewer than two holders.
    gini: float | None
    # The same over holders of at least one dollar; null without a price.
    gini_min: float | None
    # Herfindahl-Hirschman index, 0-10,000.
    hhi: float | None
    # One over the sum of squared shares.
    effective_holders: float | None
    # Shannon entropy, natural logarithm.
    entropy: float | None
    # e to the entropy.
    entropy_holders: float | None
    # Entropy over ln n, 0-1; null for one holder.
    entropy_normalised: float | None
    # Fewest holders with more than half; null when no number of them has it.
    nakamoto_50: float | None
    # Fewest holders with more than a third; null when no number of them has it.
    nakamoto_33: float | None
    # Codes such as `n_lt_k` (fewer than a hundred holders) and `one_holder`.
    notes: list[str]


# Proof that nothing before was changed.
ConsistencyProof = TypedDict(
    "ConsistencyProof",
    {
        # Size of the older tree.
        "from": "int",
        # Size of the newer tree.
        "to": "int",
        # Proof that the newer tree begins with the older (RFC 9162, 2.1.4); empty where they are one.
        "path": "list[str]",
        "data_mode": "DataMode",
    },
)

# One line of the sum that makes the score.
class Contribution(TypedDict):
    # What the line is; `evidence_limit`: too few sources were asked for a higher score; `standing_rating`: today’s evidence is too thin and the previous score remains in force.
    kind: Literal["prior", "factor", "caps", "default", "evidence_limit", "fading_caps", "standing_rating"]
    # PRIOR, a factor’s code, CAP, DEFAULT, EVIDENCE or STANDS.
    code: str
    # What it is called.
    name: str
    # In steps of 0.1.
    points: float
    # Where the points come from.
    detail: str


# Correction of a rating that the account was notified of.
class Correction(TypedDict):
    # Number of the correction, see GET /v1/restatements.
    restatement_id: int
    # Job that made the rating that was wrong.
    job_id: str
    # Why it was corrected.
    reason: str
    # The rating as published.
    before: CorrectionBefore
    # The rating that should have been published.
    after: CorrectionAfter


# The rating that should have been published.
class CorrectionAfter(TypedDict):
    # As corrected.
    band: Band
    # As corrected; null when not rated.
    score: float | None


# The rating as published.
class CorrectionBefore(TypedDict):
    # As published.
    band: Band
    # As published; null when not rated.
    score: float | None


# What would move the rating to the next band.
class Counterfactual(TypedDict):
    # The asset.
    asset_id: str
    # The present band.
    published_band: Band
    # Score that the changes are reckoned from; null when it is not rated.
    score: float | None
    # The next better band; null when there is none to reckon.
    band: Band | None
    # Its cut-off with the margin of the bands’ hysteresis; null without a next band.
    needed_score: float | None
    # So many daily ratings have to be that high.
    needed_ratings: int
    # Caps in the way. Changes are reckoned as if they had ended.
    obstacles: list[Obstacle]
    # Score once the obstacles have ended, which points of `raises` and `pairs` are counted from; null with `score`.
    score_without_obstacles: float | None
    # Changes of one feature: those that are enough alone, the smallest first, then those that add most.
    raises: list[FeatureChange]
    # Two changes that are enough together, where no single one is.
    pairs: list[CounterfactualPairsItem]
    # The next worse band; null when there is none.
    lower_band: Band | None
    # Below it the band falls; null without a worse band.
    lower_score: float | None
    # The smallest changes of one feature that lead there.
    lowers: list[FeatureChange]
    # Why nothing is reckoned; null when it is.
    reason: str | None
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    data_mode: DataMode
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int


class CounterfactualPairsItem(TypedDict):
    # The two changes.
    changes: list[FeatureChange]
    # Score with both, rated anew.
    score: float


# How many assets the account has requested, and how many its plan allows.
class Coverage(TypedDict):
    # Assets that the account has requested, on all chains.
    used: int
    # `indexed_assets` of the key’s plan; null for administrators, who have no limit.
    limit: int | None


# The key to make: of the account and plan of the requesting key.
class CreateAccountKeyBody(TypedDict):
    # A name of 1 to 100 visible characters: who uses it, and for what.
    name: str
    # What it may do: all or some of the scopes of the requesting key.
    scopes: list[Literal["score", "rms:read", "rms:write", "chain:read", "account", "admin"]]
    # RFC 3339 time from which on it is refused, no later than that of the requesting key; without it, or null: as that one.
    expires_at: NotRequired[str | None]
    # Addresses and CIDR ranges it may be used from; without it: any.
    allowed_ips: NotRequired[list[str]]


# The assets to score. The same as `text/csv`, with a header of the field names, or one asset a line.
class CreateBulkJobBody(TypedDict):
    # 1 to 1000 rows: each an asset in one word, or the fields of a scoring request. A row that cannot be read does not affect other rows.
    rows: list[str | CreateBulkJobBodyRowsItem]


class CreateBulkJobBodyRowsItem(TypedDict):
    # posttge or pretge, in any case; echoed in lower case, as the job id begins.
    type: NotRequired[str]
    # Project name.
    project: NotRequired[str]
    # Project web address, http or https, on a public host. A bare host gets `https://`.
    project_url: NotRequired[str]
    # Token ticker.
    token_symbol: NotRequired[str]
    # Free-text project category.
    category: NotRequired[str]
    # Chain the project runs on: a name, a symbol or a CAIP-2 id.
    blockchain: NotRequired[str]
    # Mint or contract, when the caller knows it.
    token_address: NotRequired[str]
    # minimal, standard (default) or full.
    output_format: NotRequired[str]
    # In place of project and project_url: a CAIP-19 id, chain:address, an address, the url or host of the project’s site, a ticker or a name. Several assets that it may mean are 409 `ambiguous_project` with candidates, whose ids are accepted here; a name that none has is 422 `project_not_identified`, with those of similar names as candidates.
    asset: NotRequired[str]


# Accepted and stored: it continues when this connection or a process ends.
class CreateBulkJobReply(TypedDict):
    # Id of the bulk job.
    bulk_id: str
    # `cancelled`: its rows that waited are given up, and those under way end by themselves.
    state: Literal["running", "finished", "cancelled"]
    # When it was sent. RFC 3339, UTC.
    created_at: str
    # When its last row ended; null before. RFC 3339, UTC.
    finished_at: str | None
    # Number of rows by state.
    rows: BulkJobRows
    # Why rows failed or were refused, the most frequent first.
    reasons: list[BulkJobReasonsItem]
    # Rows that are scored at the same time.
    at_once: int
    # About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end.
    eta_seconds: float | None
    # Path of the bulk job.
    location: str
    # Path of its rows; with `format=csv` as a table.
    results: str
    data_mode: DataMode


# What is wrong about which rating.
class CreateDisputeBody(TypedDict):
    # As in rating reads: an id, an address, or a symbol.
    asset: str
    # `job_id` of the rating that is wrong; without it: the newest.
    job_id: NotRequired[str]
    # What is wrong, and what shows it.
    claim: str
    # Where inquiries may be sent. Never shown in public.
    contact: NotRequired[str]


# The key to make.
class CreateKeyBody(TypedDict):
    # A name of 1 to 100 visible characters: who uses it, and for what.
    name: str
    # What it may do.
    scopes: list[Literal["score", "rms:read", "rms:write", "chain:read", "account", "admin"]]
    # Name of the plan whose limits it has (GET /v1/plans). Default: RATING.
    plan: NotRequired[str]
    # Share the account of another key; without it, or null, the key gets its own.
    account_id: NotRequired[str | None]
    # RFC 3339 time from which on it is refused; without it, or null: never.
    expires_at: NotRequired[str | None]
    # Addresses and CIDR ranges it may be used from; without it: any.
    allowed_ips: NotRequired[list[str]]


# What is wrong with the newest rating.
class CreateObjectionBody(TypedDict):
    # As in rating reads: an id, an address, or a symbol.
    asset: str
    # What is wrong, and what shows it.
    claim: str
    # Where inquiries may be sent. Never shown in public.
    contact: NotRequired[str]


# Where to send what.
class CreateWebhookBody(TypedDict):
    # https, port 443, a public host name. Redirects are not followed.
    url: str
    # Your own note.
    description: NotRequired[str | None]
    # Kinds of alerts it is sent; all of them by default. The account has alerts of the kind `source_drift` only after PUT /v1/alerts/source-drift.
    kinds: NotRequired[list[Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"]]]
    # Shape of the messages: `assay` is signed (Standard Webhooks); the others are what incoming webhooks of Slack and Discord and `sendMessage` of Telegram take. Default: assay.
    format: NotRequired[Literal["assay", "slack", "discord", "telegram"]]
    # With the format `telegram`, and only there: number of the chat, or @name of the channel.
    chat_id: NotRequired[str | None]


# A page of the present ratings.
class CurrentRatings(TypedDict):
    # In the order of the asset ids.
    data: list[RatingExportRow]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# The asset has failed, by tests that are written down (methodology, Default).
class Default(TypedDict):
    # When it defaulted. RFC 3339, UTC.
    since: str
    # When it is cured if nothing comes up again. RFC 3339, UTC.
    cures_at: str | None
    # Default tests that are met; empty while it waits to be cured.
    tests: list[DefaultTestsItem]


class DefaultTestsItem(TypedDict):
    # D1 to D8, in the methodology’s table of default tests.
    code: str
    # What meets the test.
    detail: str
    # Since when it is met. RFC 3339, UTC.
    since: str


# One message to a webhook, and its outcome.
class Delivery(TypedDict):
    # What the receiver sees as `webhook-id`; the same at every attempt.
    id: str
    # `alert.<kind>`, `alert.digest` or `webhook.test`.
    type: str
    # Number of the alert it is about; null for digests and tests.
    alert_id: int | None
    # `folded`: it went out within a digest.
    state: Literal["pending", "delivered", "failed", "folded"]
    # Delivery of the digest it was folded into; null when it was not.
    digest_id: str | None
    # Attempts made so far.
    attempts: int
    # When it was put into the queue. RFC 3339, UTC.
    created_at: str
    # When it is tried again; null unless it is pending. RFC 3339, UTC.
    next_attempt_at: str | None
    # When it was delivered, given up or folded; null while it is pending. RFC 3339, UTC.
    finished_at: str | None
    # HTTP status of the last attempt; null before the first, and when there was no reply.
    last_status: int | None
    # What went wrong at the last attempt.
    last_detail: str | None


# One dependency of a position.
class DependencyEdge(TypedDict):
    # The position.
    asset_id: str
    # Kind of the node that it depends on.
    kind: Literal["issuer", "protocol", "bridge", "underlying", "collateral", "oracle", "chain"]
    # The node.
    name: str
    # Part of the loss of the node that passes on. 0-1.
    share: float
    # The row of a register that states it, or `asset id`.
    source: str
    # False where no read source proves the row’s cell.
    confirmed: bool


# What it takes to move the price so far.
class Depth(TypedDict):
    # Size of the price move, percent.
    move_pct: float
    # US dollars that sellers take out before the price is so far down; null: not known.
    down_usd: float | None
    # US dollars that buyers put in before the price is so far up; null: not known.
    up_usd: float | None


# A statement that a rating is wrong, and its outcome.
class Dispute(TypedDict):
    # Id of the dispute.
    id: str
    # `accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed.
    state: Literal["received", "accepted", "rejected", "restated"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it came. RFC 3339, UTC.
    received_at: str
    # What is wrong, as it was given.
    claim: str
    # As it was given; seen by the account and the operator alone.
    contact: str | None
    # What the operator found; null while it is open.
    resolution: str | None
    # When that was; null while it is open. RFC 3339, UTC.
    resolved_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # `public`: of somebody without a key.
    origin: Literal["account", "public"]
    data_mode: DataMode


# The rating it is about; null when it is not kept.
class DisputeRating(TypedDict):
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # When its facts were true. RFC 3339, UTC.
    as_of: str
    band: Band
    # 0-100; null when not rated.
    score: float | None


# What a listing desk has to look at, with evidence or an explicit gap for each.
class Dossier(TypedDict):
    asset: RatedAsset
    # As published.
    band: Band
    # As published, 0-100; null when not rated.
    score: float | None
    # How far the evidence can be trusted, 0-100.
    trust_score: float
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    correction: NotRequired[RatingCorrection]
    # What a dossier is and is not.
    notice: str
    # Reading aids for stablecoins are there for stablecoins alone.
    frameworks: list[DossierFramework]
    data_mode: DataMode


# One piece of evidence, with its date and sources.
class DossierEvidence(TypedDict):
    # What it is: one value of many sources, one finding of the rating, or a condition that was tested.
    kind: Literal["quantity", "feature", "flag"]
    # Its id or code.
    name: str
    # Its subject.
    title: str
    # `not_raised`: the condition was not met, or its evidence is missing; it proves nothing alone. `withheld`: known, but the terms of its only source forbid showing it. `none_shown`: the project received the request and shows none.
    status: Literal["stated", "raised", "not_raised", "withheld", "none_shown", "not_known", "not_applicable"]
    # The value as text; null where none is shown.
    value: str | None
    # How it came about, or why it is not known; outside text; null where there is nothing to add.
    detail: str | None
    # Date of the oldest value it rests on; null without one. RFC 3339, UTC.
    as_of: str | None
    # Names of the sources that were accepted for it.
    sources: list[str]


# One regulation, or the subjects of one assessment.
class DossierFramework(TypedDict):
    # Id of the framework.
    id: str
    # Its title.
    title: str
    # `reading_aid`: the subjects of somebody else’s assessment, which this is not.
    kind: Literal["regulation", "reading_aid"]
    # What the reader must know of this part.
    notice: str
    # Requirements by state. They are not a grade.
    counts: DossierFrameworkCounts
    # In the order of the text.
    requirements: list[DossierRequirement]


# Requirements by state. They are not a grade.
class DossierFrameworkCounts(TypedDict):
    # Requirements that the evidence covers in full.
    evidence: int
    # Requirements that it covers in part.
    partial: int
    # Requirements with none.
    gap: int
    # Requirements that public evidence cannot cover.
    reader: int


# One requirement with its evidence, or an explicit gap.
class DossierRequirement(TypedDict):
    # Id of the requirement.
    id: str
    # Its place in the text.
    reference: str
    # What it requires, paraphrased. The text itself is authoritative.
    requirement: str
    # `evidence`: everything that is looked at is known; `partial`: some of it, or the reader has to supply the rest; `gap`: nothing; `reader`: public evidence cannot show it.
    state: Literal["evidence", "partial", "gap", "reader"]
    # What is missing; null where nothing is.
    gap: str | None
    # What public evidence cannot show and the reader supplies; null: nothing.
    left_to_reader: str | None
    # Evidence for it.
    evidence: list[DossierEvidence]
    # Public text that the paraphrase was checked against; null: none could be read, check it yourself.
    checked_against: DossierRequirementCheckedAgainst | None


# Public text that the paraphrase was checked against; null: none could be read, check it yourself.
class DossierRequirementCheckedAgainst(TypedDict):
    # Who published the text that was read.
    publisher: str
    # Its address.
    url: str
    # Day it was read, YYYY-MM-DD.
    read_on: str


# Whether the account gets alerts of the kind `source_drift`.
class DriftSubscription(TypedDict):
    # The account is notified when a source changes what it states.
    subscribed: bool
    # Names of the sources it is notified of; null: all, also those of later versions.
    sources: list[str] | None
    # Open drifts that the account was notified of.
    open: list[DriftSubscriptionOpenItem]
    data_mode: DataMode


class DriftSubscriptionOpenItem(TypedDict):
    # Name of the source.
    source: str
    severity: Severity
    # When the account was notified. RFC 3339, UTC.
    opened_at: str


# One part of what moved the score.
class Driver(TypedDict):
    # Code of a factor; CAP for caps, DEFAULT, STAGE for a change of model, or RECORD for a change of name, website, category or class.
    code: str
    # Its name.
    name: str
    # All add up to the change of the score.
    points: float
    # What changed.
    detail: str


# EAS off-chain attestation, version 2.
class EasAttestation(TypedDict):
    # Address of the key, one of `attestation_keys` of /.well-known/assay-keys.json.
    signer: str
    # As the EAS SDK writes and verifies it; integers of 64 bits are text.
    sig: EasAttestationSig


# As the EAS SDK writes and verifies it; integers of 64 bits are text.
class EasAttestationSig(TypedDict):
    # Version of off-chain attestations.
    version: Literal[2]
    # UID of the attestation; the same rating always has the same. 32 bytes in hexadecimal after 0x.
    uid: str
    domain: EasDomain
    # Always this one.
    primaryType: Literal["Attest"]
    # EIP-712 types.
    types: EasAttestationSigTypes
    # What is signed.
    message: EasAttestationSigMessage
    signature: Secp256k1Signature


# What is signed.
class EasAttestationSigMessage(TypedDict):
    # As above.
    version: Literal[2]
    # UID of the schema of `data` (EAS SchemaRegistry; no resolver, revocable). 32 bytes in hexadecimal after 0x.
    schema: str
    # No recipient: the zero address.
    recipient: str
    # as_of in seconds since the epoch. An integer, as text.
    time: str
    # Seconds since the epoch; refuse it from then on. An integer, as text.
    expirationTime: str
    # See GET /v1/log/revocations.
    revocable: Literal[True]
    # None: zero. 32 bytes in hexadecimal after 0x.
    refUID: str
    # ABI encoding of the members of the schema.
    data: str
    # Hash of the record and the chain. 32 bytes in hexadecimal after 0x.
    salt: str


# EIP-712 types.
class EasAttestationSigTypes(TypedDict):
    # Members of the message, in order.
    Attest: list[TypedField]


# EIP-712 domain.
class EasDomain(TypedDict):
    # Always this one.
    name: Literal["EAS Attestation"]
    # Version of the EAS contract of the chain.
    version: str
    # The only chain where the record holds.
    chainId: int
    # EAS contract of that chain.
    verifyingContract: str


# The message that any party may submit to a verifier.
class EasRevocation(TypedDict):
    # Address of the key, one of `attestation_keys` of /.well-known/assay-keys.json.
    signer: str
    domain: EasDomain
    # Type `Revoke`: bytes32 schema, bytes32 asset, uint64 notBefore.
    message: EasRevocationMessage
    signature: Secp256k1Signature


# Type `Revoke`: bytes32 schema, bytes32 asset, uint64 notBefore.
class EasRevocationMessage(TypedDict):
    # UID of the schema. 32 bytes in hexadecimal after 0x.
    schema: str
    # SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id. 32 bytes in hexadecimal after 0x.
    asset: str
    # As `not_before`. An integer, as text.
    notBefore: str


# One subject of the rating.
class Factor(TypedDict):
    # Code of the factor.
    code: Literal["MQ", "HD", "TS", "SD", "FU", "DV", "GT", "TR", "SI", "TD", "PC", "BK", "TK", "LS", "WI", "CT"]
    # Name of the factor.
    name: str
    # 0-100, after it was drawn towards its prior for lack of evidence.
    score: float
    # Weight in the category; all weights add up to 100.
    weight: float
    # How much of what matters to it is known, and how surely. 0-1.
    confidence: float
    # Weighted mean of the features, 0-100, before it is drawn towards the prior; null when nothing is known.
    raw_score: float | None
    # How much of the raw score is kept; the rest is the prior. 0-1.
    shrink: float
    # What it is drawn towards, 0-100.
    prior: float
    # The finding as text.
    rationale: str
    # What it moves the score from the prior, in points.
    contribution: float
    # Features of the factor.
    features: list[Feature]


# A factor over the peers.
class FactorRange(TypedDict):
    # Code of the factor.
    code: Literal["MQ", "HD", "TS", "SD", "FU", "DV", "GT", "TR", "SI", "TD", "PC", "BK", "TK", "LS", "WI", "CT"]
    # First quartile of the peers’ scores, 0-100; null with fewer than five peers.
    low: float | None
    # Median of the peers’ scores, 0-100; null with fewer than five peers.
    median: float | None
    # Third quartile of the peers’ scores, 0-100; null with fewer than five peers.
    high: float | None
    # Peers that have the factor.
    peers: int


# How likely the asset fails within a horizon (docs/ratings.md); no part of the score.
class FailureProbability(TypedDict):
    # From the rating on.
    horizon: Literal["30d", "365d"]
    # 0-1; null where no single value can be given: read `basis`.
    value: float | None
    # Low and high end, 80 %, as far apart as files of outcomes are; null where nothing is known.
    interval: list[float] | None
    # What it rests on. `calibrated`: failures of assets alike; `low_default`: few of them; `upper_bound`, `lower_bound`: none was rated as well, or as badly, and only the interval can be stated; `no_evidence`: no outcomes of such assets are known; `not_rated`; `defaulted`: it has failed.
    basis: Literal["calibrated", "low_default", "upper_bound", "lower_bound", "no_evidence", "not_rated", "defaulted"]
    # The basis as text: failures, members, and what counts as a failure.
    detail: str
    # Group of the calibration whose outcomes it rests on, such as `listed`; null without one.
    group: str | None
    # SHA-256 of the calibration: GET /v1/methodology/calibration.
    calibration_hash: str


# One feature of a factor, and the observations it rests on.
class Feature(TypedDict):
    # Id of the feature.
    id: str
    # Name of the feature, as in the methodology’s tables.
    name: str
    # `absent`: searched for in two registries and not there; `unknown`: a source failed or none states it; `not_applicable`: it does not count here.
    status: Literal["observed", "absent", "unknown", "not_applicable"]
    # What was found, in `unit`, or the word of a state; null when nothing was.
    value: float | str | None
    # Unit of the value, such as `usd`, `fraction` or `days`.
    unit: str
    # 0-100, by the feature’s published curve; null when there is none.
    score: float | None
    # Weight within the factor.
    weight: float
    # How sure the value is. 0-1.
    confidence: float
    # How it was computed, or from what.
    method: str
    # The finding as a sentence.
    rationale: str
    # Why it is not known, or not surely; null for what is known. Set for the features that `gaps` lists.
    absence: Absence | None
    # An observation; `evidence` names the archived reply.
    sources: list[FeatureSourcesItem]


# One feature, changed by as little as does it.
class FeatureChange(TypedDict):
    # Id of the feature.
    feature: str
    # Name of the feature.
    name: str
    # Code of its factor.
    factor: Literal["MQ", "HD", "TS", "SD", "FU", "DV", "GT", "TR", "SI", "TD", "PC", "BK", "TK", "LS", "WI", "CT"]
    # Unit of `now` and `needed`, such as `usd`, `fraction` or `state`.
    unit: str
    # Its value now; null: not known.
    now: float | str | None
    # What is known of it now, as in the breakdown.
    status: Literal["observed", "absent", "unknown", "not_applicable"]
    # The least value that does it; its best (or worst) one where that is not enough alone.
    needed: float | str
    # Who can bring it about.
    who: Literal["project", "key_holder", "holders", "market", "users", "observers", "time"]
    # Score with this change alone.
    score: float
    # What it adds to `score_without_obstacles` (of `lowers`: to `score`).
    points: float
    # True when this change alone is enough: rated anew with it, the score is reached.
    reaches: bool


class FeatureSourcesItem(TypedDict):
    # Source of the observation.
    source: str
    # On what: a quantity, or `quantity@scope`.
    quantity: str
    # It counted; else it was outvoted, too old or not surely of this asset.
    accepted: bool
    # Id of the archived reply (GET /v1/jobs/{id}/evidence).
    evidence: str


# A rule that is not met, or cannot be decided, with its evidence.
class FiredRule(TypedDict):
    # Name of the rule, such as `band`, `flag` or `exit_size` (docs/policy.md has all).
    rule: str
    # Its effect on the decision.
    outcome: Literal["block", "caution"]
    # False: what it needs is not known, and the outcome is that of `unknown`.
    decided: bool
    # The limit of the rule; null without one.
    limit: str | float | None
    # What was found; null where nothing is known.
    found: str | float | None
    # The same as text.
    detail: str
    # The flag that fired it; null for other rules.
    flag: RiskFlag | None
    # Paths of what the figure rests on.
    receipts: list[str]


# Which risk flags have come, gone or changed.
class FlagChange(TypedDict):
    # Flags that are new.
    raised: list[FlagChangeRaisedItem]
    # Flags that are gone.
    cleared: list[FlagChangeClearedItem]
    # Flags whose severity is another.
    changed: list[FlagChangeChangedItem]


FlagChangeChangedItem = TypedDict(
    "FlagChangeChangedItem",
    {
        # Code of the flag; docs/flags.md has all of them.
        "code": "str",
        # Severity before.
        "from": "Severity",
        # Severity now.
        "to": "Severity",
    },
)

class FlagChangeClearedItem(TypedDict):
    # Code of the flag; docs/flags.md has all of them.
    code: str
    severity: Severity


class FlagChangeRaisedItem(TypedDict):
    # Code of the flag; docs/flags.md has all of them.
    code: str
    severity: Severity
    # The condition in short.
    title: str


# Who emptied an asset’s pools, and where the money went.
class Forensics(TypedDict):
    asset: Asset
    # `drained_by_linked_wallets`: at least 90 % of a pool’s liquidity was removed within 24 hours by wallets linked to the creator. `drained`: at least 90 % of the largest amount seen is gone. `large_removals`: single large losses. `not_seen`: no pool’s history could be read.
    verdict: Literal["drained_by_linked_wallets", "drained", "large_removals", "no_drain_seen", "not_seen"]
    # The finding in a few sentences.
    summary: str
    # Flags of the rating that concern this.
    flags: list[str]
    # Default tests that hold (D6: executed rug).
    default_tests: list[str]
    # Who created the asset; null when not known.
    creator: ForensicsCreator | None
    # The pools that were looked at: the largest, the oldest and the next largest.
    pools: list[ForensicsPoolsItem]
    # Oldest first; the largest of each pool.
    events: list[ForensicsEventsItem]
    # Where the money went, at most two steps.
    flows: list[ForensicsFlowsItem]
    # Why wallets that took part belong to the creator.
    links: list[ForensicsLinksItem]
    # Who first paid the creator and the wallets that took part.
    first_payments: list[ForensicsFirstPaymentsItem]
    # The launch; null when its beginning could not be read, and `limits` states why.
    launch: Launch | None
    # What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen.
    limits: list[ForensicsLimitsItem]
    # What the search cost.
    work: ForensicsWork
    # Every reply that the findings rest on.
    receipts: list[ForensicsReceiptsItem]
    # Names of the public sources it rests on.
    sources: list[str]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # When the search ended. RFC 3339, UTC.
    as_of: str
    data_mode: DataMode
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int


# Who created the asset; null when not known.
class ForensicsCreator(TypedDict):
    # Wallet that created it.
    address: str
    # Names of the public sources it rests on.
    sources: list[str]


class ForensicsEventsItem(TypedDict):
    # `removal`: liquidity was taken out. `sale`: the asset was sold into the pool.
    kind: Literal["removal", "sale"]
    # Address of the pool.
    pool: str
    # The exchange it belongs to.
    dex: str
    # Signature or hash of the transaction.
    transaction: str
    # Slot or block number.
    height: int
    # Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC.
    at: str | None
    # Who signed it and paid its fee.
    actor: str | None
    # Names that are known of the address.
    actor_labels: list[AddressLabel]
    # Whose liquidity tokens were given back; null where the chain does not show it.
    liquidity_owner: str | None
    # Mint or contract of the quote token.
    quote: str
    # Quote tokens that left the pool. Base units, a decimal string.
    quote_amount_raw: str
    # Whole tokens.
    quote_amount: float | None
    # Dollars at that time.
    quote_usd: float | None
    # Source of the price of that time; null without a price.
    price_source: str | None
    # Of the asset, out of the pool; negative when it went in. Base units, a decimal string.
    base_amount_raw: str
    # Whole tokens.
    base_amount: float | None
    # Of the quote tokens that the pool held just before. Percent.
    share_of_pool_pct: float
    # Who got the money, and how much.
    recipients: list[ForensicsEventsItemRecipientsItem]
    # The pool’s own events, or what its balances did.
    basis: Literal["events", "balances"]
    # Where it was read: the node or explorer.
    source: str
    # How sure the statement is, 0-1.
    confidence: float


class ForensicsEventsItemRecipientsItem(TypedDict):
    # Who got it.
    address: str
    # Names that are known of the address.
    labels: list[AddressLabel]
    # Mint, contract, or `native` for the chain’s own coin.
    asset: str
    # What it got. Base units, a decimal string.
    amount_raw: str
    # Whole tokens.
    amount: float | None
    # Dollars at that time.
    usd: float | None
    # The chain does not show the last step: the sender is assumed.
    presumed: bool


class ForensicsFirstPaymentsItem(TypedDict):
    # The wallet that was paid.
    wallet: str
    # Who paid it first.
    funder: str
    # Names that are known of the address.
    funder_labels: list[AddressLabel]
    # An exchange or another wallet of very many payments.
    funder_is_service: bool
    # Of the chain’s own coin. Base units, a decimal string.
    amount_raw: str
    # Signature or hash of the transaction.
    transaction: str
    # Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC.
    at: str | None


ForensicsFlowsItem = TypedDict(
    "ForensicsFlowsItem",
    {
        # 1: from who got the money out of the pool.
        "step": "int",
        # Who sent it on.
        "from": "str",
        # Null: it was exchanged for something else.
        "to": "str | None",
        # Names that are known of the address.
        "to_labels": "list[AddressLabel]",
        # An exchange or another address of very many people’s money: from here on nothing is seen.
        "to_is_service": "bool",
        # It was sent on, or exchanged for something else.
        "kind": "Literal[\"transfer\", \"exchange\"]",
        # Mint, contract, or `native` for the chain’s own coin.
        "asset": "str",
        # What went on. Base units, a decimal string.
        "amount_raw": "str",
        # Whole tokens.
        "amount": "float | None",
        # Dollars at that time.
        "usd": "float | None",
        # Source of the price of that time; null without a price.
        "price_source": "str | None",
        # Signature or hash of the transaction.
        "transaction": "str",
        # Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC.
        "at": "str | None",
        # Where it was read: the node or explorer.
        "source": "str",
        # How sure the statement is, 0-1.
        "confidence": "float",
    },
)

class ForensicsLimitsItem(TypedDict):
    # A stable code.
    code: str
    # What it means here.
    detail: str


class ForensicsLinksItem(TypedDict):
    # The wallet that took part.
    wallet: str
    # What it did: took the liquidity out, owned it, got the money, or passed it on.
    role: Literal["actor", "liquidity_owner", "recipient", "hop"]
    # What ties it to the creator (docs/forensics.md has the confidence of each).
    how: Literal["is_creator", "funded_by_creator", "funded_creator", "common_funder", "paid_creator"]
    # What shows it; null where the wallet is the creator’s itself.
    transaction: str | None
    # How sure the statement is, 0-1.
    confidence: float


class ForensicsPoolsItem(TypedDict):
    # Address of the pool.
    address: str
    # The exchange it belongs to.
    dex: str
    # The token that it trades against.
    quote: str
    # The most of the quote token that it was seen to hold. Base units, a decimal string.
    peak_raw: str
    # Whole tokens.
    peak: float | None
    # What it holds now. Base units, a decimal string.
    now_raw: str
    # Whole tokens.
    now: float | None
    # Of the peak, gone now. Percent.
    gone_pct: float
    # Most that removals took within 24 hours. Percent.
    removed_within_24h_pct: float
    # The same, by wallets linked to the creator. Percent.
    removed_within_24h_by_linked_pct: float
    # Transactions of the pool that were listed.
    transactions_listed: int
    # Of them, those whose content was read.
    transactions_examined: int
    # Time of the oldest transaction that was listed. RFC 3339, UTC.
    since: str | None


class ForensicsReceiptsItem(TypedDict):
    # Node or explorer that was requested.
    source: str
    # Method and its argument.
    request: str
    # Of the reply, hex.
    sha256: str
    # Length of the reply.
    bytes: int
    # When it came. RFC 3339, UTC.
    fetched_at: str


# What the search cost.
class ForensicsWork(TypedDict):
    # Requests to nodes and explorers.
    calls: int
    # Bytes read.
    bytes: int
    # Time it took.
    milliseconds: int
    # Why it ended: `complete`, or the bound that it reached.
    ended: Literal["complete", "calls", "bytes", "time"]


# One subject of the rating, with all its features.
class FullFactor(TypedDict):
    # Code of the factor.
    code: str
    # Name of the factor.
    name: str
    # 0-100, after it was drawn towards its prior for lack of evidence.
    score: float
    # Weight in the category; all weights add up to 100.
    weight: float
    # How much of what matters to it is known, and how surely. 0-1.
    confidence: float
    # What it moves the score from `prior`, in points; all of them add up to the score before caps.
    points: float
    # Weighted mean of the features, 0-100, before it is drawn towards the prior; null when nothing is known.
    raw_score: float | None
    # How much of the raw score is kept; the rest is the prior. 0-1.
    shrink: float
    # What it is drawn towards, 0-100.
    prior: float
    # The finding as text.
    rationale: str
    # Features of the factor.
    features: list[ScoreFeature]


# The reply to `output_format: full`: the rating with everything behind it.
class FullScore(TypedDict):
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # `type` as it was sent.
    type: str
    # `project` as it was sent, or the name that `asset` was read as.
    project: str
    # This rating was published. False: see `not_published_because`; what GET /v1/rms/{asset} shows is untouched.
    published: bool
    # Null when it was not published.
    published_rating: RatingAsPublished | None
    # Empty when it is published.
    not_published_because: list[StandardScoreNotPublishedBecauseItem]
    # The collection that served the request, or that continues where the caller did not wait for it; null where a published rating was fresh enough.
    collection_id: str | None
    data_mode: DataMode
    # The time that the rating applies to. RFC 3339, UTC.
    as_of: str
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int
    # With a tradable token, or before it.
    stage: Literal["post_tge", "pre_tge"]
    asset: IdentifiedAsset
    rating: ScoreRating
    trust_score: TrustScore
    vfr: ValueFairness
    # How likely it fails within 30 days and within a year, beside the band; empty on ratings from before it was given.
    failure_probability: list[FailureProbability]
    # Seconds from the start of the caller’s job to its result, whichever job collected the evidence.
    execution_time_seconds: float
    # Conditions that hold.
    risk_flags: list[ScoreFlag]
    # Ceilings on the score whose condition holds.
    caps_applied: list[Cap]
    # What the project states about others, and whether they confirm it: a link counts only where it is `confirmed`.
    ties: list[Tie]
    # Every source and what became of it; those left behind too.
    sources: list[SourceOutcome]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # What a reader should know: unknown fields of the request, its values that differ from what registries, chain and site state (and are not used), a rating that is older than the request.
    warnings: list[str]
    # The rating in a few sentences.
    summary: str
    # What this rating cannot show.
    limitations: list[str]
    # Score of an asset of which nothing is known: where the points start.
    prior: float
    # What the score is made of.
    factors: list[FullFactor]
    # What is not known, and why.
    gaps: list[Gap]
    # Quantities that are disputed or have outvoted observations: `quantity`, `scope`, `status`, `outvoted`.
    conflicts: list[Any]
    # Every value with all its observations.
    quantities: list[Quantity]
    # How well the fair value fits.
    vfr_fit: FullScoreVfrFit
    # The estimates that the fair value is the mean of.
    vfr_drivers: list[VfrDriver]
    # Other tokens that were looked at: `asset`, and the `reason` why it is not the project’s.
    candidates_rejected: list[Any]
    # The receipt of every reply.
    evidence: list[ArchivedReply]
    # How to check it.
    replay: FullScoreReplay


# How to check it.
class FullScoreReplay(TypedDict):
    # Recomputes this rating from its evidence, to the same bytes.
    command: str
    # SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules.
    methodology_hash: str


# How well the fair value fits.
class FullScoreVfrFit(TypedDict):
    # Standard deviation of ln fair value; null without one.
    sd: float | None
    # Share of the peers’ variance the regression explains on peers left out; null without one.
    r2: float | None


# A feature that the rating would use and that no source states.
class Gap(TypedDict):
    # Id of the feature that has no value, such as `sd_unlock`.
    feature: str
    # The reason, as text.
    reason: str


# The bulk job.
class GetBulkJobReply(TypedDict):
    # Id of the bulk job.
    bulk_id: str
    # `cancelled`: its rows that waited are given up, and those under way end by themselves.
    state: Literal["running", "finished", "cancelled"]
    # When it was sent. RFC 3339, UTC.
    created_at: str
    # When its last row ended; null before. RFC 3339, UTC.
    finished_at: str | None
    # Number of rows by state.
    rows: BulkJobRows
    # Why rows failed or were refused, the most frequent first.
    reasons: list[BulkJobReasonsItem]
    # Rows that are scored at the same time.
    at_once: int
    # About the seconds until the last row ends, by the pace so far, which is that of the budgets of the sources; null before the first row ended, and at the end.
    eta_seconds: float | None
    # Path of the bulk job.
    location: str
    # Path of its rows; with `format=csv` as a table.
    results: str
    data_mode: DataMode


# The indexed asset.
class GetIndexedAssetReply(TypedDict):
    asset: Asset
    # Which of `market`, `holders` and `pools` are made of it.
    kinds: list[Literal["market", "holders", "pools"]]
    # How often its readers need new snapshots; `newest`: as often as the service can.
    cadence: Literal["hourly", "five_minutes", "newest"]
    # configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed.
    added_by: str
    # When it was added. RFC 3339, UTC.
    added_at: str
    # When indexing ends; null: when it is removed. RFC 3339, UTC.
    wanted_until: str | None
    # Nothing is read of it for now.
    paused: bool
    # The account of the key has requested it: it counts towards the plan’s `indexed_assets`.
    is_yours: bool
    coverage: Coverage
    data_mode: DataMode


# The process is alive.
class GetLivenessReply(TypedDict):
    # The service is up.
    status: Literal["ok"]
    # Version of the running service.
    version: str
    data_mode: DataMode


# The service can take work.
class GetReadinessReply(TypedDict):
    # The service accepts work.
    status: Literal["ready"]
    # The checks that were made; all true.
    checks: dict[str, bool]
    data_mode: DataMode


# State of the service.
class GetStatusReply(TypedDict):
    # `lagging`: of some chain and kind, one asset in a hundred is more than five minutes behind its plan; `unknown`: nothing is indexed.
    status: Literal["ok", "lagging", "unknown"]
    data_mode: DataMode
    # Version of the running service.
    version: str
    # When this was read. RFC 3339, UTC.
    as_of: str
    # How far the index of each chain is behind.
    chains: list[GetStatusReplyChainsItem]
    # Every public source that this version knows, in a fixed order; empty where they are not watched.
    sources: list[SourceStanding]
    # Null: this service does not measure itself.
    service_level: ServiceLevel | None


class GetStatusReplyChainsItem(TypedDict):
    # Name of the chain.
    chain: str
    # Newest day that is closed for export, YYYY-MM-DD in UTC; null before the first.
    last_closed_day: str | None
    # One row per kind of snapshot that is indexed on the chain.
    snapshots: list[GetStatusReplyChainsItemSnapshotsItem]


class GetStatusReplyChainsItemSnapshotsItem(TypedDict):
    # Which kind of snapshot.
    kind: Literal["market", "holders", "pools"]
    # Assets of which such snapshots are wanted.
    indexed_assets: int
    # Assets that are due and not begun.
    due: int
    # Assets being read now.
    running: int
    # Assets whose last run gave no snapshot.
    failing: int
    # Seconds behind the plan, median over the assets; 0 in time.
    late_seconds_p50: float
    # The same, 99th percentile.
    late_seconds_p99: float
    # When the newest snapshot was stored; null before the first. RFC 3339, UTC.
    last_stored_at: str | None
    # Whole seconds since then; null before the first.
    last_stored_age_seconds: float | None


# The thresholds of the account on the asset.
class GetThresholdsReply(TypedDict):
    # CAIP-19 id.
    asset: str
    # Our name of the chain (GET /v1/chains); null without a token.
    chain: str | None
    # When the first thresholds of the asset were set. RFC 3339, UTC.
    added_at: str
    # The account’s own; null without one.
    note: str | None
    # In the order they were given in.
    thresholds: list[Threshold]
    data_mode: DataMode


# The largest holders, put together by their first payer.
class HolderClusters(TypedDict):
    asset: Asset
    # Wallets that the same wallet paid first are together.
    method: Literal["first_payment"]
    # Two members at least; the largest share first.
    clusters: list[HolderClustersClustersItem]
    # Common payers that chance explains: no clusters.
    by_chance: list[HolderClustersByChanceItem]
    # What chance is measured by: docs/forensics.md.
    null_model: LaunchNullModel
    # Of total supply, in clusters. Percent.
    clustered_share_pct: float
    # The holders that were looked at.
    owners: HolderClustersOwners
    # Payers that are services, which links no holders.
    services: list[str]
    # Share that a source’s own graph of transfers ties to insiders; its wallets are not named. Null: no source states it.
    insider_network: HolderClustersInsiderNetwork | None
    # What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen.
    limits: list[ForensicsLimitsItem]
    # What the search cost.
    work: ForensicsWork
    # Every reply that the findings rest on.
    receipts: list[ForensicsReceiptsItem]
    # Names of the public sources it rests on.
    sources: list[str]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # When the search ended. RFC 3339, UTC.
    as_of: str
    data_mode: DataMode
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int


class HolderClustersByChanceItem(TypedDict):
    # Who first paid them.
    funder: str
    # Holders that it paid first.
    members: list[str]
    # Of total supply. Percent.
    share_pct: float
    # How often random groups show as much.
    p_value: float


class HolderClustersClustersItem(TypedDict):
    # Who first paid several of them; null when they paid one another only, or payments of one amount by several payers join them.
    funder: str | None
    # Of total supply, all members together. Percent.
    share_pct: float
    # How sure the statement is, 0-1.
    confidence: float
    # What groups them.
    reasons: list[str]
    # Null: no common payer holds it together.
    p_value: float | None
    # The holders of the cluster.
    members: list[HolderClustersClustersItemMembersItem]


class HolderClustersClustersItemMembersItem(TypedDict):
    # The holder’s wallet.
    address: str
    # Of total supply. Percent.
    share_pct: float
    # Who first paid this wallet, where it is known.
    funder: str | None
    # The payment.
    transaction: str | None
    # Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC.
    at: str | None


# Share that a source’s own graph of transfers ties to insiders; its wallets are not named. Null: no source states it.
class HolderClustersInsiderNetwork(TypedDict):
    # Of total supply. Percent.
    share_pct: float
    # Names of the public sources it rests on.
    sources: list[str]
    # How sure the statement is, 0-1.
    confidence: float


# The holders that were looked at.
class HolderClustersOwners(TypedDict):
    # Largest holders that are neither pools, exchanges nor programs, as far as names show.
    listed: int
    # Of them, those whose first payment was searched for.
    looked_at: int
    # Of them, those whose first payment was found.
    first_payment_known: int
    # Of total supply. Percent.
    share_looked_at_pct: float
    # Of them, first funded by an exchange or the like, which links no holders.
    paid_by_services: int
    # Who lists the holders.
    source: str | None
    # When that list was true. RFC 3339, UTC.
    as_of: str | None


# What is known of an address.
class HolderLabel(TypedDict):
    # What the address is.
    kind: Literal["pool", "burn", "locker", "vesting", "bridge", "exchange", "staking", "lending", "issuer", "program"]
    # Readable, such as `Raydium AMM v4 pool`.
    name: str
    # Where the label comes from: what the chain shows, a source, a list.
    source: str
    # How sure the label is. 0-1.
    confidence: float


# Holders whose balances are of one size.
class HolderTier(TypedDict):
    # Range of balances: US dollars (`1-10`) or share of supply (`<0.0001%`).
    tier: str
    # Holders whose balance lies in it.
    holders: int
    # What they hold together. Percent of supply, 0-100.
    share_pct: float


# Who holds an asset, and how it is spread, at one moment.
class HoldersSnapshot(TypedDict):
    asset: Asset
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int
    data_mode: DataMode
    # Names of the public sources it rests on.
    sources: list[str]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # Text that a reader should know: a fallback taken, a part that is missing.
    warnings: list[str]
    # Which kind of snapshot this is.
    kind: Literal["holders"]
    # How good the list is: every account read from the chain, an indexer’s list, or the twenty largest accounts.
    method: Literal["full_scan", "indexer", "top20_only"]
    # `incomplete_enumeration`: the balances seen do not make up the supply, or are in doubt; `zero_supply`: there is nothing to hold; `top20_only`: the rest is not known.
    status: Literal["complete", "incomplete_enumeration", "zero_supply", "top20_only"]
    # Owners with more than nothing.
    holder_count: float | None
    # Base units are 10^-decimals of a whole token.
    decimals: int
    # What there is, and what of it the two views are shares of.
    supply: HoldersSnapshotSupply
    # Over all addresses, and all of the supply.
    raw: Concentration
    # Without pools, exchanges, bridges and the like (`set_aside`), of the supply that is neither burned nor locked.
    adjusted: Concentration
    # Holders by the value of their balance in US dollars; null without a price.
    tiers_usd: list[HolderTier] | None
    # Holders by their share of the supply; null when only the largest are known.
    tiers_supply: list[HolderTier] | None
    # The largest holders, largest first.
    top_holders: list[HoldersSnapshotTopHoldersItem]
    # Share of those of the twenty largest that have no label. 0-100; null when not known.
    unlabelled_top20_share_pct: float | None
    # What is not in the adjusted view, by kind.
    set_aside: list[HoldersSnapshotSetAsideItem]
    # Against the snapshot before, of the same method; null when there is none.
    change: HoldersSnapshotChange | None
    # What was read to make it; null where it was not counted.
    scan: HoldersSnapshotScan
    # All balances in buckets that can be merged with other days’; null for `top20_only`.
    histogram: HoldersSnapshotHistogram | None


# Against the snapshot before, of the same method; null when there is none.
class HoldersSnapshotChange(TypedDict):
    # `as_of` of the snapshot before. RFC 3339, UTC.
    since: str
    # Change of the count.
    holder_count: float | None
    # Change in percentage points.
    top_10_pct: float | None
    # Change in percentage points.
    adjusted_top_10_pct: float | None


# All balances in buckets that can be merged with other days’; null for `top20_only`.
class HoldersSnapshotHistogram(TypedDict):
    # Bucket i holds balances from base^i to below base^(i+1), base units.
    base: float
    # Number of the bucket, how many balances it holds, their sum in base units.
    buckets: list[list[float]]


# What was read to make it; null where it was not counted.
class HoldersSnapshotScan(TypedDict):
    # Token accounts read.
    accounts: float | None
    # Slot or block the list is true at.
    height: float | None
    # Bytes read.
    bytes: float | None
    # Time it took.
    milliseconds: float | None


class HoldersSnapshotSetAsideItem(TypedDict):
    # What the addresses are.
    kind: Literal["pool", "burn", "locker", "vesting", "bridge", "exchange", "staking", "lending", "issuer", "program"]
    # Addresses of the kind.
    holders: int
    # What they hold together. Percent of supply, 0-100.
    share_pct: float


# What there is, and what of it the two views are shares of.
class HoldersSnapshotSupply(TypedDict):
    # Supply, base units.
    total_raw: str
    # Held by burn addresses, base units.
    burned_raw: str
    # Under locks or vesting: outside the adjusted supply besides what is burned, base units.
    locked_raw: str
    # What is left for the adjusted view, base units.
    adjusted_raw: str
    # Balances seen over the total; 1 when all were seen.
    coverage: float | None


class HoldersSnapshotTopHoldersItem(TypedDict):
    # 1: the largest.
    rank: int
    # Owner’s address.
    address: str
    # Balance, base units.
    amount_raw: str
    # Balance in whole tokens.
    amount: float
    # Its balance. Percent of supply, 0-100.
    share_pct: float
    # What is known of the address; empty: nothing.
    labels: list[HolderLabel]
    # Why it is not in the adjusted view; null when it is.
    set_aside: str | None


# What was read of an address on one chain.
class HoldingsRead(TypedDict):
    # Name of the chain.
    chain: str
    # The address, as given.
    address: str
    # Slot or number of the block that was read.
    height: int
    # Assets with a balance.
    positions: int
    # Tokens whose balance was read.
    tokens_looked_at: int
    # Everything that the address owns by itself was seen. False for EVM chains, whose nodes have no such list.
    complete: bool
    # What may be missing; empty when complete.
    gaps: list[Literal["known_assets_only", "explorer_list", "explorer_silent", "cut", "unread"]]
    # When it was read; a read is shared for ten seconds. RFC 3339, UTC.
    read_at: str


# The asset that the project was found to be.
IdentifiedAsset = TypedDict(
    "IdentifiedAsset",
    {
        # CAIP-19 id; `project:` and the registrable domain without a token.
        "id": "str",
        # Our name of the chain; null without a token.
        "chain": "str | None",
        # Mint or contract; `native` for a chain’s own coin; null without a token.
        "address": "str | None",
        # Ticker, as the token itself states: untrusted text, not unique.
        "symbol": "str | None",
        # What the token or the project calls itself: untrusted text.
        "name": "str",
        # Class it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str",
        # Older name of the class, such as `defi_protocol`.
        "category": "str",
        # Why it was put into that class.
        "category_reason": "str",
        # The project’s own site, when known.
        "website": "str | None",
        # Why this asset is taken for the project’s.
        "identification": "IdentifiedAssetIdentification",
    },
)

# Why this asset is taken for the project’s.
class IdentifiedAssetIdentification(TypedDict):
    # How sure it is that project, token and website are one (methodology, Trust); 0.30 at least to be rated. 0-1.
    match: float
    # Registrable domain of the url; null when the url is on a shared host.
    registrable_domain: str | None
    # What ties them together: `kind`, `strength` (0-1), `detail` and `sources` of each link.
    links: list[Any]
    # Evidence against it: `kind`, `factor` (0-1, multiplies the match), `detail` and `sources`.
    contradictions: list[Any]
    # What else a reader should know of the identification.
    notes: list[str]


class IndexAssetBody(TypedDict):
    # Kinds of snapshots to make.
    kinds: NotRequired[list[Literal["market", "holders", "pools"]]]
    # How often readers need a new snapshot. An account gets none that is more frequent than its plan is served. Default: newest.
    cadence: NotRequired[Literal["hourly", "five_minutes", "newest"]]


# It was not indexed before.
class IndexAssetReply(TypedDict):
    asset: Asset
    # Which of `market`, `holders` and `pools` are made of it.
    kinds: list[Literal["market", "holders", "pools"]]
    # How often its readers need new snapshots; `newest`: as often as the service can.
    cadence: Literal["hourly", "five_minutes", "newest"]
    # configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed.
    added_by: str
    # When it was added. RFC 3339, UTC.
    added_at: str
    # When indexing ends; null: when it is removed. RFC 3339, UTC.
    wanted_until: str | None
    # Nothing is read of it for now.
    paused: bool
    # The account of the key has requested it: it counts towards the plan’s `indexed_assets`.
    is_yours: bool
    coverage: Coverage
    data_mode: DataMode


# An asset of which snapshots are made.
class IndexedAsset(TypedDict):
    asset: Asset
    # Which of `market`, `holders` and `pools` are made of it.
    kinds: list[Literal["market", "holders", "pools"]]
    # How often its readers need new snapshots; `newest`: as often as the service can.
    cadence: Literal["hourly", "five_minutes", "newest"]
    # configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed.
    added_by: str
    # When it was added. RFC 3339, UTC.
    added_at: str
    # When indexing ends; null: when it is removed. RFC 3339, UTC.
    wanted_until: str | None
    # Nothing is read of it for now.
    paused: bool
    # The account of the key has requested it: it counts towards the plan’s `indexed_assets`.
    is_yours: bool


# The issuer’s powers are by design.
class IssuerControl(TypedDict):
    # What the asset is.
    kind: Literal["stablecoin", "wrapped", "tokenised_asset"]
    # As if the issuer’s powers belonged to an unknown party.
    technical_score: float | None
    # Of the technical score.
    technical_band: Band


# A scoring job.
class Job(TypedDict):
    # Id of the job.
    job_id: str
    # State of the job; the last three are final.
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    # `type` as it was sent.
    type: str
    # `project` as it was sent, or the name that `asset` was read as.
    project: str
    # `project_url` as it was sent, a bare host with `https://`; null where `asset` named no website.
    project_url: str | None
    # When it was requested. RFC 3339, UTC.
    created_at: str
    # When it was last begun; null while it waits. RFC 3339, UTC.
    started_at: str | None
    # When it ended; null until then. RFC 3339, UTC.
    finished_at: str | None
    # How often it was begun: again when the process that had it was lost.
    attempts: int
    # A caller’s score, or the collection of an asset, which belongs to no caller.
    kind: Literal["score", "collection"]
    # The collection that a score waits for, or waited for (GET /v1/jobs/{id}: any scoring key may read it once it is published); null before its asset is known, and where a published rating was fresh enough.
    collection_id: str | None
    data_mode: DataMode
    # The score, in the form of `output_format` (as POST /v1/score returns it); null until it succeeded.
    result: Any
    # Why it failed, a problem object (RFC 9457); null unless it did.
    error: Any


# One signed tree.
class KeptCheckpoint(TypedDict):
    # Leaves of the tree.
    tree_size: int
    # Signed note (C2SP tlog-checkpoint): name of the log, number of leaves, root as base64, `time` in RFC 3339; below, after an empty line, the signature of the log and of witnesses.
    checkpoint: str


# An API key, without the key itself.
class Key(TypedDict):
    # Id of the key; not the key itself.
    id: str
    # Whose watchlist, alerts, webhooks and usage the key reaches
    account_id: str
    # What it was called when it was made.
    name: str
    # How the key begins, by which people recognise it.
    prefix: str
    # What it may do: score, rms:read, rms:write, chain:read; account (the keys of its account); admin (everything).
    scopes: list[str]
    # Plan whose limits it has (GET /v1/plans).
    plan: str
    # When it was made. RFC 3339, UTC.
    created_at: str
    # From then on it is refused; null: never. RFC 3339, UTC.
    expires_at: str | None
    # Since when it is refused; null while it works. RFC 3339, UTC.
    revoked_at: str | None
    # Its newest request; null before the first. RFC 3339, UTC.
    last_used_at: str | None
    # Addresses and CIDR ranges it may be used from; empty: any.
    allowed_ips: list[str]
    # Id of the key that it replaces; null when it replaces none.
    rotated_from: str | None


# The largest position whose exit costs no more than the rules allow.
class LargestExposure(TypedDict):
    # Average price below the market, fees included, percent.
    max_cost_pct: float
    # Value of the largest sale at that cost, US dollars.
    size_usd: float
    # What it brings, US dollars.
    received_usd: float
    # `exact`: pools read from the chain; `tvl_proxy`: estimated from what indexers report; `order_books`: bids within 2 % at exchanges, without their fees.
    method: Literal["exact", "tvl_proxy", "order_books"]
    # Pools that it is split over.
    pools: int
    # The pool that takes most of it; null without one.
    largest_pool: str | None
    # Its part of the sale, percent; null without pools.
    largest_pool_share_pct: float | None
    # Part of the liquidity that the creator and linked wallets hold, percent; null when not known.
    largest_provider_share_pct: float | None


# Who bought in the first block.
class Launch(TypedDict):
    # Pool or curve whose beginning was read: the oldest that could be.
    pool: str
    # The exchange it belongs to.
    dex: str
    # Who created the asset; where no source states it, who filled the pool.
    creator: str | None
    # The transaction that filled the pool or curve.
    opening: LaunchOpening
    # Slot or block of the first purchases; all that follows is about it.
    first_block: int
    # Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC.
    first_block_at: str | None
    # Wallets that bought in it, the creator with the opening included.
    buyers: int
    # Of them, the largest, whose first payment was searched for.
    payers_looked_for: int
    # Of the buyers, those whose first payment was found.
    payers_known: int
    # Of total supply, bought by all of them. Percent.
    bought_pct: float
    # Of total supply, bought by the largest bundle: the quantity of the flag BUNDLED_LAUNCH. Percent.
    bundled_pct: float
    # Of total supply, bought by the creator itself. Percent.
    dev_pct: float
    # Of total supply, bought by wallets that the creator paid before the launch. Percent.
    insiders_pct: float
    # Of total supply, bought by others that are in no bundle. Percent.
    snipers_pct: float
    # Several wallets that one person appears to control; the largest share first.
    bundles: list[LaunchBundlesItem]
    # Buyers of the first block without a known owner.
    snipers: list[LaunchSnipersItem]
    # Buyers that were funded earlier by the creator, or by a wallet that it funded first.
    insiders: list[LaunchSnipersItem]
    # Payers of several buyers that chance explains: no bundles.
    by_chance: list[LaunchByChanceItem]
    # What chance is measured by: docs/forensics.md.
    null_model: LaunchNullModel


class LaunchBundlesItem(TypedDict):
    # Of total supply, bought by its members. Percent.
    share_pct: float
    # How sure the statement is, 0-1.
    confidence: float
    # What holds it together.
    links: list[Literal["same_transaction", "same_signer", "funded_by_creator", "common_funder", "equal_payments", "consecutive"]]
    # Who first paid several of its members, where that is not explained by chance.
    funder: str | None
    # Null: no payer holds it together.
    p_value: float | None
    # Its wallets.
    members: list[LaunchBundlesItemMembersItem]


class LaunchBundlesItemMembersItem(TypedDict):
    # The wallet that bought.
    address: str
    # Of total supply. Percent.
    share_pct: float
    # Signature or hash of the transaction.
    transaction: str
    # Place of the transaction in its block, from 0; null where it is not known.
    position: int | None
    # Who first paid it; null: not known.
    funder: str | None
    # An exchange or another wallet of very many payments.
    funder_is_service: bool
    # When. RFC 3339, UTC.
    funded_at: str | None


class LaunchByChanceItem(TypedDict):
    # Who paid them.
    funder: str
    # Buyers that it paid first.
    wallets: int
    # How often random groups show as much.
    p_value: float


# What chance is measured by: docs/forensics.md.
class LaunchNullModel(TypedDict):
    # Whose payers a group is compared with: wallets of other assets that this installation searched for, or those of a public study.
    basis: Literal["own_searches", "public_study"]
    # Wallets in it.
    wallets: int


# The transaction that filled the pool or curve.
class LaunchOpening(TypedDict):
    # Signature or hash of the transaction.
    transaction: str
    # Slot or block number.
    height: int
    # Time of the transaction; null where the chain’s reply has none. RFC 3339, UTC.
    at: str | None
    # Who signed it.
    signer: str | None


class LaunchSnipersItem(TypedDict):
    # The wallet.
    address: str
    # Of total supply, bought then. Percent.
    share_pct: float


# The keys of the account.
class ListAccountKeysReply(TypedDict):
    # All keys of the account, revoked ones too, oldest first.
    data: list[Key]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


# A page of alerts.
class ListAlertsReply(TypedDict):
    # Newest first.
    data: list[Alert]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of all accounts’ disputes.
class ListAllDisputesReply(TypedDict):
    # Newest first.
    data: list[AccountDispute]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of appeals.
class ListAppealsReply(TypedDict):
    # Newest first.
    data: list[ListedAppeal]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of the account’s bulk jobs.
class ListBulkJobsReply(TypedDict):
    # Newest first.
    data: list[BulkJob]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of rows.
class ListBulkRowsReply(TypedDict):
    # In the order in which they were sent.
    data: list[BulkRow]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# The chains served.
class ListChainsReply(TypedDict):
    # Chains this service reads.
    data: list[ListChainsReplyDataItem]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


class ListChainsReplyDataItem(TypedDict):
    # The name used in paths.
    chain: str
    # Display name of the chain.
    title: str
    # Kind of chain: how its tokens, pools and addresses work.
    kind: Literal["solana", "evm"]
    # CAIP-2 id.
    caip2: str
    # Ticker of the chain’s own coin.
    native_symbol: str
    # Plans that include the chain.
    included_in: list[str]


# A page of signed checkpoints.
class ListCheckpointsReply(TypedDict):
    # The smallest first.
    data: list[KeptCheckpoint]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of deliveries.
class ListDeliveriesReply(TypedDict):
    # Newest first.
    data: list[Delivery]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of the account’s disputes.
class ListDisputesReply(TypedDict):
    # Newest first.
    data: list[ListedDispute]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of the index of a chain.
class ListIndexReply(TypedDict):
    # Indexed assets of the chain, in the order of their ids.
    data: list[IndexedAsset]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    coverage: Coverage
    data_mode: DataMode


# The keys of this service.
class ListKeysReply(TypedDict):
    # All keys, revoked ones too.
    data: list[Key]
    # Always null: the list is whole.
    next_cursor: None


# Leaves of the log from a place on.
class ListLogEntriesReply(TypedDict):
    # In the order of the log; empty at its end.
    data: list[LogEntry]
    # Leaves of the newest checkpoint, up to which entries are read.
    tree_size: int
    data_mode: DataMode


# The log of changes.
class ListMethodologyChangesReply(TypedDict):
    # Every version there was.
    data: list[ListMethodologyChangesReplyDataItem]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


class ListMethodologyChangesReplyDataItem(TypedDict):
    # Name of the change.
    id: str
    # The version it made.
    version: str
    # When it came into force, YYYY-MM-DD.
    date: str
    # MAJOR: weights, cut-offs, caps, definition of default; MINOR: features, anchors, sources; PATCH: the correction of a mistake.
    kind: Literal["MAJOR", "MINOR", "PATCH"]
    # The reason, as text.
    reason: str
    # What it did to ratings.
    effect: str
    # How ratings moved; null where no shadow run was made.
    moves: MethodologyMoves | None
    # Ratings are made by this version now.
    in_force: bool
    # SHA-256 of the canonical JSON of the version: `methodology_hash` of its ratings.
    hash: str
    # Where the version is read.
    href: str


# A page of misses.
class ListMissesReply(TypedDict):
    # Newest first.
    data: list[Miss]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    # When it was computed. RFC 3339, UTC.
    as_of: str
    data_mode: DataMode


# What a webhook is not sent at present.
class ListMutesReply(TypedDict):
    # The first to end first.
    data: list[ListMutesReplyDataItem]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


class ListMutesReplyDataItem(TypedDict):
    # Id of the mute (`mute_...`).
    id: str
    # Asset that is muted, as in alerts; null: all of them.
    asset_id: str | None
    # Kind that is muted; null: all of them.
    kind: Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"] | None
    # When it was muted. RFC 3339, UTC.
    created_at: str
    # When it ends. RFC 3339, UTC.
    until: str


# The plans in force.
class ListPlansReply(TypedDict):
    # In the order they are offered in.
    data: list[Plan]
    # What a request without a key costs; null where nothing is sold without one.
    pay_per_call: PayPerCall | None
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


# The built-in rules.
class ListPolicyPresetsReply(TypedDict):
    # All presets.
    data: list[PolicyPreset]


# Proofs of the ratings of an asset.
class ListRatingProofsReply(TypedDict):
    # In the order of the log.
    data: list[RatingProof]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of ratings.
class ListRatingsReply(TypedDict):
    # Ratings as they were published and signed.
    data: list[RatingRecord]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of rows of a register.
class ListRegisterRowsReply(TypedDict):
    # Name of the register.
    register: str
    # By id; the operator’s own after the shipped one.
    data: list[RegisterRow]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# The kept registers.
class ListRegistersReply(TypedDict):
    # In a fixed order.
    data: list[Register]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


# A page of corrections.
class ListRestatementsReply(TypedDict):
    # Newest first.
    data: list[ListRestatementsReplyDataItem]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


class ListRestatementsReplyDataItem(TypedDict):
    # Number of the correction; rises with time.
    id: int
    # `rms` or a chain: a day of its export; `rating`: one rating.
    subject: str
    # The corrected day, YYYY-MM-DD; null for a single rating.
    date: str | None
    # Revision that holds the corrected rows; the ones before stay readable. Null for a single rating.
    revision: float | None
    # The corrected asset, CAIP-19 id; null for a day.
    asset_id: str | None
    # When it was corrected. RFC 3339, UTC.
    made_at: str
    # The reason, as text.
    reason: str
    # What was changed: counts and rows of a day; a rating before and after.
    detail: dict[str, Any]


# A page of the signed list of revocations.
class ListRevocationsReply(TypedDict):
    # In the order of the ids.
    data: list[Revocation]
    # CAIP-2 id of the chain that it is for.
    chain: str
    # When the list was made: it holds what was revoked until then. RFC 3339, UTC.
    as_of: str
    # Cursor of the request: lines up to it are on earlier pages. Null on the first page.
    after: str | None
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode
    signature: Signature


# A JWK set.
class ListSigningKeysReply(TypedDict):
    # All keys that ever signed, newest first.
    keys: list[PublicKey]
    # Keys of the records that EVM contracts check, newest first.
    attestation_keys: list[AttestationKey]
    data_mode: DataMode


# A page of snapshots.
class ListSolanaHoldersHistoryReply(TypedDict):
    # Snapshots as they were made, oldest first.
    data: list[HoldersSnapshot]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of snapshots.
class ListSolanaLiquidityHistoryReply(TypedDict):
    # Snapshots as they were made, oldest first.
    data: list[PoolsSnapshot]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# A page of snapshots.
class ListSolanaMarketHistoryReply(TypedDict):
    # Snapshots as they were made, oldest first.
    data: list[MarketSnapshot]
    # Repeat the request with `cursor` set to this; null on the last page.
    next_cursor: str | None
    data_mode: DataMode


# The thresholds of the account on assets of the chain.
class ListThresholdsReply(TypedDict):
    # In the order of the ids of the assets.
    data: list[ThresholdEntry]
    # Assets with thresholds, on all chains.
    used: int
    # `threshold_assets` of the key’s plan.
    limit: int
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


# The account’s webhooks.
class ListWebhooksReply(TypedDict):
    # Oldest first.
    data: list[Webhook]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


# An appeal of the list.
class ListedAppeal(TypedDict):
    # Id of the appeal.
    id: str
    # Reference of the appeal; anyone who has it may read the status.
    reference: str
    # `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating.
    state: Literal["awaiting_proof", "expired", "proved", "under_review", "accepted", "rejected", "corrected"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it was opened. RFC 3339, UTC.
    opened_at: str
    # Until when control has to be proved. RFC 3339, UTC.
    expires_at: str
    # The proof of control; null before it.
    proof: OpenedAppealProof | None
    # How often evidence was sent. It is read by the reviewers and not shown.
    evidence_count: int
    # Reviews of the present step; two that agree decide.
    review_count: int
    # What the reviewers found; null before.
    finding: str | None
    # When they decided; null before. RFC 3339, UTC.
    decided_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # What the party sent, oldest first.
    evidence: list[ListedAppealEvidenceItem]
    # Reviews of the present step.
    reviews: list[ListedAppealReviewsItem]


class ListedAppealEvidenceItem(TypedDict):
    # When it came. RFC 3339, UTC.
    received_at: str
    # What the party states; outside text.
    statement: str
    # Where it points; outside addresses that were not opened.
    links: list[str]


class ListedAppealReviewsItem(TypedDict):
    # Key of the reviewer.
    key_id: str
    # The opinion of the reviewer.
    decision: Literal["accepted", "rejected", "corrected"]
    # The reason, as text.
    finding: str
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # When. RFC 3339, UTC.
    reviewed_at: str


# A dispute as lists show it: without `data_mode`, which the list has.
class ListedDispute(TypedDict):
    # Id of the dispute.
    id: str
    # `accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed.
    state: Literal["received", "accepted", "rejected", "restated"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it came. RFC 3339, UTC.
    received_at: str
    # What is wrong, as it was given.
    claim: str
    # As it was given; seen by the account and the operator alone.
    contact: str | None
    # What the operator found; null while it is open.
    resolution: str | None
    # When that was; null while it is open. RFC 3339, UTC.
    resolved_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # `public`: of somebody without a key.
    origin: Literal["account", "public"]


# A published rating as the log holds it.
class LogEntry(TypedDict):
    # Place in the log, from 0.
    leaf_index: int
    # What the leaf is the hash of, as text: canonical JSON of `as_of`, `asset` and `record_sha256`, the SHA-256 of the published record without its signature. Leaf hash: SHA-256 of a zero byte and these bytes (RFC 6962).
    leaf: str


# The days that are published.
class Manifest(TypedDict):
    # Published days.
    data: list[PublishedDay]
    # Always null: the list is whole.
    next_cursor: None
    data_mode: DataMode


# Price, volume, supply and dispersion of an asset at one moment.
class MarketSnapshot(TypedDict):
    asset: Asset
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int
    data_mode: DataMode
    # Names of the public sources it rests on.
    sources: list[str]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # Text that a reader should know: a fallback taken, a part that is missing.
    warnings: list[str]
    # Which kind of snapshot this is.
    kind: Literal["market"]
    # Consensus price, US dollars.
    price_usd: float | None
    # Change of the price over one hour, percent.
    change_1h_pct: float | None
    # Change of the price over 24 hours, percent.
    change_24h_pct: float | None
    # Change of the price over 7 days, percent.
    change_7d_pct: float | None
    # Change of the price over 30 days, percent.
    change_30d_pct: float | None
    # Traded in 24 hours, US dollars.
    volume_24h_usd: float | None
    # Price times circulating supply.
    market_cap_usd: float | None
    # Price times total (or maximum) supply.
    fully_diluted_value_usd: float | None
    # Whole tokens.
    circulating_supply: float | None
    # Whole tokens; of a token on several chains, on this one.
    total_supply: float | None
    # Whole tokens; null when there is no maximum or it is not known.
    max_supply: float | None
    # Both sides of all pools, US dollars.
    liquidity_usd: float | None
    # Volume of 24 hours over market capitalisation, percent.
    turnover_pct: float | None
    # Volume of 24 hours over liquidity, a ratio.
    volume_to_liquidity: float | None
    # Standard deviation of daily log returns over 30 days, percent per day.
    volatility_30d_pct: float | None
    # All-time high, US dollars.
    ath_usd: float | None
    # Below the all-time high. 0-100; null when not known.
    drawdown_pct: float | None
    # How far the venues’ prices lie apart (1.4826 MAD of log prices), percent.
    price_dispersion_pct: float | None
    # `total_supply` without rounding: whole tokens as decimal text, with all decimals of the token. A JSON number is rounded beyond 2^53 or about 16 digits. Null when no read of the chain counted in `total_supply` or the sources contradict each other; absent in snapshots from before it was kept.
    total_supply_exact: NotRequired[str | None]
    # Source that read `total_supply_exact` from the chain; null with it.
    total_supply_exact_source: NotRequired[str | None]
    # When the all-time high was, to the day; null when not known. RFC 3339, UTC.
    ath_at: str | None
    # Where it is traded, as far as the sources state.
    venues: list[MarketSnapshotVenuesItem]
    # Where each number above comes from; numbers that are null have none.
    provenance: MarketSnapshotProvenance


# Where each number above comes from; numbers that are null have none.
class MarketSnapshotProvenance(TypedDict):
    price_usd: NotRequired[Provenance]
    change_1h_pct: NotRequired[Provenance]
    change_24h_pct: NotRequired[Provenance]
    change_7d_pct: NotRequired[Provenance]
    change_30d_pct: NotRequired[Provenance]
    volume_24h_usd: NotRequired[Provenance]
    market_cap_usd: NotRequired[Provenance]
    fully_diluted_value_usd: NotRequired[Provenance]
    circulating_supply: NotRequired[Provenance]
    total_supply: NotRequired[Provenance]
    max_supply: NotRequired[Provenance]
    liquidity_usd: NotRequired[Provenance]
    turnover_pct: NotRequired[Provenance]
    volume_to_liquidity: NotRequired[Provenance]
    volatility_30d_pct: NotRequired[Provenance]
    ath_usd: NotRequired[Provenance]
    drawdown_pct: NotRequired[Provenance]
    price_dispersion_pct: NotRequired[Provenance]


class MarketSnapshotVenuesItem(TypedDict):
    # Market of an exchange (`binance:TIDE-USDT`), or pool: its exchange and its address.
    venue: str
    # Price there, US dollars.
    price_usd: float | None
    # Traded there in 24 hours, US dollars.
    volume_24h_usd: float | None
    # Names of the public sources it rests on.
    sources: list[str]


# How a version moved ratings: a shadow run beside an earlier one on the same evidence.
class MethodologyMoves(TypedDict):
    # Version that it was run beside.
    against: str
    # What both versions rated.
    evidence: str
    # Moves by class.
    classes: list[MethodologyMovesClassesItem]
    # The largest moves first.
    biggest: list[MethodologyMovesBiggestItem]


MethodologyMovesBiggestItem = TypedDict(
    "MethodologyMovesBiggestItem",
    {
        # Name in the evidence; before @ that of the asset, after it the month.
        "asset": "str",
        # Class by the newer version.
        "class": "Literal[\"native_l1\", \"l2\", \"stable_fiat\", \"stable_crypto\", \"stable_algo\", \"lst_wrapped\", \"commodity\", \"defi_gov\", \"exchange\", \"infra\", \"gaming\", \"rwa_sec\", \"memecoin\", \"default\"]",
        # Category by the earlier version.
        "from_category": "Literal[\"default\", \"stablecoin\", \"l1_l2\", \"defi_protocol\", \"memecoin\", \"lst_wrapped\", \"rwa\", \"gaming_ai\", \"exchange_token\"]",
        # Score by the earlier version.
        "from_score": "float",
        "from_band": "Band",
        # Score by the newer version.
        "score": "float",
        "band": "Band",
        # Why it moved.
        "reason": "str",
    },
)

MethodologyMovesClassesItem = TypedDict(
    "MethodologyMovesClassesItem",
    {
        # Class by the newer version.
        "class": "Literal[\"native_l1\", \"l2\", \"stable_fiat\", \"stable_crypto\", \"stable_algo\", \"lst_wrapped\", \"commodity\", \"defi_gov\", \"exchange\", \"infra\", \"gaming\", \"rwa_sec\", \"memecoin\", \"default\"]",
        # Assets of the class.
        "assets": "int",
        # Of them rated by both versions: those that the moves are of.
        "rated_by_both": "int",
        # Of them rated by the newer version alone.
        "rated_now_only": "int",
        # Median move of the score in points; null where none was rated by both.
        "median": "float | None",
        # Lowest move.
        "lowest": "float | None",
        # Highest move.
        "highest": "float | None",
        # Assets whose band is better.
        "bands_up": "int",
        # Assets whose band is worse.
        "bands_down": "int",
    },
)

# The reply to `output_format: minimal`: these fields and no other.
class MinimalScore(TypedDict):
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # `type` as it was sent.
    type: str
    # `project` as it was sent, or the name that `asset` was read as.
    project: str
    # The rating of this moment.
    rating: MinimalScoreRating
    # Trust in the evidence, apart from the rating.
    trust_score: MinimalScoreTrustScore
    # Value-fairness ratio; no forecast, and no part of the score.
    vfr: MinimalScoreVfr
    # Seconds from the start of the caller’s job to its result, whichever job collected the evidence.
    execution_time_seconds: float


# The rating of this moment.
class MinimalScoreRating(TypedDict):
    band: Band
    # 0-100 in steps of 0.1; null when not rated (`NR`).
    score: float | None


# Trust in the evidence, apart from the rating.
class MinimalScoreTrustScore(TypedDict):
    # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
    score: float


# Value-fairness ratio; no forecast, and no part of the score.
class MinimalScoreVfr(TypedDict):
    # Market value over fair value: 1 is what peers are worth; null when no fair value can be computed reliably.
    value: float | None
    zone: VfrZone


# A default of what was rated well in the year before.
class Miss(TypedDict):
    # CAIP-19 id.
    asset_id: str
    # Ticker, untrusted text; null when not known.
    symbol: str | None
    # The best band it held in the year before.
    band: Band
    # When it held that band last. RFC 3339, UTC.
    band_as_of: str
    # The band it held last before it defaulted.
    band_before: Band
    # When it defaulted. RFC 3339, UTC.
    defaulted_at: str


# What a webhook is not sent until a time.
class Mute(TypedDict):
    # Id of the mute (`mute_...`).
    id: str
    # Asset that is muted, as in alerts; null: all of them.
    asset_id: str | None
    # Kind that is muted; null: all of them.
    kind: Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"] | None
    # When it was muted. RFC 3339, UTC.
    created_at: str
    # When it ends. RFC 3339, UTC.
    until: str
    data_mode: DataMode


# What is muted: an asset, a kind, or a kind of alerts about an asset. One of both is needed.
class MuteWebhookBody(TypedDict):
    # `asset_id` of the alerts.
    asset_id: NotRequired[str]
    # Kind of alert.
    kind: NotRequired[Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"]]
    # For how long.
    days: int


# The key that was made.
class NewKey(TypedDict):
    # Id of the key; not the key itself.
    id: str
    # Whose watchlist, alerts, webhooks and usage the key reaches
    account_id: str
    # What it was called when it was made.
    name: str
    # How the key begins, by which people recognise it.
    prefix: str
    # What it may do: score, rms:read, rms:write, chain:read; account (the keys of its account); admin (everything).
    scopes: list[str]
    # Plan whose limits it has (GET /v1/plans).
    plan: str
    # When it was made. RFC 3339, UTC.
    created_at: str
    # From then on it is refused; null: never. RFC 3339, UTC.
    expires_at: str | None
    # Since when it is refused; null while it works. RFC 3339, UTC.
    revoked_at: str | None
    # Its newest request; null before the first. RFC 3339, UTC.
    last_used_at: str | None
    # Addresses and CIDR ranges it may be used from; empty: any.
    allowed_ips: list[str]
    # Id of the key that it replaces; null when it replaces none.
    rotated_from: str | None
    # The key itself. It is shown once.
    secret: str


# The webhook with its secret.
class NewWebhook(TypedDict):
    # Id of the webhook (`wh_...`).
    id: str
    # Where messages are sent. In the formats of chat services the url is the secret: only its origin is shown, followed by `/***`.
    url: str
    # Shape of the messages.
    format: Literal["assay", "slack", "discord", "telegram"]
    # Chat of Telegram that messages go to; null in other formats.
    chat_id: str | None
    # Your own note.
    description: str | None
    # Kinds of alerts it is sent.
    kinds: list[Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"]]
    # False: nothing is sent.
    enabled: bool
    # `gone` (it replied 410), `failing` (no delivery succeeded for 5 days), `by_request`; null while it is on.
    disabled_reason: str | None
    # When it was made. RFC 3339, UTC.
    created_at: str
    # Until then messages carry a signature by the secret before as well; null without one. RFC 3339, UTC.
    previous_secret_until: str | None
    # Health of the endpoint.
    health: WebhookHealth
    data_mode: DataMode
    # The signing secret (`whsec_...`). It is shown once.
    secret: str


# The status of an objection. Its text and its author are not shown.
class Objection(TypedDict):
    # Reference of the appeal; anyone who has it may read the status.
    reference: str
    # As of a dispute; `received`: not decided yet.
    state: Literal["received", "accepted", "rejected", "restated"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it came. RFC 3339, UTC.
    received_at: str
    # What the operator found; null while it is open.
    resolution: str | None
    # When that was; null while it is open. RFC 3339, UTC.
    resolved_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    data_mode: DataMode


# A cap below the wanted score: until it ends nothing else lifts the band.
class Obstacle(TypedDict):
    # Code of the cap.
    code: str
    # Score that it allows at most.
    cap: float
    # Flag that caused it; null without one.
    flag: str | None
    # What was found.
    detail: str
    # The condition that has to end.
    condition: str
    # When the cap ends once its condition has.
    ends: str
    # False for the ceiling of a class, which cannot be lifted.
    can_be_lifted: bool


# Which asset the party controls.
class OpenAppealBody(TypedDict):
    # As in rating reads: an id, an address, or a symbol.
    asset: str


# An appeal with its challenge.
class OpenedAppeal(TypedDict):
    # Reference of the appeal; anyone who has it may read the status.
    reference: str
    # `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating.
    state: Literal["awaiting_proof", "expired", "proved", "under_review", "accepted", "rejected", "corrected"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it was opened. RFC 3339, UTC.
    opened_at: str
    # Until when control has to be proved. RFC 3339, UTC.
    expires_at: str
    # The proof of control; null before it.
    proof: OpenedAppealProof | None
    # How often evidence was sent. It is read by the reviewers and not shown.
    evidence_count: int
    # Reviews of the present step; two that agree decide.
    review_count: int
    # What the reviewers found; null before.
    finding: str | None
    # When they decided; null before. RFC 3339, UTC.
    decided_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # What proves control, one of them is enough.
    task: OpenedAppealTask
    data_mode: DataMode


# The proof of control; null before it.
class OpenedAppealProof(TypedDict):
    # How control was proved.
    method: Literal["dns", "eip191", "eip712", "eip1271", "ed25519", "repository"]
    # What the domain, address or account is to the asset or its repository.
    role: str
    # The domain or address; of a repository: it, the account and the key.
    subject: str
    # When it was proved. RFC 3339, UTC.
    proved_at: str


# What proves control, one of them is enough.
class OpenedAppealTask(TypedDict):
    # Text to sign as it is: `eip191` (personal_sign), `ed25519` or `repository` (OpenPGP), UTF-8.
    text: str
    # The same for `eip712`; null for an asset on no EVM chain.
    typed_data: Any
    # Record to publish for `dns`; null where no website is tied to the asset.
    dns: OpenedAppealTaskDns | None
    # Addresses whose signature proves control, by the evidence of the rating.
    signers: list[OpenedAppealTaskSignersItem]
    # GitHub repository (`owner/name`) that the evidence of the rating ties to the asset: its owner, or a public member of the organisation that owns it, signs for `repository`; null: none is.
    repository: str | None


# Record to publish for `dns`; null where no website is tied to the asset.
class OpenedAppealTaskDns(TypedDict):
    # Name of the record.
    name: str
    # Type of the record.
    type: Literal["TXT"]
    # Text of the record.
    value: str


class OpenedAppealTaskSignersItem(TypedDict):
    # What the address is to the asset.
    role: str
    # The address.
    address: str


# Overview of all rated assets.
class Overview(TypedDict):
    # The moment that everything here is counted at; a plan with delayed data has its grid point. RFC 3339, UTC.
    as_of: str
    # Assets that were ever rated.
    assets: int
    # Of these, assets with a score.
    scored: int
    # Every band, the best first.
    bands: list[OverviewBandsItem]
    # Rating actions of the last seven days.
    actions_7d: OverviewActions7d
    # The largest movements of the score within seven days, at most 12. Assets rated for less than that are not among them.
    movers_7d: list[OverviewMovers7dItem]
    # Flags of the severities critical and high.
    severe_flags: OverviewSevereFlags
    # Assets in default, the newest first, at most 12; all are in `bands`.
    defaults: list[OverviewDefaultsItem]
    # Assets with a flag that they are off their peg, the newest first, at most 12.
    pegs: list[OverviewPegsItem]
    # Coverage and age of the newest rating by class, the largest class first.
    classes: list[OverviewClassesItem]
    # Age of the newest ratings of scored assets.
    age_seconds: OverviewAgeSeconds
    # Trust in the evidence over all rated assets.
    trust: OverviewTrust
    data_mode: DataMode


# Rating actions of the last seven days.
class OverviewActions7d(TypedDict):
    # First ratings.
    new: int
    # Upgrades.
    upgrade: int
    # Downgrades.
    downgrade: int
    # Withdrawals.
    withdraw: int


# Age of the newest ratings of scored assets.
class OverviewAgeSeconds(TypedDict):
    # Median; null without a scored asset.
    p50: float | None
    # 95 % are at most so old.
    p95: float | None


# An asset of the overview.
OverviewAsset = TypedDict(
    "OverviewAsset",
    {
        # CAIP-19 id, or `project:` and a domain.
        "id": "str",
        # Ticker, untrusted text.
        "symbol": "str | None",
        # What it calls itself: untrusted text.
        "name": "str",
        # Class of the methodology; null for ratings from before classes.
        "class": "str | None",
    },
)

class OverviewBandsItem(TypedDict):
    band: Band
    # Assets in the band.
    assets: int
    # Assets that were in it 30 days before.
    assets_30d_ago: int


OverviewClassesItem = TypedDict(
    "OverviewClassesItem",
    {
        # Class of the methodology; null: rated before classes.
        "class": "str | None",
        # Assets ever rated.
        "assets": "int",
        # With a score.
        "scored": "int",
        # Scored within the last hour.
        "within_1h": "int",
        # Scored within the last six hours, the last one included.
        "within_6h": "int",
        # Scored within the last day, the last six hours included.
        "within_24h": "int",
    },
)

class OverviewDefaultsItem(TypedDict):
    asset: OverviewAsset
    # When it defaulted. RFC 3339, UTC.
    since: str | None
    # When it is cured if nothing comes up again. RFC 3339, UTC.
    cures_at: str | None
    # The tests that are met; empty while it waits to be cured.
    detail: str


class OverviewMovers7dItem(TypedDict):
    asset: OverviewAsset
    band: Band
    # Now.
    score: float
    band_before: Band
    # Seven days before.
    score_before: float
    # Points.
    change: float
    # What moved it most.
    reason: str
    # Time of the rating that the reason is of. RFC 3339, UTC.
    as_of: str


class OverviewPegsItem(TypedDict):
    asset: OverviewAsset
    severity: Severity
    # The condition in short.
    title: str
    # How far it is off.
    detail: str
    # First seen raised, without a break since. RFC 3339, UTC.
    since: str | None


# Flags of the severities critical and high.
class OverviewSevereFlags(TypedDict):
    # Critical flags that are raised.
    critical: int
    # High flags that are raised.
    high: int
    # Assets with any of them.
    assets: int
    # Of these flags, first raised within 24 hours.
    new_24h: int
    # The newest, at most 12.
    newest: list[OverviewSevereFlagsNewestItem]


class OverviewSevereFlagsNewestItem(TypedDict):
    asset: OverviewAsset
    # Code of the flag.
    code: str
    severity: Severity
    # The condition in short.
    title: str
    # What was seen, with its numbers.
    detail: str
    # First seen raised, without a break since. RFC 3339, UTC.
    since: str | None


# Trust in the evidence over all rated assets.
class OverviewTrust(TypedDict):
    # 0-100.
    median: float | None
    # The same, 30 days before; null when nothing was rated then.
    median_30d_ago: float | None
    # Assets whose trust is lower than 60.
    below_60: int


# Single requests that are sold to callers without a key.
class PayPerCall(TypedDict):
    # The payment protocol, version 2, scheme `exact` (docs/x402.md).
    protocol: Literal["x402"]
    # CAIP-2 id of the chain that payers pay on.
    network: str
    # Contract of the token.
    token: str
    # What the token calls itself.
    token_name: str
    # Address that payments go to.
    pay_to: str
    # What is sold.
    prices: list[SoldRequest]


# Rated assets of the same class, and where their factors lie.
Peers = TypedDict(
    "Peers",
    {
        # The asset that is compared.
        "asset_id": "str",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
        # Rated assets of the class with a score, without the asset itself; at most the 500 largest.
        "peers": "int",
        # Factors of the class, over the peers.
        "factors": "list[FactorRange]",
        # The peers, the largest first.
        "data": "list[ClassPeer]",
        # When they were counted. RFC 3339, UTC.
        "as_of": "str",
        "data_mode": "DataMode",
    },
)

# How far a coin is off its peg, and for how long.
class PegStress(TypedDict):
    # `opened`: the coin is off its peg, far or for long; `worsened`: severely; `closed`: it has been on it again for a day.
    state: Literal["opened", "worsened", "closed"]
    # Of the peg, ISO 4217.
    currency: str
    # In units of the peg: 1 is on it.
    price: float
    # Time of that price. RFC 3339, UTC.
    price_at: str
    # Of the price from the peg, basis points; negative: below.
    distance_bps: int
    # Distance above what is allowed, times hours, since the price last was on the peg.
    bps_hours: int
    # Distance that is allowed.
    allowed_bps: int
    # At which an alert is made.
    alarm_bps_hours: int


# What keys of the plan may do, how much of it, and for what price.
class Plan(TypedDict):
    # Name of the plan, as keys have it.
    name: str
    # Display name of the plan.
    title: str
    # Its purpose.
    description: str
    # US dollars; null: not sold by itself.
    price_usd_per_month: float | None
    # What its keys may do; `*`: everything.
    scopes: Literal["*"] | list[str]
    # Chains whose data it includes; `*`: all.
    chains: Literal["*"] | list[str]
    # Snapshots served are the newest at or before the last full multiple of so many seconds; 0: the newest.
    freshness_grid_seconds: int
    # Days back from now that history is served of; null: all that is kept.
    history_days: float | None
    # Null: no limit.
    requests_per_minute: float | None
    # Per UTC day; null: no limit.
    requests_per_day: float | None
    # Most assets in one batch.
    batch_size: int
    # Null: no limit.
    concurrent_scoring_jobs: float | None
    # Ratings made anew on demand, per account and UTC day; null: no limit.
    fresh_ratings_per_day: float | None
    # Collections that scores start, per account and UTC day; joining one or reading its rating is free. Null: no limit.
    collections_per_day: float | None
    # Most assets whose indexing an account may request (PUT /v1/{chain}/index/{asset}).
    indexed_assets: int
    # Most rows of one bulk job (POST /v1/bulk) that are scored.
    bulk_rows: int
    # Most assets on an account’s watchlist.
    watchlist_size: int
    # Most webhooks of an account.
    webhooks: int
    # Most event streams open at once, per account.
    stream_connections: int
    # Most assets that one stream of chain data follows (GET /v1/{chain}/stream); 0: no such streams.
    stream_assets: int
    # Most assets on whose snapshots an account may set thresholds (PUT /v1/{chain}/thresholds/{asset}); 0: none.
    threshold_assets: int
    # Days that jobs and results which are not published are kept for the caller who requested them; null: as long as the operator has set for all.
    kept_days: float | None
    # Exports it includes; `*`: all.
    exports: Literal["*"] | list[str]
    # What it promises, and what a breach gives back of the price; null: nothing.
    sla: None | PlanSla


class PlanSla(TypedDict):
    # At least, percent of the calendar month (UTC).
    availability_pct: float
    # At most, of market data of assets indexed for the newest, in 99 of 100 minutes.
    market_age_seconds: int
    # At most, 99th percentile of reads, milliseconds.
    latency_p99_ms: float
    # The lowest step that the month fell below counts.
    credits: list[PlanSlaCreditsItem]
    # Credit when the month broke market_age_seconds.
    freshness_credit_pct: float
    # Credit when the month broke latency_p99_ms.
    latency_credit_pct: float


class PlanSlaCreditsItem(TypedDict):
    # Availability of the calendar month (UTC), percent.
    below_pct: float
    # Of the price, when it fell below.
    credit_pct: float


# One position of a portfolio, judged.
class PolicyPosition(TypedDict):
    # The asset as requested.
    requested: str
    # Its CAIP-19 id; null where the text names none, or several.
    asset_id: str | None
    # Ticker, untrusted text; null when not known.
    symbol: str | None
    outcome: PolicyOutcome
    # Every rule that fired, in the order of the rules.
    fired: list[FiredRule]
    # Rules that apply and are met.
    met: list[str]
    # As published; NR without a rating.
    band: Band
    # As published, 0-100; null when not rated.
    score: float | None
    # Trust in its evidence, 0-100; null without a rating.
    trust_score: float | None
    # When the facts of the rating were true; null without a rating. RFC 3339, UTC.
    rating_as_of: str | None
    # Version of the methodology that made it; null without a rating.
    methodology_version: str | None
    # Null where neither pools nor order books are known.
    largest_exposure: LargestExposure | None
    # The signed rating that was judged. Path on this service; null where there is none.
    rating: str | None
    # The evidence of its job. Path on this service; null where there is none.
    evidence: str | None
    # The request that has the asset rated, where there is no rating, an old one, or one whose evidence is gone; else null.
    next: PolicyVerdictNext | None
    # Whole tokens, as given or read; null where neither is.
    quantity: float | None
    # Value, US dollars; null where neither value nor price is known.
    value_usd: float | None
    # Of the value of the portfolio. 0-1.
    share: float


# Built-in rules.
class PolicyPreset(TypedDict):
    # What a request calls it.
    name: str
    # Who it is for.
    title: str
    # Its rules.
    rules: PolicyRules


# Rules of a caller; what is left out is taken from the preset.
class PolicyRules(TypedDict):
    # Worse than this band.
    band: NotRequired[PolicyRulesBand]
    # Trust in the evidence below this, 0-100.
    trust: NotRequired[PolicyRulesTrust]
    # A flag of one of these severities or codes; `ignore` names codes that do not count.
    flags: NotRequired[PolicyRulesFlags]
    # The facts of the rating are older than so many hours.
    rating_age_hours: NotRequired[PolicyRulesRatingAgeHours]
    # The middle observation that the rating rests on is older than so many hours.
    evidence_age_hours: NotRequired[PolicyRulesEvidenceAgeHours]
    # Chains. `allow`: all others are blocked; `deny`: these are.
    chains: NotRequired[PolicyRulesChains]
    # Classes of the methodology. `allow`: all others are blocked; `deny`: these are.
    classes: NotRequired[PolicyRulesClasses]
    # Own lists of assets. `allow`: all others are blocked; `deny`: these are.
    assets: NotRequired[PolicyRulesAssets]
    # The largest sale whose average price, fees included, is at most `max_cost_pct` percent below the market (the largest exposure).
    exit: NotRequired[PolicyRulesExit]
    # One pool takes more than this share of the largest exit, percent.
    pool_share_pct: NotRequired[PolicyRulesPoolSharePct]
    # The creator and linked wallets hold more than this share of the liquidity, percent.
    provider_share_pct: NotRequired[PolicyRulesProviderSharePct]
    # The decision where a rule cannot be evaluated: never rated, not rated (NR), withdrawn, evidence no longer kept, an unknown figure.
    unknown: NotRequired[Literal["block", "caution"]]


# Own lists of assets. `allow`: all others are blocked; `deny`: these are.
class PolicyRulesAssets(TypedDict):
    # Those allowed; null: all.
    allow: NotRequired[list[str] | None]
    # Those denied.
    deny: NotRequired[list[str]]


# Worse than this band.
class PolicyRulesBand(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[Literal["AAA", "AA", "A", "BBB", "BB", "B", "CCC", "CC", "C", "D"] | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[Literal["AAA", "AA", "A", "BBB", "BB", "B", "CCC", "CC", "C", "D"] | None]


# Chains. `allow`: all others are blocked; `deny`: these are.
class PolicyRulesChains(TypedDict):
    # Those allowed; null: all.
    allow: NotRequired[list[Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"]] | None]
    # Those denied.
    deny: NotRequired[list[Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"]]]


# Classes of the methodology. `allow`: all others are blocked; `deny`: these are.
class PolicyRulesClasses(TypedDict):
    # Those allowed; null: all.
    allow: NotRequired[list[Literal["native_l1", "l2", "stable_fiat", "stable_crypto", "stable_algo", "lst_wrapped", "commodity", "defi_gov", "exchange", "infra", "gaming", "rwa_sec", "memecoin", "default"]] | None]
    # Those denied.
    deny: NotRequired[list[Literal["native_l1", "l2", "stable_fiat", "stable_crypto", "stable_algo", "lst_wrapped", "commodity", "defi_gov", "exchange", "infra", "gaming", "rwa_sec", "memecoin", "default"]]]


# The middle observation that the rating rests on is older than so many hours.
class PolicyRulesEvidenceAgeHours(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[float | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[float | None]


# The largest sale whose average price, fees included, is at most `max_cost_pct` percent below the market (the largest exposure).
class PolicyRulesExit(TypedDict):
    # Average price below the market, percent. Default: 2.
    max_cost_pct: NotRequired[float]
    # The largest exposure is below so many US dollars.
    size_usd: NotRequired[PolicyRulesExitSizeUsd]
    # The decision where the amount of the request is above the largest exposure.
    amount: NotRequired[Literal["block", "caution"]]
    # The decision where no pool was read from the chain.
    estimated: NotRequired[Literal["block", "caution"]]


# The largest exposure is below so many US dollars.
class PolicyRulesExitSizeUsd(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[float | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[float | None]


# A flag of one of these severities or codes; `ignore` names codes that do not count.
class PolicyRulesFlags(TypedDict):
    # Flags whose decision is `block`.
    block: NotRequired[PolicyRulesFlagsBlock]
    # Flags whose decision is `caution`.
    caution: NotRequired[PolicyRulesFlagsCaution]
    # Codes of flags.
    ignore: NotRequired[list[str]]


# Flags whose decision is `block`.
class PolicyRulesFlagsBlock(TypedDict):
    # Severities of flags.
    severities: NotRequired[list[Literal["info", "low", "medium", "high", "critical"]]]
    # Codes of flags.
    codes: NotRequired[list[str]]


# Flags whose decision is `caution`.
class PolicyRulesFlagsCaution(TypedDict):
    # Severities of flags.
    severities: NotRequired[list[Literal["info", "low", "medium", "high", "critical"]]]
    # Codes of flags.
    codes: NotRequired[list[str]]


# One pool takes more than this share of the largest exit, percent.
class PolicyRulesPoolSharePct(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[float | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[float | None]


# The creator and linked wallets hold more than this share of the liquidity, percent.
class PolicyRulesProviderSharePct(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[float | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[float | None]


# The facts of the rating are older than so many hours.
class PolicyRulesRatingAgeHours(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[float | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[float | None]


# Trust in the evidence below this, 0-100.
class PolicyRulesTrust(TypedDict):
    # Limit of the decision `block`; null: none.
    block: NotRequired[float | None]
    # Limit of the decision `caution`; null: none.
    caution: NotRequired[float | None]


# The rules of a caller applied to a published rating; no part of the rating.
class PolicyVerdict(TypedDict):
    # The asset as requested.
    requested: str
    # Its CAIP-19 id; null where the text names none, or several.
    asset_id: str | None
    # Ticker, untrusted text; null when not known.
    symbol: str | None
    outcome: PolicyOutcome
    # Every rule that fired, in the order of the rules.
    fired: list[FiredRule]
    # Rules that apply and are met.
    met: list[str]
    # As published; NR without a rating.
    band: Band
    # As published, 0-100; null when not rated.
    score: float | None
    # Trust in its evidence, 0-100; null without a rating.
    trust_score: float | None
    # When the facts of the rating were true; null without a rating. RFC 3339, UTC.
    rating_as_of: str | None
    # Version of the methodology that made it; null without a rating.
    methodology_version: str | None
    # Null where neither pools nor order books are known.
    largest_exposure: LargestExposure | None
    # The signed rating that was judged. Path on this service; null where there is none.
    rating: str | None
    # The evidence of its job. Path on this service; null where there is none.
    evidence: str | None
    # The request that has the asset rated, where there is no rating, an old one, or one whose evidence is gone; else null.
    next: PolicyVerdictNext | None
    # The rules that were applied: the preset’s with the caller’s in their place.
    rules: PolicyRules
    # When the rules were applied. RFC 3339, UTC.
    checked_at: str
    data_mode: DataMode


# The request that has the asset rated, where there is no rating, an old one, or one whose evidence is gone; else null.
class PolicyVerdictNext(TypedDict):
    # Why another rating would help.
    detail: str
    # Method of the request that has it made.
    method: str
    # Its path.
    path: str
    # Its body; null without one.
    body: PolicyVerdictNextBody | None
    # The job that rates it already. Path on this service; null where there is none.
    job: str | None


# Its body; null without one.
class PolicyVerdictNextBody(TypedDict):
    # The asset.
    asset: str


# One liquidity pool of an asset.
class Pool(TypedDict):
    # The exchange it belongs to.
    dex: str
    # Address of the pool on the chain.
    address: str
    # Mathematics it trades by; null when not known.
    kind: Literal["constant_product", "concentrated", "bins", "stableswap", "bonding_curve"] | None
    # Program or version of the protocol.
    protocol: str
    # What the pool trades.
    tokens: list[PoolTokensItem]
    # Price of the asset in the other token.
    price_quote: float | None
    # Price of the asset, US dollars.
    price_usd: float | None
    # Both sides, US dollars.
    tvl_usd: float | None
    # Traded in 24 hours, US dollars.
    volume_24h_usd: float | None
    # Fees of 24 hours, US dollars.
    fees_24h_usd: float | None
    # Fee of a trade, percent.
    fee_rate_pct: float | None
    # When the pool was made; null when not known. RFC 3339, UTC.
    created_at: str | None
    # Who could take the liquidity out; null when not known.
    lp: PoolLp | None
    # Read from the chain itself, not reported by an indexer.
    verified: bool
    # By this pool alone; empty when it cannot be computed.
    depth: list[Depth]
    # By this pool alone; empty when it cannot be computed.
    slippage: list[Slippage]
    # `exact`: by the pool’s own mathematics; `tvl_proxy`: estimated from the value locked; null without depth.
    depth_method: Literal["exact", "tvl_proxy"] | None
    # Names of the public sources it rests on.
    sources: list[str]
    # Where an indexer contradicts the chain.
    conflicts: list[PoolConflictsItem]
    # Why something is missing or doubtful, as text.
    notes: list[str]


class PoolConflictsItem(TypedDict):
    # The quantity, such as `tvl_usd`.
    what: str
    # Source that contradicts the chain.
    source: str
    # Value that the source states.
    value: float
    # What the chain shows.
    chain: float


# Who could take the liquidity out; null when not known.
class PoolLp(TypedDict):
    # Liquidity that can never be withdrawn. 0-100; null when not known.
    burned_pct: float | None
    # Liquidity under a lock. 0-100; null when not known.
    locked_pct: float | None
    # Who holds the lock; null when none does or it is not known.
    locker: str | None
    # When the lock ends; null when it is not known. RFC 3339, UTC.
    unlocks_at: str | None
    # Source that states it.
    source: str


class PoolTokensItem(TypedDict):
    # Mint or contract.
    address: str
    # Ticker, untrusted text.
    symbol: str | None
    # Base units are 10^-decimals of a whole token; null when not known.
    decimals: float | None
    # What the pool holds of it, base units, a decimal string; null when not known.
    reserve_raw: str | None
    # The same in whole tokens.
    reserve: float | None


# The liquidity pools of an asset at one moment.
class PoolsSnapshot(TypedDict):
    asset: Asset
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int
    data_mode: DataMode
    # Names of the public sources it rests on.
    sources: list[str]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # Text that a reader should know: a fallback taken, a part that is missing.
    warnings: list[str]
    # Which kind of snapshot this is.
    kind: Literal["pools"]
    # The requested pools.
    pools: list[Pool]
    # Of the pools listed.
    totals: PoolsSnapshotTotals
    # Of all pools together, whatever the scope.
    depth: list[Depth]
    # Of all pools together, whatever the scope.
    slippage: list[Slippage]
    # How the depth of all pools together was found; `mixed`: of some `exact`, of others a `tvl_proxy`; null without depth.
    depth_method: Literal["exact", "mixed", "tvl_proxy"] | None
    # Slot or block the pools were read at; null when none was read from the chain.
    height: float | None
    # Present when only some of the pools were requested.
    scope: NotRequired[PoolsSnapshotScope]


# Present when only some of the pools were requested.
class PoolsSnapshotScope(TypedDict):
    # `scope` as requested.
    name: Literal["all", "verified", "top"]
    # `min_tvl_usd` as requested; 0: no bound.
    min_tvl_usd: float
    # Pools that are known and not listed.
    pools_left_out: int


# Of the pools listed.
class PoolsSnapshotTotals(TypedDict):
    # Pools listed.
    pools: int
    # Of them, read from the chain itself.
    verified_pools: int
    # Sum of the known ones, US dollars.
    tvl_usd: float | None
    # Sum of the known ones, US dollars.
    volume_24h_usd: float | None
    # Sum of the known ones, US dollars.
    fees_24h_usd: float | None


# A portfolio checked against rules: each position, the whole, and what fails together.
class PortfolioVerdict(TypedDict):
    outcome: PolicyOutcome
    # Sum of the known values, US dollars.
    value_usd: float
    # Mean of the scores by value over what is rated, 0-100; null where nothing is.
    score: float | None
    # Band of that mean; NR where less than half of the value is rated.
    band: Band
    # The position with the worst band; null where none is rated.
    worst: PortfolioVerdictWorst | None
    # Part of the value without a band. 0-1.
    uncovered: float
    # Parts of the value by decision.
    shares: PortfolioVerdictShares
    # The positions, in the order given; those of an address by chain, the coin first.
    positions: list[PolicyPosition]
    # Where the positions were read; null where the caller gave them. A list that may not be whole makes the decision `caution` at least; positions that were left out make it that of `unknown`.
    holdings: list[HoldingsRead] | None
    # What the positions depend on.
    dependencies: list[DependencyEdge]
    # What each failure takes with it, the largest loss first; at most 100.
    breaks_together: list[Breakage]
    # Losses within a year when nodes fail by chance; a scenario on stated assumptions, no forecast.
    simulation: PortfolioVerdictSimulation
    # The rules that were applied.
    rules: PolicyRules
    # When the rules were applied. RFC 3339, UTC.
    checked_at: str
    data_mode: DataMode


# Parts of the value by decision.
class PortfolioVerdictShares(TypedDict):
    # Allowed. 0-1.
    allow: float
    # With caution. 0-1.
    caution: float
    # Blocked. 0-1.
    block: float


# Losses within a year when nodes fail by chance; a scenario on stated assumptions, no forecast.
class PortfolioVerdictSimulation(TypedDict):
    # The same seed and positions give the same bytes.
    seed: int
    # Number of runs.
    runs: int
    # Mean loss of a year. 0-1.
    mean: float
    # Loss that 95 % of the runs do not pass. 0-1.
    p95: float
    # Loss that 99 % of the runs do not pass. 0-1.
    p99: float
    # Mean of the worst hundredth of the runs. 0-1.
    worst_hundredth: float
    # Largest loss of a run. 0-1.
    largest: float
    # Part of the runs in which two positions or more lose half of their value or more. 0-1.
    together: float
    # Nodes whose chance to fail is an assumption (docs/policy.md), not the calibrated one of a rating.
    assumed: list[str]


# The position with the worst band; null where none is rated.
class PortfolioVerdictWorst(TypedDict):
    # The asset.
    asset_id: str
    # Its band.
    band: Band


# One position.
class PositionInput(TypedDict):
    # Named as in the path of GET /v1/rms/{asset}.
    asset: str
    # Value of the position, US dollars.
    value_usd: NotRequired[float]
    # Whole tokens, where no value is given.
    quantity: NotRequired[float]


# Proof of control over the asset.
class ProveAppealBody(TypedDict):
    # Which proof is given.
    method: Literal["dns", "eip191", "eip712", "eip1271", "ed25519", "repository"]
    # For all but `dns`: 65 bytes in hex with 0x for EIP-191 and EIP-712, at most 2,500 bytes for EIP-1271, 64 bytes in base58 for Ed25519, an armoured OpenPGP signature for a repository.
    signature: NotRequired[str]
    # For `repository` alone: the GitHub account whose key signed.
    account: NotRequired[str]


# Sources that a number is made of, and sources that were outvoted.
class Provenance(TypedDict):
    # Sources whose values made the number.
    sources: list[str]
    # Sources whose values did not count.
    outvoted: list[ProvenanceOutvotedItem]
    # A weight, not the chance of being right (methodology, From sources to one value). 0-1.
    confidence: float
    # Low and high end of the number, in its unit; null where it has none.
    interval: list[float] | None
    # `consensus` of the sources, `derived` from other numbers here, or `history`: from our own kept prices.
    method: Literal["consensus", "derived", "history"]


class ProvenanceOutvotedItem(TypedDict):
    # Source that stated it.
    source: str
    # Value that it stated, in the unit of the number; null where its terms forbid passing it on.
    value: float | None
    # Why it did not count: `outlier`, `unit_mismatch`, `same_family` (it passes on a number that was counted already), ...
    reason: str


# A key as a JWK (RFC 7517, RFC 8037).
class PublicKey(TypedDict):
    # Name of the key; `key_id` of signatures.
    kid: str
    # Octet key pair (RFC 8037), always.
    kty: Literal["OKP"]
    # The curve, always this one.
    crv: Literal["Ed25519"]
    # The public key, 32 bytes in base64url
    x: str
    # For signatures, always.
    use: Literal["sig"]
    # When it was made. RFC 3339, UTC.
    created_at: str
    # When another took its place; null while it signs. RFC 3339, UTC.
    retired_at: str | None


# The files of one day.
class PublishedDay(TypedDict):
    # The day, YYYY-MM-DD in UTC.
    date: str
    # 1, and one more with each restatement; without it: 1.
    revision: NotRequired[int]
    # Rows of each file.
    rows: int
    # When it was published. RFC 3339, UTC.
    published_at: str
    # The same rows in every form.
    files: list[PublishedDayFilesItem]
    # Set on a corrected day; the older set stays readable by `?revision=`.
    restates: None | PublishedDayRestates
    # Over the canonical JSON (RFC 8785) of the entry without this member.
    signature: PublishedDaySignature


class PublishedDayFilesItem(TypedDict):
    # `json`, `csv`, `ndjson` or `parquet`.
    format: str
    # `identity`, or how the file is packed: `gzip` or `zstd`.
    encoding: str
    # Name of the file.
    name: str
    # Length of this file.
    bytes: int
    # Hex, of the bytes of this file.
    sha256: str


class PublishedDayRestates(TypedDict):
    # Of the JSON file (encoding identity) that this set stands in for.
    sha256: str
    # The reason, as text.
    reason: str


# Over the canonical JSON (RFC 8785) of the entry without this member.
class PublishedDaySignature(TypedDict):
    # Ed25519 (RFC 8032), always.
    algorithm: Literal["Ed25519"]
    # `kid` of the key among those of /.well-known/assay-keys.json.
    key_id: str
    # Base64 of the 64 bytes.
    value: str


# One value from many observations.
class Quantity(TypedDict):
    # What was measured.
    quantity: str
    # What it is about: `asset`, or a pool, venue, holder or registry by name.
    scope: str
    # Unit of the value.
    unit: str
    # The value on which the sources agree; null when none states it, or when it would reveal what may not be redistributed.
    value: Any
    # Low end of the interval, in the unit; null for states and facts.
    low: float | None
    # High end of the interval, in the unit; null for states and facts.
    high: float | None
    # A weight, not the chance of being right (methodology, From sources to one value). 0-1.
    confidence: float
    # `independence`, `agreement`, `freshness` and `identity`, each 0-1: what the confidence is made of.
    confidence_parts: Any
    # How it came about; `disputed`: the sources contradict each other.
    status: Literal["agreed", "single_source", "disputed", "missing", "not_applicable"]
    # Different origins of the observations.
    independent_families: int
    # The same, less the correlation of lineage groups that draw on each other.
    effective_families: float
    # Spread of the accepted observations: 1.4826 x weighted MAD, of logarithms where the quantity is compared by ratio.
    dispersion: float
    # When it was observed; null when no source states it. RFC 3339, UTC.
    observed_at: str | None
    # Checks against other quantities that it failed, by code.
    failed_identities: list[str]
    # All observations of the quantity, accepted and rejected.
    voices: list[Voice]
    # Those of them that were rejected because they contradict the others.
    outvoted: list[Voice]


# The message that was put into the queue.
class QueuedDelivery(TypedDict):
    # What the receiver sees as `webhook-id`; the same at every attempt.
    id: str
    # `alert.<kind>`, `alert.digest` or `webhook.test`.
    type: str
    # Number of the alert it is about; null for digests and tests.
    alert_id: int | None
    # `folded`: it went out within a digest.
    state: Literal["pending", "delivered", "failed", "folded"]
    # Delivery of the digest it was folded into; null when it was not.
    digest_id: str | None
    # Attempts made so far.
    attempts: int
    # When it was put into the queue. RFC 3339, UTC.
    created_at: str
    # When it is tried again; null unless it is pending. RFC 3339, UTC.
    next_attempt_at: str | None
    # When it was delivered, given up or folded; null while it is pending. RFC 3339, UTC.
    finished_at: str | None
    # HTTP status of the last attempt; null before the first, and when there was no reply.
    last_status: int | None
    # What went wrong at the last attempt.
    last_detail: str | None
    data_mode: DataMode


# The asset, and what it is rated as; both fields of the class are null where the rating is older than classes.
RatedAsset = TypedDict(
    "RatedAsset",
    {
        # CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.
        "id": "str",
        # Our name of the chain (GET /v1/chains); null without a token.
        "chain": "str | None",
        # Mint or contract; `native` for a chain’s own coin; null without a token.
        "address": "str | None",
        # Ticker, as the token itself states: untrusted text, not unique.
        "symbol": "str | None",
        # What the token or the project calls itself: untrusted text.
        "name": "str",
        # Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known.
        "category": "str | None",
        # The project’s own site, when known.
        "website": "str | None",
        # How the class was decided.
        "category_reason": "str | None",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
    },
)

# The published rating of an asset, signed.
class Rating(TypedDict):
    asset: SignedAsset
    # With a tradable token, or before it.
    stage: Literal["post_tge", "pre_tge"]
    # 0-100 in steps of 0.1; null when not rated.
    score: float | None
    # AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated.
    band: Band
    # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
    trust_score: float
    # Flags that are raised.
    risk_flags: list[RiskFlag]
    # Low and high end of the score, 80 %; null when not rated.
    score_interval: list[float] | None
    # Of this moment’s score alone.
    indicative_band: Band
    # What band changes rest on, 0-100; null when not rated.
    smoothed_score: float | None
    # Where the rating is likely to go; null without one.
    outlook: Outlook | None
    # An event that may move the band is pending; null: none is.
    watch: Watch | None
    # Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score.
    vfr: RatingRecordVfr
    # How likely it fails within 30 days and within a year; ratings from before it was given lack it.
    failure_probability: NotRequired[list[FailureProbability]]
    # The rating before; null on the first.
    previous: RatingRecordPrevious | None
    # What this rating did to the one before.
    rating_action: Literal["new", "affirm", "upgrade", "downgrade", "withdraw"]
    # Why, in one line.
    action_reason: str
    # The action takes back one of the 30 days before.
    reversal: bool
    # What moved the score since the rating before.
    drivers: list[Driver]
    # Set once it has defaulted, until it is cured; else null.
    default: Default | None
    # For stablecoins, wrapped and tokenised assets; else null.
    issuer_control: IssuerControl | None
    # What is not known, and why.
    gaps: list[Gap]
    # Quantities whose sources contradict each other.
    conflicts: list[RatingRecordConflictsItem]
    # Market capitalisation, US dollars, for peer groups; null when not known.
    market_cap_usd: float | None
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules.
    methodology_hash: str
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # The rated party neither requested nor paid for it.
    participation: Literal["unsolicited"]
    data_mode: DataMode
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    correction: NotRequired[RatingCorrection]
    # Among peers as they are rated now (at most a minute old); null on ratings that are not the newest.
    standing: Standing | None
    signature: Signature
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int


# What GET /v1/rms/{asset} shows of it: with the hysteresis of the asset’s ratings, so that bands change slowly.
class RatingAsPublished(TypedDict):
    band: Band
    # 0-100 in steps of 0.1; null when not rated (`NR`).
    score: float | None
    # Why it differs from `rating`: flags that still count, or the hysteresis; null when it does not.
    reason: str | None


# What changed about the rating of one asset.
class RatingChangeRow(TypedDict):
    # CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.
    asset_id: str
    # Our name of the chain (GET /v1/chains); null without a token.
    chain: str | None
    # Mint or contract; `native` for a chain’s own coin; null without a token.
    address: str | None
    # Ticker, as the token itself states: untrusted text, not unique.
    symbol: str | None
    # What the token or the project calls itself: untrusted text.
    name: str
    # Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known.
    category: str | None
    # `new`: not rated at the end of the first day; `gone`: withdrawn since; `changed`: band, score, trust, flags or standing differ.
    change: Literal["new", "gone", "changed"]
    # Band at the end of the first day; null when new.
    band_before: Band | None
    # Band at the end of the second day.
    band_after: Band | None
    # Score then; null when new or not rated.
    score_before: float | None
    # Score now; null when not rated.
    score_after: float | None
    # Trust score then; null when new.
    trust_before: float | None
    # Trust score now.
    trust_after: float | None
    # Codes of risk flags of any severity that are new.
    flags_raised: list[str]
    # Codes of risk flags that are gone.
    flags_cleared: list[str]
    # Standing then; null when new.
    standing_before: Literal["rated", "lapsed", "not_rated", "withdrawn", "defaulted"] | None
    # What became of the rating by the end of the day; `lapsed`: it is older than 30 days; `defaulted`: band D; `withdrawn` and `not_rated`: NR.
    standing_after: Literal["rated", "lapsed", "not_rated", "withdrawn", "defaulted"]
    # Time of the rating then; null when new. RFC 3339, UTC.
    as_of_before: str | None
    # Time of the rating now. RFC 3339, UTC.
    as_of_after: str | None


# A page of what changed between the ends of two days.
RatingChanges = TypedDict(
    "RatingChanges",
    {
        # The first day, YYYY-MM-DD in UTC.
        "from": "str",
        # The second day.
        "to": "str",
        # In the order of the asset ids. May be shorter than `limit`, or empty, before the last page.
        "data": "list[RatingChangeRow]",
        # Repeat the request with `cursor` set to this; null on the last page.
        "next_cursor": "str | None",
        "data_mode": "DataMode",
    },
)

# Present only if this rating was shown to be wrong: its newest correction. The signed members stay as published; it ends with the next rating.
class RatingCorrection(TypedDict):
    # Its number in `GET /v1/restatements`.
    restatement_id: int
    # When it was published. RFC 3339, UTC.
    made_at: str
    # What was wrong.
    reason: str
    # The band that the rating should have had.
    band: Band
    # The score that it should have had, 0-100; null when not rated.
    score: float | None


# A short form for programs with little room; not signed.
RatingDigest = TypedDict(
    "RatingDigest",
    {
        # CAIP-19 id, or `project:` and a domain.
        "asset_id": "str",
        # Ticker, untrusted text; null when not known.
        "symbol": "str | None",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
        # AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated.
        "band": "Band",
        # 0-100 in steps of 0.1; null when not rated.
        "score": "float | None",
        # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
        "trust_score": "float",
        # `positive`, `stable`, `negative`, `developing` or `provisional`; null without one.
        "outlook": "str | None",
        # Reason of the watch; null: none.
        "watch": "str | None",
        # Codes of the gravest flags, worst first.
        "flags": "list[str]",
        # Flags raised besides those.
        "more_flags": "int",
        "vfr_zone": "VfrZone",
        # `new`, `affirm`, `upgrade`, `downgrade` or `withdraw`.
        "rating_action": "str",
        # Number of features that are not known.
        "gaps": "int",
        # On how many quantities the sources disagree.
        "conflicts": "int",
        # Version of the methodology it was made by (GET /v1/methodology/{version}).
        "methodology_version": "str",
        "data_mode": "DataMode",
        # When the facts were true. RFC 3339, UTC.
        "as_of": "str",
        # The rating in one sentence.
        "sentence": "str",
        "correction": "NotRequired[RatingCorrection]",
        # Whole seconds since `as_of` when the reply was made.
        "age_seconds": "int",
    },
)

# The rating of one asset as it was known at the end of a day.
RatingExportRow = TypedDict(
    "RatingExportRow",
    {
        # The day, YYYY-MM-DD in UTC.
        "date": "str",
        # CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.
        "asset_id": "str",
        # Our name of the chain (GET /v1/chains); null without a token.
        "chain": "str | None",
        # Mint or contract; `native` for a chain’s own coin; null without a token.
        "address": "str | None",
        # Ticker, as the token itself states: untrusted text, not unique.
        "symbol": "str | None",
        # What the token or the project calls itself: untrusted text.
        "name": "str",
        # Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known.
        "category": "str | None",
        # With a tradable token, or before it.
        "stage": "Literal[\"post_tge\", \"pre_tge\"]",
        # 0-100 in steps of 0.1; null when not rated.
        "score": "float | None",
        # AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated.
        "band": "Band",
        # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
        "trust_score": "float",
        # Low end of the interval of the score, 80 %; null when not rated.
        "score_low": "float | None",
        # High end of the interval of the score, 80 %; null when not rated.
        "score_high": "float | None",
        # Where the rating is likely to go; null without one.
        "outlook": "Outlook | None",
        # Price over fair value; null when no fair value can be computed reliably.
        "vfr": "float | None",
        "vfr_zone": "VfrZone",
        # Codes of the risk flags of severity medium and up, the worst first and each once.
        "key_flags": "list[str]",
        # Risk flags of any severity.
        "flags": "int",
        # What this rating did to the one before.
        "rating_action": "Literal[\"new\", \"affirm\", \"upgrade\", \"downgrade\", \"withdraw\"]",
        # What became of the rating by the end of the day; `lapsed`: it is older than 30 days; `defaulted`: band D; `withdrawn` and `not_rated`: NR.
        "standing": "Literal[\"rated\", \"lapsed\", \"not_rated\", \"withdrawn\", \"defaulted\"]",
        # Version of the methodology it was made by (GET /v1/methodology/{version}).
        "methodology_version": "str",
        # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
        "job_id": "str",
        # When the facts were true. RFC 3339, UTC.
        "as_of": "str",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
        # How the class was decided.
        "category_reason": "str | None",
    },
)

# What proves that a rating is in the log.
class RatingProof(TypedDict):
    # Place in the log, from 0.
    leaf_index: int
    # What the leaf is the hash of, as text: canonical JSON of `as_of`, `asset` and `record_sha256`, the SHA-256 of the published record without its signature. Leaf hash: SHA-256 of a zero byte and these bytes (RFC 6962).
    leaf: str
    # Leaves of the tree.
    tree_size: int
    # Audit path from the leaf to the root of that tree (RFC 9162, 2.1.3).
    path: list[str]
    # Signed note (C2SP tlog-checkpoint): name of the log, number of leaves, root as base64, `time` in RFC 3339; below, after an empty line, the signature of the log and of witnesses.
    checkpoint: str


# A published rating as it was signed; it never changes.
class RatingRecord(TypedDict):
    asset: SignedAsset
    # With a tradable token, or before it.
    stage: Literal["post_tge", "pre_tge"]
    # 0-100 in steps of 0.1; null when not rated.
    score: float | None
    # AAA to D, with hysteresis: it falls fast and rises slowly; NR when not rated.
    band: Band
    # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
    trust_score: float
    # Flags that are raised.
    risk_flags: list[RiskFlag]
    # Low and high end of the score, 80 %; null when not rated.
    score_interval: list[float] | None
    # Of this moment’s score alone.
    indicative_band: Band
    # What band changes rest on, 0-100; null when not rated.
    smoothed_score: float | None
    # Where the rating is likely to go; null without one.
    outlook: Outlook | None
    # An event that may move the band is pending; null: none is.
    watch: Watch | None
    # Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score.
    vfr: RatingRecordVfr
    # How likely it fails within 30 days and within a year; ratings from before it was given lack it.
    failure_probability: NotRequired[list[FailureProbability]]
    # The rating before; null on the first.
    previous: RatingRecordPrevious | None
    # What this rating did to the one before.
    rating_action: Literal["new", "affirm", "upgrade", "downgrade", "withdraw"]
    # Why, in one line.
    action_reason: str
    # The action takes back one of the 30 days before.
    reversal: bool
    # What moved the score since the rating before.
    drivers: list[Driver]
    # Set once it has defaulted, until it is cured; else null.
    default: Default | None
    # For stablecoins, wrapped and tokenised assets; else null.
    issuer_control: IssuerControl | None
    # What is not known, and why.
    gaps: list[Gap]
    # Quantities whose sources contradict each other.
    conflicts: list[RatingRecordConflictsItem]
    # Market capitalisation, US dollars, for peer groups; null when not known.
    market_cap_usd: float | None
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules.
    methodology_hash: str
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # The rated party neither requested nor paid for it.
    participation: Literal["unsolicited"]
    data_mode: DataMode
    # When the facts were true. RFC 3339, UTC.
    as_of: str
    signature: Signature


class RatingRecordConflictsItem(TypedDict):
    # What the sources disagree on.
    quantity: str
    # What each source states.
    detail: str


# The rating before; null on the first.
class RatingRecordPrevious(TypedDict):
    # Of the rating before.
    score: float | None
    # Of the rating before.
    band: Band
    # When its facts were true. RFC 3339, UTC.
    as_of: str


# Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score.
class RatingRecordVfr(TypedDict):
    # Price over fair value; null when no fair value can be computed reliably.
    value: float | None
    zone: VfrZone
    # Low and high end, 80 %; null without a value.
    interval: list[float] | None


# What was bought with one payment, and what was corrected since.
Receipt = TypedDict(
    "Receipt",
    {
        # `settled`; or `unknown` while it is not known whether the transfer was made: the same payment can be sent again, and is settled at most once.
        "state": "Literal[\"settled\", \"unknown\"]",
        # When the payment was settled; null unless `settled`. RFC 3339, UTC.
        "paid_at": "str | None",
        # What was bought.
        "class": "Literal[\"ratings\", \"snapshots\"]",
        # Path that was read.
        "resource": "str",
        # CAIP-2 id of the chain of the payment.
        "network": "str",
        # Address of the token, in lower case.
        "token": "str",
        # Units of the token.
        "amount": "str",
        # Address that paid, in lower case.
        "payer": "str",
        # Hash of the transaction; null when the facilitator named none.
        "transaction": "str | None",
        # Corrections of ratings that this payer read, by this payment or another, the newest first, at most 100; each is an alert of the kind `correction`. All corrections of all ratings: GET /v1/restatements.
        "corrections": "list[Alert]",
        "data_mode": "DataMode",
    },
)

# A kept register: facts that no API states, each row with its source.
class Register(TypedDict):
    # Name of the register.
    name: str
    # What a row is about.
    about: str
    # Rows, the operator’s own included.
    rows: int
    # Rows that two people reviewed and whose every cell is proven.
    confirmed: int
    # Rows that are not confirmed.
    unconfirmed: int
    # Rows that have to be looked at again.
    expired: int
    # Rows of the operator of this service.
    own: int
    # Earliest day by which a cell has to be checked again; null: of none. YYYY-MM-DD.
    oldest_expiry: str | None
    # Where its rows are read.
    href: str
    # Where the JSON Schema of its file is read.
    schema_href: str


# A row of a kept register, with the provenance of each cell.
class RegisterRow(TypedDict):
    # Id of the row in its register; of a label chain and address.
    id: str
    # What it is about.
    name: str | None
    # Ticker, where it is an asset.
    symbol: str | None
    # `confirmed`: a source that was read proves every cell and two people reviewed the row; `unconfirmed`: not so; `expired`: it has to be checked again.
    state: Literal["confirmed", "unconfirmed", "expired"]
    # The operator’s own row; else one that this version ships.
    own: bool
    # CAIP-19 ids of the assets that it is about.
    assets: list[str]
    # When the row was last checked, YYYY-MM-DD.
    read_on: str
    # When the row has to be checked again; null: it is not kept by days. YYYY-MM-DD.
    expires: str | None
    # Who reviewed it; two make it reviewed.
    reviewers: list[str]
    # Two people reviewed it.
    reviewed: bool
    # What the row was read from.
    sources: list[RegisterRowSourcesItem]
    # The cells of the row, each with its state.
    cells: list[RegisterRowCellsItem]
    # Further remarks about the row.
    note: str | None


class RegisterRowCellsItem(TypedDict):
    # Name of the cell.
    name: str
    # As the schema of the register describes it.
    value: Any
    # `proven`: a source that was read states it; `unconfirmed`: none that was read, so it counts less and never as supervised; `expired`: it has to be checked again.
    state: Literal["proven", "unconfirmed", "expired"]
    # When it has to be checked again; null: of a row that is not kept by days. YYYY-MM-DD.
    expires: str | None
    # Keys of `sources` that it rests on; of a proven cell those that were read.
    sources: list[str]
    # The day of what was read, or of the last check of the row. YYYY-MM-DD.
    read_on: str | None


class RegisterRowSourcesItem(TypedDict):
    # Name of the source in this row.
    key: str
    # Where it was read, or a description.
    url: str
    # On what terms it is used.
    licence: str
    # The day of what was read; null: not read yet. YYYY-MM-DD.
    read_on: str | None


# From when on.
class ReplayWebhookBody(TypedDict):
    # RFC 3339 time of the first alert to send again.
    since: str


# What was put into the queue.
class ReplayWebhookReply(TypedDict):
    # Messages put into the queue, at most 1000; 15 a minute go out.
    messages: int
    # Time of the last alert among them: with 1000 messages, replay again from here. Null without any. RFC 3339, UTC.
    until: str | None
    data_mode: DataMode


# How the dispute ends.
class ResolveDisputeBody(TypedDict):
    # accepted: it will be restated; restated: it was.
    state: Literal["accepted", "rejected", "restated"]
    # Text for the account: what was found.
    resolution: str
    # The correction it led to; needed for restated.
    restatement_id: NotRequired[int]


# The opinion of one reviewer.
class ReviewAppealBody(TypedDict):
    # accepted: it will be corrected; corrected: it was.
    decision: Literal["accepted", "rejected", "corrected"]
    # What was found. Everybody with the reference can read it.
    finding: str
    # The correction it led to; needed for corrected.
    restatement_id: NotRequired[int]


# An appeal as its reviewers see it.
class ReviewedAppeal(TypedDict):
    # Id of the appeal.
    id: str
    # Reference of the appeal; anyone who has it may read the status.
    reference: str
    # `awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating.
    state: Literal["awaiting_proof", "expired", "proved", "under_review", "accepted", "rejected", "corrected"]
    # CAIP-19 id of the asset.
    asset_id: str
    # The rating it is about; null when it is not kept.
    rating: DisputeRating | None
    # When it was opened. RFC 3339, UTC.
    opened_at: str
    # Until when control has to be proved. RFC 3339, UTC.
    expires_at: str
    # The proof of control; null before it.
    proof: OpenedAppealProof | None
    # How often evidence was sent. It is read by the reviewers and not shown.
    evidence_count: int
    # Reviews of the present step; two that agree decide.
    review_count: int
    # What the reviewers found; null before.
    finding: str | None
    # When they decided; null before. RFC 3339, UTC.
    decided_at: str | None
    # The correction it led to, see GET /v1/restatements; null without one.
    restatement_id: float | None
    # What the party sent, oldest first.
    evidence: list[ListedAppealEvidenceItem]
    # Reviews of the present step.
    reviews: list[ListedAppealReviewsItem]
    data_mode: DataMode


# An asset whose earlier records are void.
class Revocation(TypedDict):
    # CAIP-19 id.
    asset_id: str
    # SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id. 32 bytes in hexadecimal after 0x.
    asset: str
    # Milliseconds since the epoch: every record of the asset with an earlier as_of is void.
    not_before: int
    # What happened: a newer rating, none any more, a default, or a correction of the newest rating.
    reason: Literal["replaced", "withdrawn", "defaulted", "corrected"]
    # When the newest rating was published, or corrected. RFC 3339, UTC.
    revoked_at: str
    # For an EVM chain; null for another.
    eas: EasRevocation | None
    # For a cluster of Solana; null for another chain.
    solana: SolanaRevocation | None


# A condition that a reader should know of, as it was published.
class RiskFlag(TypedDict):
    # Code of the flag; docs/flags.md has all of them.
    code: str
    severity: Severity
    # The condition in short.
    title: str
    # What was seen, with its numbers.
    detail: str
    # First seen raised, without a break since. RFC 3339, UTC.
    since: str | None


# How the key is replaced.
class RotateKeyBody(TypedDict):
    # How long the old key continues to work, in seconds. Default: 86400.
    overlap_seconds: NotRequired[int]


# How the secret is replaced; may be left out.
class RotateWebhookSecretBody(TypedDict):
    # How long messages carry signatures by both secrets. Default: 86400.
    overlap_seconds: NotRequired[int]


# The asset to score, in one word. It is rated exactly as by its project and project_url.
class ScoreAssetRequest(TypedDict):
    # In place of project and project_url: a CAIP-19 id, chain:address, an address, the url or host of the project’s site, a ticker or a name. Several assets that it may mean are 409 `ambiguous_project` with candidates, whose ids are accepted here; a name that none has is 422 `project_not_identified`, with those of similar names as candidates.
    asset: str
    # posttge (default) or pretge, in any case; echoed in lower case, as the job id begins.
    type: NotRequired[str]
    # Chain the project runs on: a name, a symbol or a CAIP-2 id.
    blockchain: NotRequired[str]
    # minimal, standard (default) or full.
    output_format: NotRequired[str]


# How far the score has moved.
ScoreChange = TypedDict(
    "ScoreChange",
    {
        # Score at the last alert of this kind, or when the asset was added; 0-100.
        "from": "float",
        # Score now, 0-100.
        "to": "float",
        # Points from one to the other, in steps of 0.1; negative: down.
        "change": "float",
        # Least points at which the account is notified.
        "threshold": "float",
    },
)

# One subject of the rating.
class ScoreFactor(TypedDict):
    # Code of the factor.
    code: str
    # Name of the factor.
    name: str
    # 0-100, after it was drawn towards its prior for lack of evidence.
    score: float
    # Weight in the category; all weights add up to 100.
    weight: float
    # How much of what matters to it is known, and how surely. 0-1.
    confidence: float
    # What it moves the score from `prior`, in points; all of them add up to the score before caps.
    points: float


# One feature of a factor.
class ScoreFeature(TypedDict):
    # Id of the feature.
    id: str
    # Name of the feature, as in the methodology’s tables.
    name: str
    # `absent`: searched for in two registries and not there; `unknown`: a source failed or none states it; `not_applicable`: it does not count here.
    status: Literal["observed", "absent", "unknown", "not_applicable"]
    # What was found, in `unit`, or the word of a state; null when nothing was.
    value: float | str | None
    # Unit of the value, such as `usd`, `fraction` or `days`.
    unit: str
    # 0-100, by the feature’s published curve; null when there is none.
    score: float | None
    # Weight within the factor.
    weight: float
    # How sure the value is. 0-1.
    confidence: float
    # How it was computed, or from what.
    method: str
    # The finding as a sentence.
    rationale: str
    # Keys of the `quantities` it rests on: `quantity`, or `quantity@scope`.
    observations: list[str]


# A condition that a reader should know of.
class ScoreFlag(TypedDict):
    # Code of the flag; docs/flags.md has all of them.
    code: str
    severity: Severity
    # The condition in short.
    title: str
    # What was seen, with its numbers.
    detail: str
    # How sure the condition is; 0.5 at least, 0.7 for critical flags. 0-1.
    confidence: float
    # Since when the condition holds, or else when it was first raised in an unbroken run of ratings. RFC 3339, UTC.
    since: str | None
    # What it rests on: quantities of `quantities`, or ids of archived replies.
    evidence: list[str]


# The project to score. Fields that are not known do not fail the request; `warnings` names them.
class ScoreProjectBody(TypedDict):
    # posttge or pretge, in any case; echoed in lower case, as the job id begins.
    type: str
    # Project name.
    project: str
    # Project web address, http or https, on a public host. A bare host gets `https://`.
    project_url: str
    # Token ticker.
    token_symbol: NotRequired[str]
    # Free-text project category.
    category: NotRequired[str]
    # Chain the project runs on: a name, a symbol or a CAIP-2 id.
    blockchain: NotRequired[str]
    # Mint or contract, when the caller knows it.
    token_address: NotRequired[str]
    # minimal, standard (default) or full.
    output_format: NotRequired[str]


# The rating of this moment, without the hysteresis of published ratings: but what is in default is `D` here too.
class ScoreRating(TypedDict):
    band: Band
    # 0-100 in steps of 0.1; null when not rated (`NR`).
    score: float | None
    # Low and high end of the score that full knowledge would give, meant to hold four times out of five; null when not rated.
    interval: list[float] | None
    # `provisional` before the token, else null: a direction is a matter of the published rating (GET /v1/rms/{asset}).
    outlook: Outlook | None
    # Score before caps, 0-100; null when not rated.
    uncapped_score: float | None
    # Band of the score before caps; null when not rated.
    uncapped_band: Band | None
    # Trust is limited, which puts a ceiling on the score (methodology, Trust).
    evidence_cap: bool
    # Trust is weak, or the project has no token yet: read the rating as a first look.
    provisional: bool
    # Why it is not rated; empty when it is.
    not_rated_reasons: list[str]


# The search is still under way.
class Searching(TypedDict):
    # It continues; repeat the request after `Retry-After` seconds.
    state: Literal["searching"]
    # When the search began. RFC 3339, UTC.
    started_at: str
    # The same as text.
    detail: str
    data_mode: DataMode


# Over the EIP-712 hash of the message in its domain.
class Secp256k1Signature(TypedDict):
    # First half. 32 bytes in hexadecimal after 0x.
    r: str
    # Second half, the lower of the two that are possible. 32 bytes in hexadecimal after 0x.
    s: str
    # 27 or 28.
    v: int


# What the service measured of itself, and whether plans’ promises are kept.
class ServiceLevel(TypedDict):
    # First minute measured; null: none yet. RFC 3339, UTC.
    measured_since: str | None
    # The last hour, day and 30 days.
    windows: list[ServiceLevelWindowsItem]
    # Plans that promise a service level, and the credit they would owe for the month so far.
    plans: list[ServiceLevelPlansItem]


class ServiceLevelPlansItem(TypedDict):
    # Name of the plan.
    plan: str
    # The present month, UTC.
    month: str
    # What the plan promises.
    targets: ServiceLevelPlansItemTargets
    # No promise is broken so far this month.
    met: bool
    # Measured, percent of the month; null: nothing was, or no longer is.
    availability_pct: float | None
    # Age of market data that 99 % of the assets kept in 99 % of the minutes, on the worst chain; null: not measured.
    market_age_seconds: float | None
    # Of reads, within the service, milliseconds; null: nothing was measured.
    latency_p99_ms: float | None
    # Promises the month has broken.
    breaches: list[Literal["availability", "freshness", "latency"]]
    # What the breaches give back, percent of the month’s price.
    credit_pct: float


# What the plan promises.
class ServiceLevelPlansItemTargets(TypedDict):
    # At least, percent of the month.
    availability_pct: float
    # At most, of market data.
    market_age_seconds: int
    # At most, 99th percentile of reads, milliseconds.
    latency_p99_ms: float


ServiceLevelWindowsItem = TypedDict(
    "ServiceLevelWindowsItem",
    {
        # How far back it reaches.
        "window": "Literal[\"1h\", \"24h\", \"30d\"]",
        # First minute of the window. RFC 3339, UTC.
        "from": "str",
        # End of the window. RFC 3339, UTC.
        "to": "str",
        # Percent, of ratings, chain data and exports. A minute without any process counts as down, another by the share of replies with status 5xx.
        "availability_pct": "float | None",
        # Requests counted.
        "requests": "int",
        # Replies with status 5xx.
        "failures": "int",
        # Of reads of ratings and chain data, within the service; at most 4.5 % too high. Null without any.
        "latency_ms": "None | ServiceLevelWindowsItemLatencyMs",
        # Age of the newest snapshots, by chain, kind and cadence.
        "freshness": "list[ServiceLevelWindowsItemFreshnessItem]",
    },
)

class ServiceLevelWindowsItemFreshnessItem(TypedDict):
    # Name of the chain.
    chain: str
    # `market`, `holders` or `pools`.
    kind: str
    # How often the readers of the assets need new snapshots.
    cadence: str
    # Half of the assets were at most so old in half of the minutes.
    age_seconds_p50: float
    # 99 % of the assets were at most so old in 99 % of the minutes.
    age_seconds_p99: float


class ServiceLevelWindowsItemLatencyMs(TypedDict):
    # Median, milliseconds.
    p50: float
    # 95th percentile, milliseconds.
    p95: float
    # 99th percentile, milliseconds.
    p99: float


# When the account is notified.
class SetThresholdsBody(TypedDict):
    # All thresholds of the asset: thresholds that are left out end, and the others keep their state.
    thresholds: list[SetThresholdsBodyThresholdsItem]
    # Your own note; null (the default): none.
    note: NotRequired[str | None]


# A line that a figure may cross.
class SetThresholdsBodyThresholdsItem(TypedDict):
    # A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`).
    figure: Literal["price_usd", "volume_24h_usd", "market_cap_usd", "liquidity_usd", "price_dispersion_pct", "pools", "pools_tvl_usd", "pools_volume_24h_usd", "depth_2_pct_down_usd", "holder_count", "top_1_pct", "top_10_pct", "adjusted_top_10_pct"]
    # `above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`.
    condition: Literal["above", "below", "rises", "falls"]
    # In the unit of the figure; of `rises` and `falls` percent, at most 100 of `falls`.
    value: float
    # Of `rises` and `falls`: how far back they look. Default: 3600.
    window_seconds: NotRequired[int]
    # Percent of `value` that the figure goes back before it can cross again. Default: 5.
    hysteresis_pct: NotRequired[float]
    # Severity of its alerts: what it means to you. Default: medium.
    severity: NotRequired[Literal["info", "low", "medium", "high", "critical"]]


# What works here, what would add something, and what to do first.
class Setup(TypedDict):
    data_mode: DataMode
    # Version of the running service.
    version: str
    # When this was read. RFC 3339, UTC.
    as_of: str
    # The newest proof: every endpoint of every source that is on, requested for known assets.
    proof: SetupProof
    # `unreachable`: no source beyond this installation replied in a proof that has ended. `unknown`: there was no proof yet.
    internet: Literal["reachable", "unreachable", "unknown"]
    # Every source that this version knows, in a fixed order.
    sources: list[SetupSource]
    # Keys that sources take. None is needed.
    keys: list[SetupKey]
    # Keys are environment variables and are read at the start of the service: none is stored by it.
    keys_take_effect: Literal["at_start"]
    # Assets an hour that all budgets allow; null before a proof in which sources replied.
    assets_per_hour: float | None
    # The source that sets this limit; null without one.
    limited_by: str | None
    # By source, the scarcest first; empty before a proof.
    capacity: list[SetupCapacity]
    # Assets to rate first: POST /v1/score takes each as it stands, with `type` `posttge`.
    suggested: list[SetupSuggestedItem]


# How many assets an hour a source allows.
class SetupCapacity(TypedDict):
    # Name of the source.
    source: str
    # Requests of one asset, the most among those of the proof.
    requests_per_asset: int
    # Requests a minute that it is sent at most.
    per_minute: float
    # Assets an hour that its budget allows.
    assets_per_hour: int
    # The same with a free key; null where one is set, or where the free plan states no other number.
    assets_per_hour_with_key: float | None


# A key that an operator may set.
SetupKey = TypedDict(
    "SetupKey",
    {
        # Name of the source.
        "source": "str",
        # Display name.
        "title": "str",
        # Environment variable that holds the key.
        "setting": "str",
        # One is set. Its value is never shown.
        "is_set": "bool",
        # Without it the source is off.
        "required": "bool",
        # What it adds.
        "adds": "str",
        # Page of the provider where it is had.
        "from": "str",
    },
)

# The newest proof: every endpoint of every source that is on, requested for known assets.
class SetupProof(TypedDict):
    # `none`: none since this process started; POST /v1/setup/prove starts one.
    state: Literal["none", "running", "finished"]
    # When it began; null without one. RFC 3339, UTC.
    started_at: str | None
    # When it ended; null until then. RFC 3339, UTC.
    finished_at: str | None
    # It ends after so many seconds, also when sources have not replied.
    seconds_at_most: int
    # Names of the assets in the requests to the sources.
    assets: list[str]
    # Sources that are on.
    sources_on: int
    # Of them, those that replied.
    sources_answering: int
    # Of them, those that got requests and did not reply.
    sources_failing: int


# A public source as this installation reaches it.
class SetupSource(TypedDict):
    # Name of the source.
    source: str
    # Display name.
    title: str
    # `answers`: at least one reply came. `fails`: requests were sent and none succeeded. `waiting`: the proof is under way and has no reply of it yet. `not_asked`: it was not requested, or nothing about these assets leads to it. `off`: it is turned off, or needs a key.
    state: Literal["answers", "fails", "waiting", "not_asked", "off"]
    # Why it fails or is off, or its newest failure while it is waited for; null otherwise.
    detail: str | None
    # It was read from files of this installation, without any network.
    is_local: bool
    # Median of its replies in the proof, milliseconds; null without any.
    latency_ms: float | None
    # Replies in the proof.
    replies: int
    # Requests in the proof that got none.
    failures: int
    # Its endpoints by verdict; all 0 until the proof has ended.
    endpoints: SetupSourceEndpoints
    # What is wrong, at most three; empty until the proof has ended.
    findings: list[str]
    # What it is used for.
    gives: list[str]
    # Requests a minute that it is sent at most.
    per_minute: float


# Its endpoints by verdict; all 0 until the proof has ended.
class SetupSourceEndpoints(TypedDict):
    # Nothing contradicts them.
    right: int
    # Other sources contradict them, or they are old.
    suspect: int
    # No reply, a reply of another shape, or a known fact misstated.
    failed: int
    # Not requested, or they have none of the assets.
    unproven: int


class SetupSuggestedItem(TypedDict):
    # Name to send as `project`.
    project: str
    # Address to send as `project_url`.
    project_url: str
    # Symbol; null without one.
    token_symbol: str | None


# Over the canonical JSON (RFC 8785) of the reply without `signature`, `standing`, `correction` and `age_seconds` (docs/ratings.md).
class Signature(TypedDict):
    # Ed25519 (RFC 8032), always.
    algorithm: Literal["Ed25519"]
    # `kid` of the key among those of /.well-known/assay-keys.json.
    key_id: str
    # Base64 of the 64 bytes.
    value: str


# The asset as it was signed; ratings from before classes lack both fields of the class.
SignedAsset = TypedDict(
    "SignedAsset",
    {
        # CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.
        "id": "str",
        # Our name of the chain (GET /v1/chains); null without a token.
        "chain": "str | None",
        # Mint or contract; `native` for a chain’s own coin; null without a token.
        "address": "str | None",
        # Ticker, as the token itself states: untrusted text, not unique.
        "symbol": "str | None",
        # What the token or the project calls itself: untrusted text.
        "name": "str",
        # Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known.
        "category": "str | None",
        # The project’s own site, when known.
        "website": "str | None",
        # How the class was decided.
        "category_reason": "NotRequired[str | None]",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "NotRequired[str | None]",
    },
)

# What a trade of a size costs.
class Slippage(TypedDict):
    # Size of the trade, US dollars.
    size_usd: float
    # Average price paid against the price before, fee included, percent; null when it cannot be filled.
    buy_pct: float | None
    # The same for selling.
    sell_pct: float | None


# What the Ed25519 precompile of Solana checks.
class SolanaAttestation(TypedDict):
    # 136 bytes as base64, laid out as docs/proofs.md describes.
    message: str
    # Ed25519 signature of the message, 64 bytes as base64.
    signature: str
    # `kid` of the key.
    key_id: str
    # The 32 bytes of that key, as base64.
    public_key: str


# The message that any party may submit to a program.
class SolanaRevocation(TypedDict):
    # 88 bytes as base64, laid out as docs/proofs.md describes.
    message: str
    # Ed25519 signature of the message, 64 bytes as base64.
    signature: str
    # `kid` of the key.
    key_id: str
    # The 32 bytes of that key, as base64.
    public_key: str


# A class of requests that is sold one by one.
SoldRequest = TypedDict(
    "SoldRequest",
    {
        # `ratings`: GET /v1/rms/{asset}; `snapshots`: market, holders and pools of an asset.
        "class": "Literal[\"ratings\", \"snapshots\"]",
        # Of one request, in whole tokens.
        "price": "str",
        # The same in units of the token, as it is signed.
        "amount": "str",
        # The plan under which a payer is served.
        "plan": "str",
    },
)

# Which sources changed what they state, or are as usual again.
class SourceDrift(TypedDict):
    # `opened`: it drifts; `worsened`: more severe than in the last notification; `closed`: it is as usual again, or not read any more.
    state: Literal["opened", "worsened", "closed"]
    # Sources that it is about.
    sources: list[SourceDriftSourcesItem]


class SourceDriftSourcesItem(TypedDict):
    # Name of the source.
    source: str
    # Where the newest drift was noticed first; null where it is of no single endpoint.
    endpoint: str | None
    # What changed in the newest drift; null before the first.
    changed: str | None
    # When the newest drift began; null before the first. RFC 3339, UTC.
    noticed_at: str | None
    # What is not as usual at present; empty when the drift is over.
    signals: list[str]
    # Weight of its values now; 1: the usual one.
    weight: float


# What became of one source in this job.
class SourceOutcome(TypedDict):
    # Name of the public source.
    name: str
    # What became of it: `ok`, `empty`, `not_found`, or why it stated nothing, such as `timeout` or `rate_limited`.
    outcome: str
    # Time that its requests took.
    milliseconds: float
    # Observations taken from its replies.
    items_used: int
    # Requests sent to it.
    asked: int
    # Requests that it replied to.
    answered: int
    # What went wrong; null when nothing did.
    detail: str | None


# A public source: reachable, its budget, whether it is as usual.
class SourceStanding(TypedDict):
    # Name of the source.
    source: str
    # Display name.
    title: str
    # It is on.
    enabled: bool
    # Why it is off; null when it is on.
    reason: str | None
    # The last requests to it succeeded; null: none was sent, or it is off.
    reachable: bool | None
    # When it last replied; null: not yet. RFC 3339, UTC.
    succeeded_at: str | None
    # Why its last requests failed; null when they did not, and while it is off.
    failure: str | None
    # Median latency of its newest replies, milliseconds; null without any, and while it is off.
    latency_ms: float | None
    # What is left of its request budget; null where none is kept.
    budget: None | SourceStandingBudget
    # The last 24 hours with requests to it, oldest first.
    hours: list[SourceStandingHoursItem]
    # Of what it stated in collections, the share that consensus accepted, 0-1; older ones count half a day by day. Null: nothing yet.
    accepted_share: float | None
    # What its reliability is multiplied with, 0-1; below 1 while it is not as usual.
    weight: float
    # When known assets were read from it last; null: not yet. RFC 3339, UTC.
    checked_at: str | None
    # Signals that are not as usual now.
    drifting: list[str]
    # The newest change of what it states; null: none was noticed.
    last_drift: None | SourceStandingLastDrift


class SourceStandingBudget(TypedDict):
    # Requests that it may be sent at once now.
    left: int
    # The same, after a while without requests.
    burst: int
    # Requests a minute, over all processes.
    per_minute: float


class SourceStandingHoursItem(TypedDict):
    # Beginning of the hour. RFC 3339, UTC.
    hour: str
    # Requests that succeeded.
    answered: int
    # Requests that failed.
    failed: int


class SourceStandingLastDrift(TypedDict):
    # When it was noticed. RFC 3339, UTC.
    at: str
    # Endpoint where it was noticed first; null where it is of no single one.
    endpoint: str | None
    # What changed.
    text: str


# The reply to `output_format: standard`, which is the usual one.
class StandardScore(TypedDict):
    # The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.
    job_id: str
    # `type` as it was sent.
    type: str
    # `project` as it was sent, or the name that `asset` was read as.
    project: str
    # This rating was published. False: see `not_published_because`; what GET /v1/rms/{asset} shows is untouched.
    published: bool
    # Null when it was not published.
    published_rating: RatingAsPublished | None
    # Empty when it is published.
    not_published_because: list[StandardScoreNotPublishedBecauseItem]
    # The collection that served the request, or that continues where the caller did not wait for it; null where a published rating was fresh enough.
    collection_id: str | None
    data_mode: DataMode
    # The time that the rating applies to. RFC 3339, UTC.
    as_of: str
    # Whole seconds since `as_of` when the reply was made.
    age_seconds: int
    # With a tradable token, or before it.
    stage: Literal["post_tge", "pre_tge"]
    asset: IdentifiedAsset
    rating: ScoreRating
    trust_score: TrustScore
    vfr: ValueFairness
    # How likely it fails within 30 days and within a year, beside the band; empty on ratings from before it was given.
    failure_probability: list[FailureProbability]
    # Seconds from the start of the caller’s job to its result, whichever job collected the evidence.
    execution_time_seconds: float
    # Conditions that hold.
    risk_flags: list[ScoreFlag]
    # Ceilings on the score whose condition holds.
    caps_applied: list[Cap]
    # What the project states about others, and whether they confirm it: a link counts only where it is `confirmed`.
    ties: list[Tie]
    # Every source and what became of it; those left behind too.
    sources: list[SourceOutcome]
    # Texts and links that sources’ terms require to be shown.
    attributions: list[Attribution]
    # Version of the methodology it was made by (GET /v1/methodology/{version}).
    methodology_version: str
    # What a reader should know: unknown fields of the request, its values that differ from what registries, chain and site state (and are not used), a rating that is older than the request.
    warnings: list[str]
    # What the score is made of.
    factors: list[ScoreFactor]


class StandardScoreNotPublishedBecauseItem(TypedDict):
    # What is missing.
    code: Literal["identity_below_floor", "evidence_below_floor", "weaker_than_standing", "partial_collection"]
    # The same as text.
    detail: str


# The rank of a score among its peers.
class Standing(TypedDict):
    # Category the peers are of.
    category: str
    # Share of the category’s rated assets that score lower, 0-100, ties by half; null below 5 peers.
    category_percentile: float | None
    # Rated peers of the category.
    category_peers: int
    # Decade of the market capitalisation, such as `1e6-1e7 USD`; null when not known.
    size_group: str | None
    # The same among those of the category whose size is of the same decade.
    size_percentile: float | None
    # Rated peers of the category and that size.
    size_peers: int


# What an account used in a month, and what is due for it.
class Statement(TypedDict):
    # Whose statement it is (`acc_...`).
    account_id: str
    # Calendar month, YYYY-MM in UTC.
    month: str
    # False during the month, and for a day after: what is final is not changed any more.
    final: bool
    # US dollars, always.
    currency: Literal["USD"]
    # A line for each plan that the account had a usable key of, or used.
    lines: list[StatementLinesItem]
    # Of all lines.
    totals: StatementTotals
    # When it was stated. RFC 3339, UTC.
    as_of: str
    data_mode: DataMode


class StatementLinesItem(TypedDict):
    # Name of the plan.
    plan: str
    # Display name of the plan.
    title: str
    # Keys of the plan that could be used in the month.
    keys: int
    # Of the whole month; null: not sold by itself.
    price_usd: None | str
    # Owed for a broken service level.
    credit_usd: str
    # Price less credit.
    due_usd: str
    # All requests with a key of the account, refused and failed ones too.
    requests: int
    # Of them, those that cost quota: not 304, 429 and 5xx.
    billable: int
    # Replies with status 429.
    refused: int
    # Replies with status 5xx.
    errors: int
    # Of reply bodies, as sent (compressed).
    bytes: int
    # Quota of the plan; null: none.
    requests_per_day: float | None
    # Day with the most billable requests; null without any.
    fullest_day: str | None
    # Billable requests of that day.
    fullest_day_billable: int
    # The month compared with the plan’s promises; null: it promises none.
    service_level: None | StatementLinesItemServiceLevel


class StatementLinesItemServiceLevel(TypedDict):
    # Measured, percent of the month; null: nothing was, or no longer is.
    availability_pct: float | None
    # Age of market data that 99 % of the assets kept in 99 % of the minutes, on the worst chain; null: not measured.
    market_age_seconds: float | None
    # Of reads, within the service, milliseconds; null: nothing was measured.
    latency_p99_ms: float | None
    # Promises the month has broken.
    breaches: list[Literal["availability", "freshness", "latency"]]
    # What the breaches give back, percent of the month’s price.
    credit_pct: float


# Of all lines.
class StatementTotals(TypedDict):
    # All requests with a key of the account, refused and failed ones too.
    requests: int
    # Of them, those that cost quota: not 304, 429 and 5xx.
    billable: int
    # Replies with status 429.
    refused: int
    # Replies with status 5xx.
    errors: int
    # Of reply bodies, as sent (compressed).
    bytes: int
    # Sum of the lines.
    price_usd: str
    # Sum of the lines.
    credit_usd: str
    # Price less credit.
    due_usd: str


# Which sources are meant; may be empty.
class SubscribeToDriftBody(TypedDict):
    # Names of sources, as GET /v1/status has them; null (the default): all.
    sources: NotRequired[list[str] | None]


# A line that a figure may cross.
class Threshold(TypedDict):
    # A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`).
    figure: str
    # `above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`.
    condition: Literal["above", "below", "rises", "falls"]
    # In the unit of the figure; of `rises` and `falls` percent.
    value: float
    # Of `rises` and `falls`; null for the others.
    window_seconds: float | None
    # Percent of `value` that the figure goes back before it can cross again.
    hysteresis_pct: float
    severity: Severity
    # `waiting`: no snapshot had the figure yet; `armed`: the next crossing alerts; `crossed`: it is beyond the line and alerts again only after it went back.
    state: Literal["waiting", "armed", "crossed"]


# Which threshold was crossed, and the figures of that moment.
ThresholdCrossed = TypedDict(
    "ThresholdCrossed",
    {
        # A figure of a snapshot. Of the market: `price_usd`, `volume_24h_usd`, `market_cap_usd`, `liquidity_usd`, `price_dispersion_pct`. Of the pools: `pools` (their number), `pools_tvl_usd` and `pools_volume_24h_usd` (`totals`), `depth_2_pct_down_usd` (`depth`). Of the holders: `holder_count`, `top_1_pct` and `top_10_pct` (`raw`), `adjusted_top_10_pct` (`adjusted`).
        "figure": "str",
        # `above`, `below`: the figure reaches `value`, in its own unit; `rises`, `falls`: it is `value` percent from its lowest (highest) reading within `window_seconds`.
        "condition": "Literal[\"above\", \"below\", \"rises\", \"falls\"]",
        # In the unit of the figure; of `rises` and `falls` percent.
        "value": "float",
        # Of `rises` and `falls`; null for the others.
        "window_seconds": "float | None",
        # Percent of `value` that the figure goes back before it can cross again.
        "hysteresis_pct": "float",
        # The figure now.
        "reached": "float",
        # Of `rises` and `falls`: the reading that the change is counted from; else null.
        "from": "float | None",
        # When that was; null without it.
        "from_at": "str | None",
        # Change from it, percent; null without it.
        "change_pct": "float | None",
        # The snapshot that crossed the line.
        "snapshot": "ThresholdCrossedSnapshot",
    },
)

# The snapshot that crossed the line.
class ThresholdCrossedSnapshot(TypedDict):
    # Kind of the snapshot that crossed the line.
    kind: Literal["market", "holders", "pools"]
    # When its facts were true. RFC 3339, UTC.
    as_of: str
    # How old it was when the alert was made, seconds.
    age_seconds: int
    # Path of this snapshot.
    path: str
    # All figures of this kind of snapshot on which thresholds can be set.
    figures: ThresholdCrossedSnapshotFigures


# All figures of this kind of snapshot on which thresholds can be set.
class ThresholdCrossedSnapshotFigures(TypedDict):
    # In the unit of the snapshot; null: not known; absent: of another kind.
    price_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    volume_24h_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    market_cap_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    liquidity_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    price_dispersion_pct: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    pools: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    pools_tvl_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    pools_volume_24h_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    depth_2_pct_down_usd: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    holder_count: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    top_1_pct: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    top_10_pct: NotRequired[float | None]
    # In the unit of the snapshot; null: not known; absent: of another kind.
    adjusted_top_10_pct: NotRequired[float | None]


# The thresholds of an account on an asset.
class ThresholdEntry(TypedDict):
    # CAIP-19 id.
    asset: str
    # Our name of the chain (GET /v1/chains); null without a token.
    chain: str | None
    # When the first thresholds of the asset were set. RFC 3339, UTC.
    added_at: str
    # The account’s own; null without one.
    note: str | None
    # In the order they were given in.
    thresholds: list[Threshold]


# A statement of the project about somebody else, with the state of its other end.
class Tie(TypedDict):
    # What the project states.
    kind: Literal["repository", "audit", "governance", "person", "bounty"]
    # Its subject: a repository, an audit firm, a voting space, a profile. Untrusted text.
    subject: str
    # `confirmed`: the other end names the project; `linked`: linked by the project, not confirmed; `claimed`: stated without a link to another party. Only what is confirmed counts.
    state: Literal["confirmed", "linked", "claimed"]
    # What was found at the other end.
    by: str
    # Where it leads; null without a link.
    link: str | None
    # Keys of the `quantities` it rests on: `quantity@scope`.
    observations: list[str]


# What became of everything that was ever published here.
class TrackRecord(TypedDict):
    # When it was computed; what was published until then is in it. RFC 3339, UTC.
    as_of: str
    # Whose default tests, horizons and targets it uses.
    methodology_version: str
    # Assets ever rated.
    assets: int
    # Ratings ever published.
    ratings: int
    # Defaults among them.
    defaults: int
    # No rating of theirs failed.
    first_rated_in_default: int
    # What became of them, one entry per horizon.
    horizons: list[TrackRecordHorizonsItem]
    # Defaults of what was rated well in the year before; the newest hundred.
    misses: list[Miss]
    # All of them: GET /v1/track-record/misses.
    misses_total: int
    data_mode: DataMode
    # Over the canonical JSON (RFC 8785) of the reply without this member.
    signature: Signature


class TrackRecordHorizonsItem(TypedDict):
    # Length of the horizon.
    days: int
    # One row per band.
    bands: list[TrackRecordHorizonsItemBandsItem]
    # From band to band at the horizon’s end; D once defaulted, NR when withdrawn or lapsed.
    transitions: dict[str, dict[str, int]]
    # 1: every failure was rated below every survivor; 0: no better than chance.
    accuracy_ratio: float | None
    # Why there is no accuracy ratio; null when there is one.
    accuracy_reason: str | None


class TrackRecordHorizonsItemBandsItem(TypedDict):
    band: Band
    # Members whose horizon is over: per asset and UTC month, its first rating of the month.
    rated: int
    # Different assets among them.
    assets: int
    # Defaulted within the horizon (methodology 4.4).
    failed: int
    # Without a failure, but withdrawn within the horizon; they stay in `rated`.
    withdrawn: int
    # Not rated any more at the end: their outcome is not known.
    unfollowed: int
    # Members whose horizon is not over: in no rate yet.
    young: int
    # Failures among those that were followed.
    rate: float | None
    # Jeffreys, 95 %; each asset counts once.
    interval: list[float] | None
    # The methodology’s target, for 365 days.
    target: float | None
    # Range of failures within 365 days that the band is meant for; null for other horizons.
    target_range: list[float] | None
    # Of them, those that defaulted already.
    young_failed: int


# Trust in the evidence, apart from the rating.
class TrustScore(TypedDict):
    # How far the evidence can be trusted, 0-100; it states nothing about the asset (methodology, Trust).
    score: float
    # The tier of the trust.
    tier: Literal["high", "adequate", "limited", "weak", "insufficient"]
    # What it is made of.
    components: TrustScoreComponents


# What it is made of.
class TrustScoreComponents(TypedDict):
    # How much of what matters is known (methodology, Trust). 0-1.
    coverage: float
    # How far the sources agree (methodology, Trust). 0-1.
    agreement: float
    # Number of independent origins (methodology, Trust). 0-1.
    independence: float
    # How new the facts are (methodology, Trust). 0-1.
    freshness: float
    # How surely all of it is about this asset (methodology, Trust). 0-1.
    identity: float


# A member of an EIP-712 type.
class TypedField(TypedDict):
    # Name of the member.
    name: str
    # Its type in Solidity.
    type: str


# What an account has used.
Usage = TypedDict(
    "Usage",
    {
        # Whose usage it is (`acc_...`).
        "account_id": "str",
        # First day, YYYY-MM-DD in UTC.
        "from": "str",
        # Last day, included, YYYY-MM-DD in UTC.
        "to": "str",
        # What a row adds up: `day`, `key`, `endpoint_group` or `plan`.
        "group_by": "str",
        # One row per group that was used.
        "data": "list[UsageDataItem]",
        # Of all rows.
        "totals": "UsageTotals",
        # Always null: the list is whole.
        "next_cursor": "None",
        # When it was read; requests of the last second may not be counted yet. RFC 3339, UTC.
        "as_of": "str",
        "data_mode": "DataMode",
    },
)

class UsageDataItem(TypedDict):
    # When grouped by day; days without requests have no row.
    day: NotRequired[str]
    # When grouped by key.
    key_id: NotRequired[str]
    # When grouped by endpoint group: score, jobs, rms, chain, exports, alerts, watchlist, webhooks, usage, admin or other.
    endpoint_group: NotRequired[str]
    # When grouped by plan.
    plan: NotRequired[str]
    # All requests with a key of the account, refused and failed ones too.
    requests: int
    # Of them, those that cost quota: not 304, 429 and 5xx.
    billable: int
    # Replies with status 429.
    refused: int
    # Replies with status 5xx.
    errors: int
    # Of reply bodies, as sent (compressed).
    bytes: int


# Of all rows.
class UsageTotals(TypedDict):
    # All requests with a key of the account, refused and failed ones too.
    requests: int
    # Of them, those that cost quota: not 304, 429 and 5xx.
    billable: int
    # Replies with status 429.
    refused: int
    # Replies with status 5xx.
    errors: int
    # Of reply bodies, as sent (compressed).
    bytes: int


# Value-fairness ratio (docs/vfr.md); no forecast, and no part of the score.
class ValueFairness(TypedDict):
    # Market value over fair value: 1 is what peers are worth; null when no fair value can be computed reliably.
    value: float | None
    zone: VfrZone
    # Low and high end, 80 %; null without a value.
    interval: list[float] | None
    # What it is compared with: its redemption value (`peg`), peers by `multiples`, also by a regression, or funding `rounds`; `none`: there is no ratio.
    method: Literal["peg", "multiples", "multiples_and_regression", "rounds", "none"]
    # Assets it was compared with.
    peers: int
    # Why there is no value; null when there is one.
    reason: str | None
    # ln of the value over its standard deviation: the zones are cut by it.
    z: float | None
    # What the value divides, US dollars; null where a unit is compared (peg).
    fair_value_usd: float | None
    # The same fair value under price x circulating supply, unlocks to come left out.
    circulating: float | None
    # The same fair value under price x all that will ever exist.
    fully_diluted: float | None
    # Short histories, estimates: what to know of this value.
    notes: list[str]


# One estimate of the fair value.
class VfrDriver(TypedDict):
    # `multiple` or `regression`.
    estimator: str
    # What a multiple divides by; null for the regression, which uses several.
    quantity: str | None
    # The driver as it was used; null where it may not be passed on.
    value: float | None
    # Days of our own readings that the value is the median of.
    days: int
    # Peers that have the driver.
    peers: int
    # Fair value by this estimate alone, US dollars.
    fair_value_usd: float
    # Standard deviation of its logarithm.
    sd: float
    # Its part of the fair value; all add up to 1. 0-1.
    weight: float


# An observation: what one source states of a quantity, and whether consensus accepted it.
class Voice(TypedDict):
    # Source that stated it.
    source: str
    # Endpoint of the source that stated it.
    endpoint: str
    # Lineage group, the origin of the number: of the sources of a group one observation counts.
    family: str
    # How near the source is to the origin of the value; `chain` is nearest.
    tier: Literal["chain", "venue", "aggregator", "registry", "self_reported"]
    # Value that it stated, in the unit of the quantity; null when `withheld`.
    value: Any
    # The source’s terms forbid passing its values on; it counts all the same.
    withheld: bool
    # What the number means at this source, in short.
    meaning: str
    # When it was true, by the source. RFC 3339, UTC.
    observed_at: str
    # Its vote: reliability x freshness x how surely it is this asset.
    weight: float
    # Distance from the consensus in robust standard deviations; null for states and facts.
    z: float | None
    # Power of ten that it is off by, when that is why it does not count.
    unit_power: float | None
    # It counted.
    accepted: bool
    # Why it did not count, such as `outlier`, `unit_mismatch` or `too_old`; null when it did.
    reason: str | None
    # Id of the archived reply, in `evidence`.
    evidence: str


# An event that may move the band is pending.
class Watch(TypedDict):
    # Which way the band may go.
    direction: Literal["positive", "negative", "developing"]
    # A word, such as `unlock_pending`, `source_conflict` or `evidence`.
    reason: str
    # What is pending.
    detail: str
    # When it began. RFC 3339, UTC.
    since: str
    # By then it is resolved or renewed. RFC 3339, UTC.
    deadline: str


# What is left out takes its default; may be empty.
class WatchAssetBody(TypedDict):
    # Your own note; null (the default): none.
    note: NotRequired[str | None]
    # When it alerts; what is left out takes its default.
    thresholds: NotRequired[WatchAssetBodyThresholds]


# When it alerts; what is left out takes its default.
class WatchAssetBodyThresholds(TypedDict):
    # Points since the last alert. Default: 5.
    min_score_change: NotRequired[float]
    # Severities of flags that alert.
    flag_severities: NotRequired[list[Literal["info", "low", "medium", "high", "critical"]]]
    # Transitions into or out of these; null (the default): all. D and NR always count.
    bands: NotRequired[list[Literal["AAA", "AA", "A", "BBB", "BB", "B", "CCC", "CC", "C", "D", "NR"]] | None]


# An address of the account’s that alerts are sent to.
class Webhook(TypedDict):
    # Id of the webhook (`wh_...`).
    id: str
    # Where messages are sent. In the formats of chat services the url is the secret: only its origin is shown, followed by `/***`.
    url: str
    # Shape of the messages.
    format: Literal["assay", "slack", "discord", "telegram"]
    # Chat of Telegram that messages go to; null in other formats.
    chat_id: str | None
    # Your own note.
    description: str | None
    # Kinds of alerts it is sent.
    kinds: list[Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"]]
    # False: nothing is sent.
    enabled: bool
    # `gone` (it replied 410), `failing` (no delivery succeeded for 5 days), `by_request`; null while it is on.
    disabled_reason: str | None
    # When it was made. RFC 3339, UTC.
    created_at: str
    # Until then messages carry a signature by the secret before as well; null without one. RFC 3339, UTC.
    previous_secret_until: str | None
    # Health of the endpoint.
    health: WebhookHealth
    data_mode: DataMode


# Health of the endpoint.
class WebhookHealth(TypedDict):
    # Failed attempts since the last success.
    consecutive_failures: int
    # Time of the first failure since the last success; null while it is well. RFC 3339, UTC.
    failing_since: str | None
    # Last attempt with a 2xx reply; null before the first. RFC 3339, UTC.
    last_success_at: str | None
    # Last attempt that was not; null before the first. RFC 3339, UTC.
    last_failure_at: str | None
    # What went wrong then; never the reply of the endpoint.
    last_failure: str | None


# An asset that the account watches.
WhitelistEntry = TypedDict(
    "WhitelistEntry",
    {
        # CAIP-19 id.
        "asset": "str",
        # As the newest rating has it, untrusted text; null when not known.
        "symbol": "str | None",
        # As the newest rating has it, untrusted text; null when not known.
        "name": "str | None",
        # Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.
        "class": "str | None",
        # When it was added. RFC 3339, UTC.
        "added_at": "str",
        # The account’s own; null without one.
        "note": "str | None",
        # `alerting`: some alert is not acknowledged.
        "alert_status": "Literal[\"ok\", \"alerting\"]",
        # Time of the newest alert; null when there was none. RFC 3339, UTC.
        "last_alert": "str | None",
        # Alerts that are not acknowledged.
        "open_alerts": "int",
        # Newest score, 0-100; null when not rated.
        "score": "float | None",
        # Newest band; null when it was never rated.
        "band": "str | None",
        # Time of the newest rating; null when it was never rated. RFC 3339, UTC.
        "as_of": "str | None",
        # The request that has it rated; null once it is.
        "how_to_rate": "WhitelistEntryHowToRate | None",
        # When it alerts.
        "thresholds": "WhitelistEntryThresholds",
    },
)

# The request that has it rated; null once it is.
class WhitelistEntryHowToRate(TypedDict):
    # HTTP method.
    method: str
    # Path of the request.
    path: str
    # JSON body of the request.
    body: Any


# When it alerts.
class WhitelistEntryThresholds(TypedDict):
    # Points since the last score alert from which on one is made.
    min_score_change: float
    # Flags of these severities alert.
    flag_severities: list[Literal["info", "low", "medium", "high", "critical"]]
    # Transitions into or out of these alert; null: all do. D and NR always do.
    bands: list[Literal["AAA", "AA", "A", "BBB", "BB", "B", "CCC", "CC", "C", "D", "NR"]] | None


# `sandbox`: assets and sources are fictional; `live`: real ones.
DataMode: TypeAlias = Literal["live", "sandbox"]

# Rating band, AAA (best) to C; D: defaulted, by the tests of the methodology (section Default); NR: not rated, the evidence is too thin.
Band: TypeAlias = Literal["AAA", "AA", "A", "BBB", "BB", "B", "CCC", "CC", "C", "D", "NR"]

# Where the rating is likely to go; `developing`: either way; `provisional`: a project without a token has no market that shows a direction.
Outlook: TypeAlias = Literal["positive", "stable", "negative", "developing", "provisional"]

# Where the value-fairness ratio lies, in units of its own error (docs/vfr.md); INDETERMINATE when there is no ratio.
VfrZone: TypeAlias = Literal["DEEP_DISCOUNT", "DISCOUNT", "FAIR", "PREMIUM", "EXTREME_PREMIUM", "INDETERMINATE"]

# How grave it is, from `info` (worth knowing) to `critical`.
Severity: TypeAlias = Literal["info", "low", "medium", "high", "critical"]

# `block`: a rule forbids it; `caution`: a person should review it; `allow`: all rules are met.
PolicyOutcome: TypeAlias = Literal["allow", "caution", "block"]


class Operations:
    """One method for each operation of the service."""

    _sender: Sender

    def acknowledge_alert(
        self,
        id: str,
    ) -> AcknowledgeAlertReply:
        """Acknowledge an alert; a second time changes nothing.
        id: Number of an alert.
        """
        return self._sender.call(
            "POST",
            "/v1/alerts/{id}/acknowledge",
            path={"id": id},
        )

    def add_appeal_evidence(
        self,
        reference: str,
        body: AddAppealEvidenceBody,
    ) -> Appeal:
        """Send evidence to the reviewers.
        reference: Reference that the first reply gave.
        """
        return self._sender.call(
            "POST",
            "/v1/public/appeals/{reference}/evidence",
            path={"reference": reference},
            body=body,
        )

    def add_cosignature(
        self,
        body: AddCosignatureBody,
    ) -> AddCosignatureReply:
        """Add a witness’s signature to a checkpoint."""
        return self._sender.call(
            "POST",
            "/v1/log/cosignatures",
            body=body,
        )

    def batch_ratings(
        self,
        body: BatchRatingsBody,
    ) -> list[Rating | RatingDigest | BatchRatingsReplyItem]:
        """The ratings of many assets."""
        return self._sender.call(
            "POST",
            "/v1/rms/batch",
            body=body,
        )

    def cancel_bulk_job(
        self,
        id: str,
    ) -> GetBulkJobReply:
        """Cancel a bulk job.
        id: Id of a bulk job.
        """
        return self._sender.call(
            "DELETE",
            "/v1/bulk/{id}",
            path={"id": id},
        )

    def cancel_job(
        self,
        id: str,
    ) -> Job:
        """Cancel a job.
        id: Id of a job (`job_id` of a score or a rating).
        """
        return self._sender.call(
            "DELETE",
            "/v1/jobs/{id}",
            path={"id": id},
        )

    def change_webhook(
        self,
        id: str,
        body: ChangeWebhookBody,
    ) -> Webhook:
        """Change a webhook; what is left out stays.
        id: Id of a webhook.
        """
        return self._sender.call(
            "PUT",
            "/v1/webhooks/{id}",
            path={"id": id},
            body=body,
        )

    def check_policy(
        self,
        body: CheckPolicyBody,
    ) -> PolicyVerdict:
        """Check an asset against rules."""
        return self._sender.call(
            "POST",
            "/v1/policy/check",
            body=body,
        )

    def check_portfolio(
        self,
        body: CheckPortfolioBody,
    ) -> PortfolioVerdict:
        """Rules over a whole portfolio."""
        return self._sender.call(
            "POST",
            "/v1/policy/portfolio",
            body=body,
        )

    def create_account_key(
        self,
        body: CreateAccountKeyBody,
    ) -> NewKey:
        """Create a key of the account."""
        return self._sender.call(
            "POST",
            "/v1/account/keys",
            body=body,
        )

    def create_bulk_job(
        self,
        body: CreateBulkJobBody,
        *,
        idempotency_key: str | None = None,
    ) -> CreateBulkJobReply:
        """Score many assets as one job.
        idempotency_key: 1 to 255 printable ASCII characters. A request with a key that was used in the last 24 hours gets the job of the first one.
        """
        return self._sender.call(
            "POST",
            "/v1/bulk",
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )

    def create_dispute(
        self,
        body: CreateDisputeBody,
    ) -> Dispute:
        """Dispute a rating."""
        return self._sender.call(
            "POST",
            "/v1/disputes",
            body=body,
        )

    def create_key(
        self,
        body: CreateKeyBody,
    ) -> NewKey:
        """Create a key."""
        return self._sender.call(
            "POST",
            "/v1/admin/keys",
            body=body,
        )

    def create_objection(
        self,
        body: CreateObjectionBody,
    ) -> Objection:
        """Object to a rating without a key."""
        return self._sender.call(
            "POST",
            "/v1/public/objections",
            body=body,
        )

    def create_webhook(
        self,
        body: CreateWebhookBody,
    ) -> NewWebhook:
        """Have alerts sent to an address."""
        return self._sender.call(
            "POST",
            "/v1/webhooks",
            body=body,
        )

    def get_account(
        self,
    ) -> Account:
        """The account of the key: its plan, and what it has."""
        return self._sender.call(
            "GET",
            "/v1/account",
        )

    def get_appeal(
        self,
        reference: str,
    ) -> Appeal:
        """The status of an appeal.
        reference: Reference that the first reply gave.
        """
        return self._sender.call(
            "GET",
            "/v1/public/appeals/{reference}",
            path={"reference": reference},
        )

    def get_attestation(
        self,
        asset: str,
        *,
        chain: Literal["eip155:1", "eip155:10", "eip155:8453", "eip155:42161", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"] | None = None,
    ) -> Attestation:
        """The newest rating as a record that a contract checks.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        chain: CAIP-2 id of the chain whose contracts read it. Default: eip155:1.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/attestation",
            path={"asset": asset},
            query={"chain": chain},
        )

    def get_breakdown(
        self,
        asset: str,
        *,
        as_of: str | None = None,
        methodology: str | None = None,
    ) -> Breakdown:
        """What a rating is made of.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        as_of: RFC 3339 time, not in the future: returns what was known then.
        methodology: Version of the methodology: the newest rating made with it.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/breakdown",
            path={"asset": asset},
            query={"as_of": as_of, "methodology": methodology},
        )

    def get_bulk_job(
        self,
        id: str,
    ) -> GetBulkJobReply:
        """Progress of a bulk job.
        id: Id of a bulk job.
        """
        return self._sender.call(
            "GET",
            "/v1/bulk/{id}",
            path={"id": id},
        )

    def get_calibration(
        self,
    ) -> Any:
        """The calibration in force: from scores to probabilities of failure."""
        return self._sender.call(
            "GET",
            "/v1/methodology/calibration",
        )

    def get_chain_export(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        *,
        date: str | None = None,
        format: Literal["json", "csv", "ndjson", "parquet"] | None = None,
        revision: int | None = None,
    ) -> list[ChainExportRow] | str | bytes:
        """All chain aggregates of a day.
        chain: Name of a chain, see GET /v1/chains.
        date: UTC day as YYYY-MM-DD; default: the newest complete day.
        format: Form of the file; without it `Accept` decides, else a JSON array.
        revision: A whole number from 1: which revision of a restated day; default: the newest.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/exports/daily",
            path={"chain": chain},
            query={"date": date, "format": format, "revision": revision},
        )

    def get_chain_manifest(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
    ) -> Manifest:
        """The published days, signed.
        chain: Name of a chain, see GET /v1/chains.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/exports/daily/manifest",
            path={"chain": chain},
        )

    def get_changelog(
        self,
        *,
        format: Literal["json", "atom"] | None = None,
    ) -> ChangelogFeed | bytes:
        """Changes of the service, as a feed.
        format: Form of the feed; without it `Accept` decides, else JSON Feed.
        """
        return self._sender.call(
            "GET",
            "/v1/changelog",
            query={"format": format},
        )

    def get_checkpoint(
        self,
    ) -> str:
        """The newest signed tree of the log of published ratings."""
        return self._sender.call(
            "GET",
            "/v1/log/checkpoint",
        )

    def get_clusters(
        self,
        asset: str,
        *,
        prefer: str | None = None,
    ) -> HolderClusters | Searching:
        """The largest holders, put together by their first payer.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        prefer: `wait=N`: seconds to wait for the result; `respond-async`: return 202 at once (RFC 7240).
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/clusters",
            path={"asset": asset},
            headers={"Prefer": prefer},
        )

    def get_consistency_proof(
        self,
        *,
        from_: int,
        to: int,
    ) -> ConsistencyProof:
        """Proof that a newer tree begins with an older one.
        from_: Size of the older tree.
        to: Size of the newer tree.
        """
        return self._sender.call(
            "GET",
            "/v1/log/consistency",
            query={"from": from_, "to": to},
        )

    def get_counterfactual(
        self,
        asset: str,
    ) -> Counterfactual:
        """What would move a rating to the next band.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/counterfactual",
            path={"asset": asset},
        )

    def get_current_ratings(
        self,
        *,
        format: Literal["json", "csv"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> CurrentRatings | str:
        """The present rating of every asset.
        format: Form of the page; without it `Accept` decides, else JSON.
        limit: Most entries of a page, 1 to 5000. Default: 1000.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/exports/rms/current",
            query={"format": format, "limit": limit, "cursor": cursor},
        )

    def get_dispute(
        self,
        id: str,
    ) -> Dispute:
        """One dispute of the account.
        id: Id of a dispute.
        """
        return self._sender.call(
            "GET",
            "/v1/disputes/{id}",
            path={"id": id},
        )

    def get_dossier(
        self,
        asset: str,
        *,
        as_of: str | None = None,
        methodology: str | None = None,
        format: Literal["json", "html", "markdown"] | None = None,
    ) -> Dossier | str:
        """What a listing desk has to look at, with evidence or an explicit gap.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        as_of: RFC 3339 time, not in the future: returns what was known then.
        methodology: Version of the methodology: the newest rating made with it.
        format: Instead of `Accept`, for links.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/dossier",
            path={"asset": asset},
            query={"as_of": as_of, "methodology": methodology, "format": format},
        )

    def get_drift_subscription(
        self,
    ) -> DriftSubscription:
        """Whether the account gets alerts of the kind source_drift."""
        return self._sender.call(
            "GET",
            "/v1/alerts/source-drift",
        )

    def get_forensics(
        self,
        asset: str,
        *,
        prefer: str | None = None,
    ) -> Forensics | Searching:
        """Who emptied an asset’s pools, and where the money went.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        prefer: `wait=N`: seconds to wait for the result; `respond-async`: return 202 at once (RFC 7240).
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/forensics",
            path={"asset": asset},
            headers={"Prefer": prefer},
        )

    def get_holders_snapshot(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        as_of: str | None = None,
    ) -> HoldersSnapshot:
        """Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        as_of: RFC 3339 time, not in the future: returns what was known then.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/{asset}/holders/snapshot",
            path={"chain": chain, "asset": asset},
            query={"as_of": as_of},
        )

    def get_indexed_asset(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
    ) -> GetIndexedAssetReply:
        """One indexed asset.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/index/{asset}",
            path={"chain": chain, "asset": asset},
        )

    def get_job(
        self,
        id: str,
        *,
        output_format: Literal["minimal", "standard", "full"] | None = None,
    ) -> Job:
        """State and result of a job.
        id: Id of a job (`job_id` of a score or a rating).
        output_format: Form of `result`. Default: standard.
        """
        return self._sender.call(
            "GET",
            "/v1/jobs/{id}",
            path={"id": id},
            query={"output_format": output_format},
        )

    def get_job_evidence(
        self,
        id: str,
    ) -> Any:
        """The archived evidence of a job.
        id: Id of a job (`job_id` of a score or a rating).
        """
        return self._sender.call(
            "GET",
            "/v1/jobs/{id}/evidence",
            path={"id": id},
        )

    def get_liveness(
        self,
    ) -> GetLivenessReply:
        """The process is alive."""
        return self._sender.call(
            "GET",
            "/healthz",
        )

    def get_market_snapshot(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        as_of: str | None = None,
    ) -> MarketSnapshot:
        """Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        as_of: RFC 3339 time, not in the future: returns what was known then.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/market/{asset}/snapshot",
            path={"chain": chain, "asset": asset},
            query={"as_of": as_of},
        )

    def get_methodology(
        self,
    ) -> Any:
        """The methodology in force, as data."""
        return self._sender.call(
            "GET",
            "/v1/methodology",
        )

    def get_methodology_version(
        self,
        version: str,
    ) -> Any:
        """A version of the methodology, as it was.
        version: Version of the methodology, as `methodology_version` of a rating.
        """
        return self._sender.call(
            "GET",
            "/v1/methodology/{version}",
            path={"version": version},
        )

    def get_objection(
        self,
        reference: str,
    ) -> Objection:
        """The status of an objection.
        reference: Reference that the first reply gave.
        """
        return self._sender.call(
            "GET",
            "/v1/public/objections/{reference}",
            path={"reference": reference},
        )

    def get_overview(
        self,
    ) -> Overview:
        """Overview of all rated assets."""
        return self._sender.call(
            "GET",
            "/v1/overview",
        )

    def get_peers(
        self,
        asset: str,
    ) -> Peers:
        """Rated assets of the same class.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/peers",
            path={"asset": asset},
        )

    def get_pools(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        as_of: str | None = None,
        scope: Literal["all", "verified", "top"] | None = None,
        min_tvl_usd: float | None = None,
    ) -> PoolsSnapshot:
        """Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        as_of: RFC 3339 time, not in the future: returns what was known then.
        scope: `all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL. Default: all.
        min_tvl_usd: plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out. Default: 0.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/{asset}/liquidity/pools",
            path={"chain": chain, "asset": asset},
            query={"as_of": as_of, "scope": scope, "min_tvl_usd": min_tvl_usd},
        )

    def get_rating(
        self,
        asset: str,
        *,
        as_of: str | None = None,
        methodology: str | None = None,
        fresh: Literal["true", "false"] | None = None,
        format: Literal["full", "digest"] | None = None,
        view: Literal["full", "digest"] | None = None,
        prefer: str | None = None,
    ) -> Rating | RatingDigest | AcceptedJob:
        """The rating of an asset.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        as_of: RFC 3339 time, not in the future: returns what was known then.
        methodology: Version of the methodology: the newest rating made with it.
        fresh: `true`: rates the asset again now, within a quota of its own (GET /v1/plans). `Prefer: wait=N` states how long to wait for it.
        format: `digest`: the short form for programs with little room.
        view: `digest`: the short form for programs with little room.
        prefer: `wait=N`: seconds to wait for the result; `respond-async`: return 202 at once (RFC 7240).
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}",
            path={"asset": asset},
            query={"as_of": as_of, "methodology": methodology, "fresh": fresh, "format": format, "view": view},
            headers={"Prefer": prefer},
        )

    def get_rating_changes(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["json", "csv"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> RatingChanges | str:
        """What changed between the ends of two days.
        from_: UTC day as YYYY-MM-DD; default: the day before `to`.
        to: UTC day as YYYY-MM-DD, after `from`; default: yesterday.
        format: Form of the page; without it `Accept` decides, else JSON.
        limit: Most entries of a page, 1 to 5000. Default: 1000.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/exports/rms/diff",
            query={"from": from_, "to": to, "format": format, "limit": limit, "cursor": cursor},
        )

    def get_rating_export(
        self,
        *,
        date: str | None = None,
        format: Literal["json", "csv", "ndjson", "parquet"] | None = None,
        revision: int | None = None,
    ) -> list[RatingExportRow] | str | bytes:
        """All rated assets of a day.
        date: UTC day as YYYY-MM-DD; default: the newest complete day.
        format: Form of the file; without it `Accept` decides, else a JSON array.
        revision: A whole number from 1: which revision of a restated day; default: the newest.
        """
        return self._sender.call(
            "GET",
            "/v1/exports/rms/daily",
            query={"date": date, "format": format, "revision": revision},
        )

    def get_rating_manifest(
        self,
    ) -> Manifest:
        """The published days, signed."""
        return self._sender.call(
            "GET",
            "/v1/exports/rms/daily/manifest",
        )

    def get_rating_report(
        self,
        asset: str,
        *,
        as_of: str | None = None,
        methodology: str | None = None,
        format: Literal["html", "markdown"] | None = None,
    ) -> str:
        """The report of a rating for people.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        as_of: RFC 3339 time, not in the future: returns what was known then.
        methodology: Version of the methodology: the newest rating made with it.
        format: Instead of `Accept`, for links: `html` or `markdown`.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/report",
            path={"asset": asset},
            query={"as_of": as_of, "methodology": methodology, "format": format},
        )

    def get_readiness(
        self,
    ) -> GetReadinessReply:
        """The service can take work."""
        return self._sender.call(
            "GET",
            "/readyz",
        )

    def get_receipt(
        self,
        receipt: str,
    ) -> Receipt:
        """What was bought with one payment, and what was corrected since.
        receipt: Header `Assay-Receipt` of the reply that was paid for.
        """
        return self._sender.call(
            "GET",
            "/v1/receipts/{receipt}",
            path={"receipt": receipt},
        )

    def get_register_schema(
        self,
        name: str,
    ) -> Any:
        """The schema of a register.
        name: Name of a register (GET /v1/registers).
        """
        return self._sender.call(
            "GET",
            "/v1/registers/{name}/schema",
            path={"name": name},
        )

    def get_setup(
        self,
    ) -> Setup:
        """What works here, and what would add something."""
        return self._sender.call(
            "GET",
            "/v1/setup",
        )

    def get_solana_export(
        self,
        *,
        date: str | None = None,
        format: Literal["json", "csv", "ndjson", "parquet"] | None = None,
        revision: int | None = None,
    ) -> list[ChainExportRow] | str | bytes:
        """All chain aggregates of a day.
        date: UTC day as YYYY-MM-DD; default: the newest complete day.
        format: Form of the file; without it `Accept` decides, else a JSON array.
        revision: A whole number from 1: which revision of a restated day; default: the newest.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/exports/daily",
            query={"date": date, "format": format, "revision": revision},
        )

    def get_solana_holders_snapshot(
        self,
        asset: str,
        *,
        as_of: str | None = None,
    ) -> HoldersSnapshot:
        """Holder snapshot: counts, tiers, concentration raw and adjusted, largest holders with labels.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        as_of: RFC 3339 time, not in the future: returns what was known then.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/{asset}/holders/snapshot",
            path={"asset": asset},
            query={"as_of": as_of},
        )

    def get_solana_manifest(
        self,
    ) -> Manifest:
        """The published days, signed."""
        return self._sender.call(
            "GET",
            "/v1/solana/exports/daily/manifest",
        )

    def get_solana_market_snapshot(
        self,
        asset: str,
        *,
        as_of: str | None = None,
    ) -> MarketSnapshot:
        """Market snapshot: price, changes, volume, capitalisation, supply, volatility, dispersion.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        as_of: RFC 3339 time, not in the future: returns what was known then.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/market/{asset}/snapshot",
            path={"asset": asset},
            query={"as_of": as_of},
        )

    def get_solana_pools(
        self,
        asset: str,
        *,
        as_of: str | None = None,
        scope: Literal["all", "verified", "top"] | None = None,
        min_tvl_usd: float | None = None,
    ) -> PoolsSnapshot:
        """Liquidity pools: reserves, TVL, volume, fees, locks, depth and slippage.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        as_of: RFC 3339 time, not in the future: returns what was known then.
        scope: `all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL. Default: all.
        min_tvl_usd: plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out. Default: 0.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/{asset}/liquidity/pools",
            path={"asset": asset},
            query={"as_of": as_of, "scope": scope, "min_tvl_usd": min_tvl_usd},
        )

    def get_statement(
        self,
        *,
        month: str | None = None,
        format: Literal["json", "csv"] | None = None,
        account: str | None = None,
    ) -> Statement | str:
        """The account’s statement of a month.
        month: YYYY-MM (UTC), a calendar month; the present one when not given.
        format: Form of the statement. Default: json.
        account: Another account, for keys with the scope admin (acc_...).
        """
        return self._sender.call(
            "GET",
            "/v1/usage/statement",
            query={"month": month, "format": format, "account": account},
        )

    def get_status(
        self,
    ) -> GetStatusReply:
        """How fresh the chain data is, how the sources are, and the service level as the service measures it."""
        return self._sender.call(
            "GET",
            "/v1/status",
        )

    def get_thresholds(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
    ) -> GetThresholdsReply:
        """Thresholds of the account on an asset.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/thresholds/{asset}",
            path={"chain": chain, "asset": asset},
        )

    def get_track_record(
        self,
    ) -> TrackRecord:
        """What became of rated assets."""
        return self._sender.call(
            "GET",
            "/v1/track-record",
        )

    def get_usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        group_by: Literal["day", "key", "endpoint_group", "plan"] | None = None,
        account: str | None = None,
    ) -> Usage:
        """What the account has used.
        from_: YYYY-MM-DD (UTC), the first day; the first of the last day’s month when not given.
        to: YYYY-MM-DD (UTC), the last day, included, at most 400 days from the first; today when not given.
        group_by: What a row adds up. Default: day.
        account: Another account, for keys with the scope admin (acc_...).
        """
        return self._sender.call(
            "GET",
            "/v1/usage",
            query={"from": from_, "to": to, "group_by": group_by, "account": account},
        )

    def get_webhook(
        self,
        id: str,
    ) -> Webhook:
        """One webhook, with the health of its endpoint.
        id: Id of a webhook.
        """
        return self._sender.call(
            "GET",
            "/v1/webhooks/{id}",
            path={"id": id},
        )

    def index_asset(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        body: IndexAssetBody,
    ) -> GetIndexedAssetReply | IndexAssetReply:
        """Have an asset indexed.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        """
        return self._sender.call(
            "PUT",
            "/v1/{chain}/index/{asset}",
            path={"chain": chain, "asset": asset},
            body=body,
        )

    def list_account_keys(
        self,
    ) -> ListAccountKeysReply:
        """List the keys of the account."""
        return self._sender.call(
            "GET",
            "/v1/account/keys",
        )

    def list_alerts(
        self,
        *,
        kind: Literal["score_change", "risk_flag_change", "band_transition", "source_drift", "peg_stress", "correction", "snapshot_threshold"] | None = None,
        asset: str | None = None,
        acknowledged: Literal["true", "false"] | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListAlertsReply:
        """Alerts of the account, newest first.
        kind: Only alerts of this kind.
        asset: CAIP-19 id, `chain:address`, address, or symbol of a rated asset.
        acknowledged: `false`: only open ones; `true`: only acknowledged ones.
        since: RFC 3339 time, included.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/alerts",
            query={"kind": kind, "asset": asset, "acknowledged": acknowledged, "since": since, "limit": limit, "cursor": cursor},
        )

    def list_all_disputes(
        self,
        *,
        state: Literal["received", "accepted", "rejected", "restated"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListAllDisputesReply:
        """Disputes of all accounts, newest first.
        state: Only disputes in this state.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/admin/disputes",
            query={"state": state, "limit": limit, "cursor": cursor},
        )

    def list_all_rating_actions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRatingsReply:
        """Rating actions of all assets.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/actions",
            query={"limit": limit, "cursor": cursor},
        )

    def list_appeals(
        self,
        *,
        state: Literal["awaiting_proof", "proved", "under_review", "accepted", "rejected", "corrected"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListAppealsReply:
        """Appeals, newest first.
        state: Only appeals in this state; without it: all whose control was proved.
        limit: Most entries of a page, 1 to 100. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/admin/appeals",
            query={"state": state, "limit": limit, "cursor": cursor},
        )

    def list_bulk_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListBulkJobsReply:
        """Bulk jobs of the account, newest first.
        limit: Most entries of a page, 1 to 100. Default: 20.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/bulk",
            query={"limit": limit, "cursor": cursor},
        )

    def list_bulk_rows(
        self,
        id: str,
        *,
        state: Literal["waiting", "running", "rated", "failed", "refused", "duplicate", "cancelled"] | None = None,
        format: Literal["json", "csv"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListBulkRowsReply | str:
        """The rows of a bulk job with their outcomes.
        id: Id of a bulk job.
        state: Only rows in this state.
        format: Form of the rows; csv: all of them at once. Default: json.
        limit: Most entries of a page, 1 to 1000. Default: 500.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/bulk/{id}/rows",
            path={"id": id},
            query={"state": state, "format": format, "limit": limit, "cursor": cursor},
        )

    def list_chains(
        self,
    ) -> ListChainsReply:
        """The chains served, and the plans that include them."""
        return self._sender.call(
            "GET",
            "/v1/chains",
        )

    def list_checkpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListCheckpointsReply:
        """All signed trees, the smallest first.
        limit: Most entries of a page, 1 to 1000. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/log/checkpoints",
            query={"limit": limit, "cursor": cursor},
        )

    def list_deliveries(
        self,
        id: str,
        *,
        state: Literal["pending", "delivered", "failed", "folded"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListDeliveriesReply:
        """Deliveries of a webhook, newest first; kept for 30 days.
        id: Id of a webhook.
        state: Only deliveries in this state.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/webhooks/{id}/deliveries",
            path={"id": id},
            query={"state": state, "limit": limit, "cursor": cursor},
        )

    def list_disputes(
        self,
        *,
        state: Literal["received", "accepted", "rejected", "restated"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListDisputesReply:
        """Disputes of the account, newest first.
        state: Only disputes in this state.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/disputes",
            query={"state": state, "limit": limit, "cursor": cursor},
        )

    def list_holders_history(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaHoldersHistoryReply:
        """History of holders snapshots.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/{asset}/holders/history",
            path={"chain": chain, "asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_index(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        *,
        mine: Literal["true", "false"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListIndexReply:
        """List the indexed assets of a chain.
        chain: Name of a chain, see GET /v1/chains.
        mine: `true`: only what the account of the key has requested. Default: false.
        limit: Most entries of a page, 1 to 1000. Default: 500.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/index",
            path={"chain": chain},
            query={"mine": mine, "limit": limit, "cursor": cursor},
        )

    def list_keys(
        self,
    ) -> ListKeysReply:
        """List keys."""
        return self._sender.call(
            "GET",
            "/v1/admin/keys",
        )

    def list_liquidity_history(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaLiquidityHistoryReply:
        """History of pools snapshots.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/{asset}/liquidity/history",
            path={"chain": chain, "asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_log_entries(
        self,
        *,
        from_: int | None = None,
        limit: int | None = None,
    ) -> ListLogEntriesReply:
        """Leaves of the log from a place on.
        from_: Place of the first leaf, from 0. Default: 0.
        limit: Most entries of a page, 1 to 1000. Default: 256.
        """
        return self._sender.call(
            "GET",
            "/v1/log/entries",
            query={"from": from_, "limit": limit},
        )

    def list_market_history(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaMarketHistoryReply:
        """History of market snapshots.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/market/{asset}/history",
            path={"chain": chain, "asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_methodology_changes(
        self,
    ) -> ListMethodologyChangesReply:
        """What changed in the methodology, when and why."""
        return self._sender.call(
            "GET",
            "/v1/methodology/changes",
        )

    def list_misses(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListMissesReply:
        """Defaults of what was rated well in the year before, newest first.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/track-record/misses",
            query={"limit": limit, "cursor": cursor},
        )

    def list_mutes(
        self,
        id: str,
    ) -> ListMutesReply:
        """What a webhook is not sent at present.
        id: Id of a webhook.
        """
        return self._sender.call(
            "GET",
            "/v1/webhooks/{id}/mutes",
            path={"id": id},
        )

    def list_plans(
        self,
    ) -> ListPlansReply:
        """The plans, their limits and prices."""
        return self._sender.call(
            "GET",
            "/v1/plans",
        )

    def list_policy_presets(
        self,
    ) -> ListPolicyPresetsReply:
        """The built-in rules."""
        return self._sender.call(
            "GET",
            "/v1/policy/presets",
        )

    def list_pools_history(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaLiquidityHistoryReply:
        """History of pools snapshots.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/{asset}/liquidity/pools/history",
            path={"chain": chain, "asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_rating_actions(
        self,
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRatingsReply:
        """Rating actions of an asset.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        from_: RFC 3339; default: the beginning.
        to: RFC 3339; default: now.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/actions",
            path={"asset": asset},
            query={"from": from_, "to": to, "limit": limit, "cursor": cursor},
        )

    def list_rating_history(
        self,
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1h", "4h", "1d", "7d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRatingsReply:
        """Ratings of an asset over time.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        from_: RFC 3339; default: 30 days before `to`.
        to: RFC 3339; default: now.
        interval: The newest rating of each interval; `all`: every rating. Default: 1d.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/history",
            path={"asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_rating_proofs(
        self,
        asset: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRatingProofsReply:
        """Proofs that ratings of an asset are in the log.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/rms/{asset}/proofs",
            path={"asset": asset},
            query={"limit": limit, "cursor": cursor},
        )

    def list_ratings(
        self,
        *,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"] | None = None,
        band: str | None = None,
        category: Literal["default", "stablecoin", "l1_l2", "defi_protocol", "memecoin", "lst_wrapped", "rwa", "gaming_ai", "exchange_token"] | None = None,
        class_: Literal["native_l1", "l2", "stable_fiat", "stable_crypto", "stable_algo", "lst_wrapped", "commodity", "defi_gov", "exchange", "infra", "gaming", "rwa_sec", "memecoin", "default"] | None = None,
        flag: str | None = None,
        min_trust: float | None = None,
        search: str | None = None,
        sort: Literal["score", "-score", "trust", "-trust", "as_of", "-as_of", "symbol", "-symbol"] | None = None,
        format: Literal["json", "csv"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRatingsReply | str:
        """All rated assets.
        chain: Name of a chain, see GET /v1/chains.
        band: Bands, separated by commas: AAA, AA, A, BBB, BB, B, CCC, CC, C, D, NR.
        category: Category of the methodology.
        class_: Class of the methodology; ratings from before classes are in none.
        flag: Code of a raised flag.
        min_trust: A number from 0 to 100.
        search: What the symbol, the name, the address or the id begins with; the case of A to Z does not count.
        sort: What has no value comes last. Default: -score.
        format: Form of the page; without it `Accept` decides, else JSON.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/rms",
            query={"chain": chain, "band": band, "category": category, "class": class_, "flag": flag, "min_trust": min_trust, "search": search, "sort": sort, "format": format, "limit": limit, "cursor": cursor},
        )

    def list_register_rows(
        self,
        name: str,
        *,
        asset: str | None = None,
        state: Literal["confirmed", "unconfirmed", "expired"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRegisterRowsReply:
        """The rows of a register.
        name: Name of a register (GET /v1/registers).
        asset: CAIP-19 id of the asset that rows are about.
        state: Only rows in this state.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/registers/{name}",
            path={"name": name},
            query={"asset": asset, "state": state, "limit": limit, "cursor": cursor},
        )

    def list_registers(
        self,
    ) -> ListRegistersReply:
        """The kept registers."""
        return self._sender.call(
            "GET",
            "/v1/registers",
        )

    def list_restatements(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRestatementsReply:
        """What was corrected, newest first.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/restatements",
            query={"limit": limit, "cursor": cursor},
        )

    def list_revocations(
        self,
        *,
        chain: Literal["eip155:1", "eip155:10", "eip155:8453", "eip155:42161", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRevocationsReply:
        """Signed records that no longer hold.
        chain: CAIP-2 id of the chain whose contracts read it. Default: eip155:1.
        limit: Most entries of a page, 1 to 200. Default: 50.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/log/revocations",
            query={"chain": chain, "limit": limit, "cursor": cursor},
        )

    def list_signing_keys(
        self,
    ) -> ListSigningKeysReply:
        """Public keys of our signatures."""
        return self._sender.call(
            "GET",
            "/.well-known/assay-keys.json",
        )

    def list_solana_holders_history(
        self,
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaHoldersHistoryReply:
        """History of holders snapshots.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/{asset}/holders/history",
            path={"asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_solana_liquidity_history(
        self,
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaLiquidityHistoryReply:
        """History of pools snapshots.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/{asset}/liquidity/history",
            path={"asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_solana_market_history(
        self,
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaMarketHistoryReply:
        """History of market snapshots.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/market/{asset}/history",
            path={"asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_solana_pools_history(
        self,
        asset: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["all", "1m", "5m", "15m", "1h", "4h", "1d"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSolanaLiquidityHistoryReply:
        """History of pools snapshots.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        from_: First time, RFC 3339; default a day before `to`.
        to: Last time, RFC 3339; default now.
        interval: The newest snapshot of each interval (UTC), or `all` of them. Default: 1h.
        limit: Most entries of a page, 1 to 500. Default: 100.
        cursor: `next_cursor` of the page before.
        """
        return self._sender.call(
            "GET",
            "/v1/solana/{asset}/liquidity/pools/history",
            path={"asset": asset},
            query={"from": from_, "to": to, "interval": interval, "limit": limit, "cursor": cursor},
        )

    def list_thresholds(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
    ) -> ListThresholdsReply:
        """Thresholds of the account on assets of a chain.
        chain: Name of a chain, see GET /v1/chains.
        """
        return self._sender.call(
            "GET",
            "/v1/{chain}/thresholds",
            path={"chain": chain},
        )

    def list_webhooks(
        self,
    ) -> ListWebhooksReply:
        """List webhooks."""
        return self._sender.call(
            "GET",
            "/v1/webhooks",
        )

    def list_whitelist(
        self,
    ) -> list[WhitelistEntry]:
        """The account’s whitelist, oldest entry first."""
        return self._sender.call(
            "GET",
            "/v1/rms/whitelist",
        )

    def mute_webhook(
        self,
        id: str,
        body: MuteWebhookBody,
    ) -> Mute:
        """Send a webhook nothing about an asset, or of a kind, for some days.
        id: Id of a webhook.
        """
        return self._sender.call(
            "POST",
            "/v1/webhooks/{id}/mutes",
            path={"id": id},
            body=body,
        )

    def open_appeal(
        self,
        body: OpenAppealBody,
    ) -> OpenedAppeal:
        """Begin an appeal of a rated party."""
        return self._sender.call(
            "POST",
            "/v1/public/appeals",
            body=body,
        )

    def prove_appeal(
        self,
        reference: str,
        body: ProveAppealBody,
    ) -> Appeal:
        """Prove control over the asset.
        reference: Reference that the first reply gave.
        """
        return self._sender.call(
            "POST",
            "/v1/public/appeals/{reference}/proof",
            path={"reference": reference},
            body=body,
        )

    def prove_sources(
        self,
    ) -> Setup:
        """Request known assets from every source."""
        return self._sender.call(
            "POST",
            "/v1/setup/prove",
        )

    def remove_thresholds(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
    ) -> None:
        """Remove the thresholds on an asset; its alerts stay.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        """
        return self._sender.call(
            "DELETE",
            "/v1/{chain}/thresholds/{asset}",
            path={"chain": chain, "asset": asset},
        )

    def remove_webhook(
        self,
        id: str,
    ) -> None:
        """Remove a webhook with its deliveries.
        id: Id of a webhook.
        """
        return self._sender.call(
            "DELETE",
            "/v1/webhooks/{id}",
            path={"id": id},
        )

    def replay_delivery(
        self,
        id: str,
        delivery: str,
    ) -> QueuedDelivery:
        """Send one message again, with the id it had.
        id: Id of a webhook.
        delivery: Id of a delivery, the `webhook-id` its receiver sees.
        """
        return self._sender.call(
            "POST",
            "/v1/webhooks/{id}/deliveries/{delivery}/replay",
            path={"id": id, "delivery": delivery},
        )

    def replay_webhook(
        self,
        id: str,
        body: ReplayWebhookBody,
    ) -> ReplayWebhookReply:
        """Send every alert since a time again.
        id: Id of a webhook.
        """
        return self._sender.call(
            "POST",
            "/v1/webhooks/{id}/replay",
            path={"id": id},
            body=body,
        )

    def resolve_dispute(
        self,
        id: str,
        body: ResolveDisputeBody,
    ) -> Dispute:
        """Accept, reject or end a dispute, with a text.
        id: Id of a dispute.
        """
        return self._sender.call(
            "POST",
            "/v1/admin/disputes/{id}/resolve",
            path={"id": id},
            body=body,
        )

    def review_appeal(
        self,
        id: str,
        body: ReviewAppealBody,
    ) -> ReviewedAppeal:
        """The opinion of one reviewer on an appeal.
        id: Id of an appeal.
        """
        return self._sender.call(
            "POST",
            "/v1/admin/appeals/{id}/reviews",
            path={"id": id},
            body=body,
        )

    def revoke_account_key(
        self,
        id: str,
    ) -> None:
        """Revoke a key of the account at once.
        id: Id of a key.
        """
        return self._sender.call(
            "DELETE",
            "/v1/account/keys/{id}",
            path={"id": id},
        )

    def revoke_key(
        self,
        id: str,
    ) -> None:
        """Revoke a key at once.
        id: Id of a key.
        """
        return self._sender.call(
            "DELETE",
            "/v1/admin/keys/{id}",
            path={"id": id},
        )

    def rotate_account_key(
        self,
        id: str,
        body: RotateKeyBody,
    ) -> NewKey:
        """Replace a key of the account; the old one works during the overlap.
        id: Id of a key.
        """
        return self._sender.call(
            "POST",
            "/v1/account/keys/{id}/rotate",
            path={"id": id},
            body=body,
        )

    def rotate_key(
        self,
        id: str,
        body: RotateKeyBody,
    ) -> NewKey:
        """Replace a key; the old one works during the overlap.
        id: Id of a key.
        """
        return self._sender.call(
            "POST",
            "/v1/admin/keys/{id}/rotate",
            path={"id": id},
            body=body,
        )

    def rotate_webhook_secret(
        self,
        id: str,
        body: RotateWebhookSecretBody,
    ) -> NewWebhook:
        """Replace the secret; messages carry both signatures during the overlap.
        id: Id of a webhook.
        """
        return self._sender.call(
            "POST",
            "/v1/webhooks/{id}/rotate",
            path={"id": id},
            body=body,
        )

    def score_project(
        self,
        body: ScoreProjectBody | ScoreAssetRequest,
        *,
        prefer: str | None = None,
        idempotency_key: str | None = None,
    ) -> StandardScore | MinimalScore | FullScore | AcceptedJob:
        """Score a project.
        prefer: `wait=N`: seconds to wait for the result; `respond-async`: return 202 at once (RFC 7240).
        idempotency_key: 1 to 255 printable ASCII characters. A request with a key that was used in the last 24 hours gets the job of the first one.
        """
        return self._sender.call(
            "POST",
            "/v1/score",
            headers={"Prefer": prefer, "Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )

    def set_thresholds(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
        body: SetThresholdsBody,
    ) -> GetThresholdsReply:
        """Set thresholds on figures of an asset’s snapshots.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        """
        return self._sender.call(
            "PUT",
            "/v1/{chain}/thresholds/{asset}",
            path={"chain": chain, "asset": asset},
            body=body,
        )

    def subscribe_to_drift(
        self,
        body: SubscribeToDriftBody,
    ) -> DriftSubscription:
        """Be notified when a source changes what it states."""
        return self._sender.call(
            "PUT",
            "/v1/alerts/source-drift",
            body=body,
        )

    def test_webhook(
        self,
        id: str,
    ) -> QueuedDelivery:
        """Send a test message, also to a webhook that is switched off.
        id: Id of a webhook.
        """
        return self._sender.call(
            "POST",
            "/v1/webhooks/{id}/test",
            path={"id": id},
        )

    def unindex_asset(
        self,
        chain: Literal["solana", "ethereum", "base", "bsc", "arbitrum", "polygon", "optimism", "avalanche", "monad"],
        asset: str,
    ) -> None:
        """Withdraw a request for indexing; snapshots remain.
        chain: Name of a chain, see GET /v1/chains.
        asset: Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).
        """
        return self._sender.call(
            "DELETE",
            "/v1/{chain}/index/{asset}",
            path={"chain": chain, "asset": asset},
        )

    def unmute_webhook(
        self,
        id: str,
        mute: str,
    ) -> None:
        """End a mute.
        id: Id of a webhook.
        mute: Id of a mute.
        """
        return self._sender.call(
            "DELETE",
            "/v1/webhooks/{id}/mutes/{mute}",
            path={"id": id, "mute": mute},
        )

    def unsubscribe_from_drift(
        self,
    ) -> None:
        """Get no alerts of the kind source_drift any more."""
        return self._sender.call(
            "DELETE",
            "/v1/alerts/source-drift",
        )

    def unwatch_asset(
        self,
        asset: str,
    ) -> None:
        """Watch an asset no longer; its alerts stay.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        """
        return self._sender.call(
            "DELETE",
            "/v1/rms/whitelist/{asset}",
            path={"asset": asset},
        )

    def watch_asset(
        self,
        asset: str,
        body: WatchAssetBody,
    ) -> WhitelistEntry:
        """Watch an asset, or change its note and thresholds.
        asset: CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.
        """
        return self._sender.call(
            "PUT",
            "/v1/rms/whitelist/{asset}",
            path={"asset": asset},
            body=body,
        )
