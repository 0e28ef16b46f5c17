import { type Asset, NO_WEBSITE, type ScoreRequest } from '../domain/index.ts';
import type { IdentityResult } from '../identity/index.ts';
import type { JobFailure } from './types.ts';

type IdentityFailure = Extract<IdentityResult, { ok: false }>;

/** The problems of the contract that a scoring job can end with. */
export const failureOf = {
  /** Failures of identification: 409, 422 or 503. */
  identity(found: IdentityFailure, request: ScoreRequest): JobFailure {
    if (found.kind === 'unreachable' && found.off.length > 0) return failureOf.sourcesOff(found.off, found.tried);
    if (found.kind === 'unreachable')
      return found.isPartly ? failureOf.fewAnswered(found.tried) : failureOf.nobodyAnswered(found.tried);
    if (found.kind === 'busy') return failureOf.sourcesBusy(found.sources, found.retryAfterSeconds, found.tried);
    if (found.kind === 'ambiguous')
      return {
        ...plain(
          'ambiguous_project',
          409,
          'Several tokens fit this project',
          request.projectUrl === NO_WEBSITE
            ? `${found.candidates.length} assets may be meant; send the id of one of the candidates as asset.`
            : found.candidates.length === 1
              ? 'One token ties to the project and its url, but under another symbol, and a source that may know the given one did not answer; send token_address (and blockchain) of the one you mean, or its id as asset.'
              : `${found.candidates.length} tokens tie equally to the project and its url; send token_address (and blockchain) of the one you mean, or its id as asset.`,
          'corrected',
        ),
        candidates: found.candidates,
      };
    const failure = plain(
      'project_not_identified',
      422,
      'The project could not be identified',
      request.projectUrl === NO_WEBSITE
        ? `No source that answered knows an asset by this address, ticker or name${request.blockchain === null ? '' : ` on ${request.blockchain}; without the chain it may be found on another`}. Check it${found.alike.length > 0 ? ' (the candidates have a similar name; none is assumed)' : ''}, or send the project’s website, or chain:address.`
        : `Nothing public ties a project of this name to ${hostOf(request.projectUrl)}. Check the url, or send token_address and blockchain${isTokenMeant(request) ? '; for a project that has no token yet, send type pretge' : ''}.`,
      'corrected',
      found.tried,
    );
    return { ...failure, candidates: found.alike };
  },
  nobodyAnswered(tried: readonly string[] = []): JobFailure {
    return plain(
      'no_source_reachable',
      503,
      'No source could be reached',
      'Every source failed, so there is nothing to rate on. Nothing was made up; try again later.',
      'after',
      tried,
    );
  },
  /** Waiting does not help: the operator has switched off every source that could be requested. */
  sourcesOff(sources: readonly string[], tried: readonly string[]): JobFailure {
    const settings = sources.map((source) => `ASSAY_SOURCE_${source.toUpperCase()}_ENABLED`);
    return plain(
      'no_source_reachable',
      503,
      'Every source is turned off',
      `This service may ask none of the sources that know projects, so there is nothing to rate on. Its operator sets one or more of ${settings.join(', ')} to true (those that need a key also want ASSAY_SOURCE_..._KEY) and starts it again; \`assay config\` shows what is set, GET /v1/status why each source is off.`,
      'corrected',
      tried,
    );
  },
  /** The asset may exist: most of the sources that could have it did not reply in time. */
  fewAnswered(tried: readonly string[]): JobFailure {
    const failure = plain(
      'no_source_reachable',
      503,
      'Too few sources could be reached',
      'More than half of the requests that could identify the project got no answer in time, so that it was not found says nothing about it; send the request again in half a minute.',
      'after',
      tried,
    );
    return { ...failure, retryAfterSeconds: CIRCUIT_SECONDS };
  },
  /** Identification is not possible now, because request budgets are spent. `seconds`: until they are available. */
  sourcesBusy(sources: readonly string[], seconds: number | null, tried: readonly string[]): JobFailure {
    const failure = plain(
      'sources_busy',
      503,
      'Sources are busy',
      `The request budget of ${sources.join(', ')} is spent for now, and the project cannot be identified without asking. That says nothing about the project; send the request again later, or with a longer deadline.`,
      'after',
      tried,
    );
    return { ...failure, retryAfterSeconds: Math.min(MOST_RETRY_SECONDS, Math.max(1, Math.ceil(seconds ?? 30))) };
  },
  /** A collection that found another asset than its own: the known data of the asset lead to another one. */
  otherAsset(assetId: string, found: Asset): JobFailure {
    return {
      ...plain(
        'project_not_identified',
        422,
        'The asset could not be identified anew',
        `What registries and chain say of ${assetId} leads to ${found.id} now; it was not rated.`,
        'corrected',
      ),
      candidates: [{ asset: found, match: 0, why: 'registries and website name it now' }],
    };
  },
  /** A score that needs a collection, for an asset without a rating, of an account whose quota of the day is spent. */
  noCollections(limit: number, retryAfterSeconds: number): JobFailure {
    return {
      ...plain(
        'quota_exhausted',
        429,
        'The quota of collections is used up',
        `The account may start ${limit} collections a day (UTC), and this asset has no published rating yet; the quota resets in ${retryAfterSeconds} s. Scores of assets rated within the fresh interval cost none.`,
        'after',
      ),
      retryAfterSeconds,
    };
  },
  interrupted(): JobFailure {
    return plain(
      'interrupted',
      503,
      'The job was interrupted',
      'The process that ran the job ended twice before it had a result. Nothing was made up; send the request again.',
      'same',
    );
  },
  internal(): JobFailure {
    return plain(
      'internal_error',
      500,
      'Internal error',
      'The failure was logged under the job id; the same request may be sent again.',
      'same',
    );
  },
  cancelled(): JobFailure {
    return plain('cancelled', 409, 'The job was cancelled', 'The job was cancelled before it had a result.', 'same');
  },
};

const MOST_RETRY_SECONDS = 3_600;
/** Seconds after which a failed host gets requests again. */
const CIRCUIT_SECONDS = 30;

function plain(
  code: JobFailure['code'],
  status: number,
  title: string,
  detail: string,
  retry: JobFailure['retry'],
  tried: readonly string[] = [],
): JobFailure {
  return { code, status, title, detail, retry, candidates: [], tried };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? 'the url';
}

function isTokenMeant(request: ScoreRequest): boolean {
  return request.type.toLowerCase() === 'posttge' && request.tokenAddress === null;
}
