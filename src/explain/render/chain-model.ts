import { requestSeconds } from '../../machinery/meta/deadline.ts';
import type { ChainStep } from '../trace/chain-document.ts';
import type { Tone } from './about-decision.ts';
import { termsText, timeBudget, type TimeBudget, backendHealth, type BackendHealth } from './chain-words.ts';

/** The effect of a failure at this step; empty for a skipped one. */
export function failureSentences(step: ChainStep, all: readonly ChainStep[]): readonly string[] {
  if (step.outcome === 'skipped') return [];
  if (step.outcome === 'refuses')
    return ['It refuses the request as it is configured, whatever its failurePolicy says.'];
  switch (step.type) {
    case 'plugin':
      return ['A refusal by one of them ends the request, mostly with 403. They have no failurePolicy.'];
    case 'policy':
      return policySentences(step);
    case 'webhook':
      return step.assumed ? assumedSentences(step.assumed) : webhookSentences(step, all);
  }
}

/** Follows apiserver pkg/admission/plugin/policy/{validating,mutating}/dispatcher.go. */
const policySentences = ({ phase, failurePolicy }: ChainStep): readonly string[] => [
  ...(phase === 'validating'
    ? ['A validation that is false refuses the request, with 422 unless it has another reason.']
    : []),
  failurePolicy === 'Ignore'
    ? 'A failed expression or a missing parameter skips the policy (failurePolicy Ignore).'
    : 'A failed expression or a missing parameter refuses the request (failurePolicy Fail).',
];

const assumedSentences = (assumed: NonNullable<ChainStep['assumed']>): readonly string[] => [
  {
    allow: 'The webhook is not called: the request continues unchanged, as if it had been allowed.',
    deny: 'The webhook is not called: the request is refused as if it had been denied.',
    ignore: 'The webhook is not called: the request continues as if the call had failed with failurePolicy Ignore.',
  }[assumed],
];

/** Follows apiserver pkg/admission/plugin/webhook/{validating,mutating}/dispatcher.go (rules FAIL-10, FAIL-13). */
function webhookSentences(step: ChainStep, all: readonly ChainStep[]): readonly string[] {
  const { phase, failurePolicy, health } = step;
  const isOpen = failurePolicy === 'Ignore';
  const then = isOpen ? 'continues without it, unchecked' : 'is refused with 500';
  return [
    phase === 'mutating'
      ? 'A denial refuses the request with 403 or its own code, and later webhooks are not called.'
      : 'A denial refuses the request with 403 or its own code. The other webhooks are still called.',
    `When it is unreachable, times out or sends an invalid response, the request ${then} (failurePolicy ${isOpen ? 'Ignore' : 'Fail'}).`,
    ...(health?.outcome === 'unreachable' ? [`It is unreachable now: each request that calls it ${then}.`] : []),
    ...timeSentences(step, all),
  ];
}

function timeSentences(step: ChainStep, all: readonly ChainStep[]): readonly string[] {
  const { timeoutSeconds = 10 } = step;
  const spent = spentBefore(step, all);
  if (spent === 0) return [];
  const remainingSeconds = requestSeconds - spent;
  const whole = 'When all earlier webhooks use their whole timeouts';
  if (remainingSeconds <= 0)
    return [
      `${whole}, ${spent} s, the ${requestSeconds} s of the request are over: it fails with 504, whatever the failurePolicy.`,
    ];
  const at = `${whole}, ${spent} s of the ${requestSeconds} s of the request are over before its call`;
  if (remainingSeconds >= timeoutSeconds) return [`${at}.`];
  return [
    `${at}: it gets ${remainingSeconds} s instead of ${timeoutSeconds} s, and then the request fails with 504, whatever the failurePolicy.`,
  ];
}

/** In seconds: mutating webhooks run in sequence, validating ones after all of them. */
function spentBefore(step: ChainStep, all: readonly ChainStep[]): number {
  const { mutating, secondRound } = timeBudget(step.phase === 'mutating' ? all.slice(0, all.indexOf(step)) : all);
  return step.phase === 'mutating' ? mutating : mutating + secondRound;
}

/** The chain as `kadmit chain` and the page print it. */
export interface ChainModel {
  /** In the order of the request. */
  readonly sections: readonly ChainSection[];
  readonly budget: TimeBudget;
}

export interface ChainSection {
  readonly name: 'mutating' | 'again' | 'validation' | 'validating' | 'store';
  readonly title: string;
  readonly participants: readonly ChainParticipant[];
}

/** A webhook, a policy, or several plugins in a row. */
export interface ChainParticipant {
  readonly key: string;
  readonly type: 'plugins' | 'webhook' | 'policy' | 'server';
  /** `webhook a.example.com (checks)`; of plugins their names. */
  readonly title: string;
  readonly name: string;
  /** Of a webhook its configuration, of a policy its binding; otherwise empty. */
  readonly within: string;
  readonly word: string;
  readonly tone: Tone;
  /** Why it is skipped, or what the call depends on. */
  readonly because: readonly string[];
  /** The timeout and the effect of a failure; empty for a skipped one. */
  readonly terms: string;
  readonly health: BackendHealth | undefined;
  /** The effects of a failure here, in sentences. */
  readonly failures: readonly string[];
}

