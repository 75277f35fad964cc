import type { ChainStep } from '../trace/chain-document.ts';
import { requestSeconds } from '../../machinery/meta/deadline.ts';
import { timeBudget } from './time-budget.ts';

/** What becomes of the request when something goes wrong at this step. Nothing for who is not asked. */
export function failureSentences(step: ChainStep, all: readonly ChainStep[]): readonly string[] {
  if (step.outcome === 'skipped') return [];
  if (step.outcome === 'refuses')
    return ['It refuses the request as it is configured, whatever its failurePolicy says.'];
  switch (step.type) {
    case 'plugin':
      return ['What one of them refuses ends here, mostly with 403. They have no failurePolicy.'];
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
    ? 'An expression that fails, or a parameter that is missing, lets the request go on without it (failurePolicy Ignore).'
    : 'An expression that fails, or a parameter that is missing, refuses the request (failurePolicy Fail).',
];

const assumedSentences = (assumed: NonNullable<ChainStep['assumed']>): readonly string[] => [
  {
    allow: 'Nobody is called, so nothing can fail: the request goes on as if it had been allowed, unchanged.',
    deny: 'Nobody is called: the request is refused as if it had been denied.',
    ignore: 'Nobody is called: the request goes on as if the call had failed with failurePolicy Ignore.',
  }[assumed],
];

/** Follows apiserver pkg/admission/plugin/webhook/{validating,mutating}/dispatcher.go (rules FAIL-10, FAIL-13). */
function webhookSentences(step: ChainStep, all: readonly ChainStep[]): readonly string[] {
  const { phase, failurePolicy, health } = step;
  const isOpen = failurePolicy === 'Ignore';
  const then = isOpen ? 'goes on without it, unchecked' : 'is refused with 500';
  return [
    phase === 'mutating'
      ? 'When it denies, the request is refused with 403 or the code it gives, and nobody after it is asked.'
      : 'When it denies, the request is refused with 403 or the code it gives. The others are asked all the same.',
    `When it cannot be reached, takes longer than its time, or answers what cannot be read, the request ${then} (failurePolicy ${isOpen ? 'Ignore' : 'Fail'}).`,
    ...(health?.outcome === 'unreachable' ? [`As things stand, each request that asks it ${then}.`] : []),
    ...timeSentences(step, all),
  ];
}

function timeSentences(step: ChainStep, all: readonly ChainStep[]): readonly string[] {
  const { timeoutSeconds = 10 } = step;
  const spent = spentBefore(step, all);
  if (spent === 0) return [];
  const left = requestSeconds - spent;
  const whole = 'When all that are called before it take their whole time';
  if (left <= 0)
    return [
      `${whole}, ${spent} s, the ${requestSeconds} s of the request are over: it fails with 504, whatever failurePolicy says.`,
    ];
  const at = `${whole}, ${spent} s of the ${requestSeconds} s of the request are over at its turn`;
  if (left >= timeoutSeconds) return [`${at}.`];
  return [
    `${at}: it gets ${left} s instead of ${timeoutSeconds} s, and then the request fails with 504, whatever failurePolicy says.`,
  ];
}

/** In seconds: mutating webhooks wait for those before them, validating ones for all mutating ones. */
function spentBefore(step: ChainStep, all: readonly ChainStep[]): number {
  const { mutating, secondRound } = timeBudget(step.phase === 'mutating' ? all.slice(0, all.indexOf(step)) : all);
  return step.phase === 'mutating' ? mutating : mutating + secondRound;
}
