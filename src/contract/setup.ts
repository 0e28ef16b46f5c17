import Type from 'typebox';
import { count, DataMode, enumerated, list, nullableNumber, nullableText, nullableTime, time } from './vocabulary.ts';

/** State of a source in the latest check by this process. */
const SETUP_STATES = ['answers', 'fails', 'waiting', 'not_asked', 'off'] as const;

const SetupSource = Type.Object(
  {
    source: Type.String({ description: 'Name of the source.' }),
    title: Type.String({ description: 'Display name.' }),
    state: enumerated(SETUP_STATES, {
      description:
        '`answers`: at least one reply came. `fails`: requests were sent and none succeeded. `waiting`: the proof is under way and has no reply of it yet. `not_asked`: it was not requested, or nothing about these assets leads to it. `off`: it is turned off, or needs a key.',
    }),
    detail: nullableText('Why it fails or is off, or its newest failure while it is waited for; null otherwise.'),
    is_local: Type.Boolean({ description: 'It was read from files of this installation, without any network.' }),
    latency_ms: nullableNumber('Median of its replies in the proof, milliseconds; null without any.'),
    replies: count('Replies in the proof.'),
    failures: count('Requests in the proof that got none.'),
    endpoints: Type.Object(
      {
        right: count('Nothing contradicts them.'),
        suspect: count('Other sources contradict them, or they are old.'),
        failed: count('No reply, a reply of another shape, or a known fact misstated.'),
        unproven: count('Not requested, or they have none of the assets.'),
      },
      { description: 'Its endpoints by verdict; all 0 until the proof has ended.' },
    ),
    findings: list('What is wrong, at most three; empty until the proof has ended.'),
    gives: list('What it is used for.'),
    per_minute: Type.Number({ description: 'Requests a minute that it is sent at most.' }),
  },
  { title: 'SetupSource', description: 'A public source as this installation reaches it.' },
);

const SetupKey = Type.Object(
  {
    source: Type.String({ description: 'Name of the source.' }),
    title: Type.String({ description: 'Display name.' }),
    setting: Type.String({ description: 'Environment variable that holds the key.' }),
    is_set: Type.Boolean({ description: 'One is set. Its value is never shown.' }),
    required: Type.Boolean({ description: 'Without it the source is off.' }),
    adds: Type.String({ description: 'What it adds.' }),
    from: Type.String({ description: 'Page of the provider where it is had.' }),
  },
  { title: 'SetupKey', description: 'A key that an operator may set.' },
);

const SetupCapacity = Type.Object(
  {
    source: Type.String({ description: 'Name of the source.' }),
    requests_per_asset: count('Requests of one asset, the most among those of the proof.'),
    per_minute: Type.Number({ description: 'Requests a minute that it is sent at most.' }),
    assets_per_hour: count('Assets an hour that its budget allows.'),
    assets_per_hour_with_key: nullableNumber(
      'The same with a free key; null where one is set, or where the free plan states no other number.',
    ),
  },
  { title: 'SetupCapacity', description: 'How many assets an hour a source allows.' },
);

export const SetupView = Type.Object(
  {
    data_mode: DataMode,
    version: Type.String({ description: 'Version of the running service.' }),
    as_of: time('When this was read.'),
    proof: Type.Object(
      {
        state: enumerated(['none', 'running', 'finished'], {
          description: '`none`: none since this process started; POST /v1/setup/prove starts one.',
        }),
        started_at: nullableTime('When it began; null without one.'),
        finished_at: nullableTime('When it ended; null until then.'),
        seconds_at_most: count('It ends after so many seconds, also when sources have not replied.'),
        assets: list('Names of the assets in the requests to the sources.'),
        sources_on: count('Sources that are on.'),
        sources_answering: count('Of them, those that replied.'),
        sources_failing: count('Of them, those that got requests and did not reply.'),
      },
      { description: 'The newest proof: every endpoint of every source that is on, requested for known assets.' },
    ),
    internet: enumerated(['reachable', 'unreachable', 'unknown'], {
      description:
        '`unreachable`: no source beyond this installation replied in a proof that has ended. `unknown`: there was no proof yet.',
    }),
    sources: Type.Array(SetupSource, { description: 'Every source that this version knows, in a fixed order.' }),
    keys: Type.Array(SetupKey, { description: 'Keys that sources take. None is needed.' }),
    keys_take_effect: Type.Literal('at_start', {
      description: 'Keys are environment variables and are read at the start of the service: none is stored by it.',
    }),
    assets_per_hour: nullableNumber(
      'Assets an hour that all budgets allow; null before a proof in which sources replied.',
    ),
    limited_by: nullableText('The source that sets this limit; null without one.'),
    capacity: Type.Array(SetupCapacity, { description: 'By source, the scarcest first; empty before a proof.' }),
    suggested: Type.Array(
      Type.Object({
        project: Type.String({ description: 'Name to send as `project`.' }),
        project_url: Type.String({ description: 'Address to send as `project_url`.' }),
        token_symbol: nullableText('Symbol; null without one.'),
      }),
      { description: 'Assets to rate first: POST /v1/score takes each as it stands, with `type` `posttge`.' },
    ),
  },
  { title: 'Setup', description: 'What works here, what would add something, and what to do first.' },
);