const outcomeWords: Readonly<Record<ChainStep['outcome'], readonly [word: string, tone: Tone]>> = {
  called: ['called', 'good'],
  depends: ['depends', 'warn'],
  skipped: ['skipped', 'quiet'],
  refuses: ['REFUSES', 'bad'],
};

/** `steps`: the response of `POST /kadmit/v1/chain` for this verb. `now` in milliseconds since 1970. */
export function chainModel(steps: readonly ChainStep[], verb: string, now: number): ChainModel {
  const of = (phase: ChainStep['phase']) => splitRuns(steps.filter((step) => step.phase === phase));
  const participantsOf = (runs: readonly (readonly ChainStep[])[]) =>
    runs.flatMap((run) => participantsOfRun(run, steps, now));
  const reinvokedSteps = steps.filter(isReinvoked);
  return {
    budget: timeBudget(steps),
    sections: [
      { name: 'mutating', title: 'Mutating, in order', participants: participantsOf(of('mutating')) },
      ...(reinvokedSteps.length === 0 ? [] : [secondRound(reinvokedSteps)]),
      ...(verb === 'delete' || verb === 'connect' ? [] : [validation]),
      { name: 'validating', title: 'Validating, webhooks in parallel', participants: participantsOf(of('validating')) },
      ...(verb === 'connect' ? [] : [store(verb)]),
    ],
  };
}

/** Splits into runs of plugins and runs of others. */
function splitRuns(steps: readonly ChainStep[]): readonly (readonly ChainStep[])[] {
  const runs: ChainStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last && (last[0]?.type === 'plugin') === (step.type === 'plugin')) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

function participantsOfRun(
  run: readonly ChainStep[],
  all: readonly ChainStep[],
  now: number,
): readonly ChainParticipant[] {
  const [first] = run;
  if (first?.type !== 'plugin') return run.map((step) => participantOf(step, all, now));
  const title = run.map(({ name }) => name).join(', ');
  return [
    {
      ...serverParticipant(`${first.phase}/${first.name}`, title, failureSentences(first, all)),
      type: 'plugins',
      word: `${run.length} plugin${run.length === 1 ? '' : 's'}`,
    },
  ];
}

function participantOf(step: ChainStep, all: readonly ChainStep[], now: number): ChainParticipant {
  const { phase, type, name, within, outcome, because, failurePolicy } = step;
  const [word, tone] = outcomeWords[outcome];
  const health = backendHealth(step, now);
  return {
    key: `${phase}/${type}/${within}/${name}`,
    type: type === 'policy' ? 'policy' : 'webhook',
    title: `${type} ${name}${within === '' ? '' : ` (${within})`}`,
    name,
    within,
    word,
    tone: health ? toneWith(health, tone, failurePolicy) : tone,
    because,
    terms: outcome === 'called' || outcome === 'depends' ? termsText(step) : '',
    health,
    failures: failureSentences(step, all),
  };
}

/** An unreachable backend is never good. */
function toneWith(health: BackendHealth, tone: Tone, failurePolicy: string | undefined): Tone {
  if (health.tone === 'quiet') return tone;
  return health.tone === 'bad' && failurePolicy !== 'Ignore' ? 'bad' : 'warn';
}

/** What the API server itself does at this place of the chain. */
export const serverParticipant = (key: string, title: string, failures: readonly string[] = []): ChainParticipant => ({
  key,
  type: 'server',
  title,
  name: title,
  within: '',
  word: 'API server',
  tone: 'quiet',
  because: [],
  terms: '',
  health: undefined,
  failures,
});

const isReinvoked = ({ phase, outcome, reinvocationPolicy, assumed }: ChainStep): boolean =>
  phase === 'mutating' &&
  reinvocationPolicy === 'IfNeeded' &&
  (outcome === 'called' || outcome === 'depends') &&
  assumed === undefined;

/** Follows apiserver pkg/admission/plugin/webhook/mutating/reinvocationcontext.go. */
const secondRound = (again: readonly ChainStep[]): ChainSection => ({
  name: 'again',
  title: 'Reinvocation, if a webhook or policy changed the object',
  participants: [
    serverParticipant('again', `every plugin, and ${again.map(({ name }) => name).join(', ')}`, [
      'A second round runs only if the object changed after a webhook or policy with reinvocationPolicy IfNeeded. There is no third.',
      'A webhook with Never is not called again and does not see later changes.',
      'A failure counts as in the first round.',
    ]),
  ],
});

const validation: ChainSection = {
  name: 'validation',
  title: 'The API server itself',
  participants: [
    serverParticipant('validation', 'defaults, pruning and validation', [
      'An invalid object is refused with 422. kadmit explain shows which webhook wrote the field.',
    ]),
  ],
};

const store = (verb: string): ChainSection => ({
  name: 'store',
  title: 'Stored',
  participants: [
    serverParticipant(
      'store',
      verb === 'delete' ? 'removed, or marked as being deleted' : 'written',
      verb === 'create'
        ? ['An existing object of this name refuses the request with 409.']
        : [
            'After a concurrent write, an update with a resourceVersion is refused with 409; any other runs the chain again with the newer object, and its webhooks are called again.',
          ],
    ),
  ],
});
