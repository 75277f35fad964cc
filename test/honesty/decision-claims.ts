import type { DecisionModel } from '../../src/explain/render/decision-model.ts';
import type { TraceModel } from '../../src/explain/render/model.ts';
import { asString } from '../../src/machinery/json/json.ts';
import { type Claim, contradictionIn, didProblem, skipProblem, unless } from './claims.ts';
import { policyClaims, webhookSentences } from './headline-claims.ts';
import { callsOf, type WebhookCall, type Truth } from './truth.ts';

/** Each call has a decision, in order, and each decision describes its call. */
export function decisionProblems({ passes }: TraceModel, truth: Truth): readonly string[] {
  const decisions = passes.flatMap((pass) => pass.decisions);
  const names = new Set(truth.chain.webhooks.map(({ name }) => name));
  return [
    ...[...names].flatMap((name) =>
      webhookProblems(
        decisions.filter((one) => one.type === 'webhook' && one.name === name),
        name,
        truth,
      ),
    ),
    ...decisions.flatMap((one) =>
      one.type === 'policy' ? sentenceProblem(one, policySentences(one.name), truth) : [],
    ),
    ...passes.flatMap(({ reinvocation }) =>
      reinvocation === undefined ? [] : reinvocationProblem(reinvocation, truth),
    ),
  ];
}

/** The headline counts the called webhooks or names the one that denied; each row counts its calls. */
export function summaryProblems({ headline: { text }, table }: TraceModel, truth: Truth): readonly string[] {
  const [, called] = /^(\d+) of \d+ webhooks? called/.exec(text) ?? [];
  const [, denier] = /^denied by (?!policy |plugin )(\S+)$/.exec(text) ?? [];
  const isCounted = called === undefined || Number(called) === new Set(truth.done.map(({ webhook }) => webhook)).size;
  const isDenier = denier === undefined || callsOf(truth, denier).some(({ outcome }) => outcome === 'denied');
  const wrong = table.filter(({ decision, result, changed }) => {
    if (decision.type !== 'webhook') return false;
    const calls = callsOf(truth, decision.name);
    const didChange = changed !== '' && !changed.startsWith('changed nothing') && decision.outcome === 'called';
    return (
      (calls.length === 0) !== (result === 'skipped' || result === 'refused') ||
      (didChange && !calls.some(({ hasPatch }) => hasPatch))
    );
  });
  return [
    ...(isCounted && isDenier ? [] : [`${text}: it is not so`]),
    ...wrong.map(({ name, result, changed }) => `${name} ${result} ${changed}: it is not so`),
  ];
}

function webhookProblems(decisions: readonly DecisionModel[], name: string, truth: Truth): readonly string[] {
  const calls = callsOf(truth, name);
  const called = decisions.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'refused');
  if (called.length !== calls.length) return [`${name}: ${called.length} calls are reported, ${calls.length} happened`];
  return [
    ...called.flatMap((one, at) => callProblem(one, calls[at], name, truth)),
    ...decisions.flatMap((one) => (one.outcome === 'skipped' ? sentenceProblem(one, skips(name), truth) : [])),
  ];
}

function callProblem(
  decision: DecisionModel,
  call: WebhookCall | undefined,
  name: string,
  truth: Truth,
): readonly string[] {
  if (call === undefined) return [];
  if (decision.round !== call.round) return [`${name}: the call was in round ${call.round}`];
  const outcomes = { allowed: ['called'], denied: ['denied'], failed: ['failed-open', 'failed-closed'] }[call.outcome];
  if (!outcomes.includes(decision.outcome)) return [`${name}: ${decision.outcome}, and it was ${call.outcome}`];
  return sentenceProblem(decision, callSentences(name, call), truth);
}

function sentenceProblem({ name, sentence }: DecisionModel, claims: readonly Claim[], truth: Truth): readonly string[] {
  const problem = contradictionIn(sentence, claims, truth);
  return problem === undefined ? [] : [`${name}: ${sentence}: ${problem}`];
}

const callSentences = (name: string, call: WebhookCall): readonly Claim[] => [
  [/^allowed in [\d.]+ ms$/, () => undefined],
  [/^allowed in [\d.]+ ms, (?<did>[^]*)$/, ({ did = '' }) => didProblem(did, call)],
  [
    /^denied in [\d.]+ ms(?:: (?<message>[^]*)| without explanation)$/,
    ({ message }) => unless(message === call.message, 'it said something else'),
  ],
  ...webhookSentences(name).filter(([form]) => form.source.startsWith('^failed')),
];

const skips = (name: string): readonly Claim[] => [
  [/^(?<why>[^]*)$/, ({ why = '' }, truth) => skipProblem(why, name, truth)],
];

const policySentences = (name: string): readonly Claim[] => [
  ...policyClaims(name),
  [/^denied/, () => undefined],
  [/^(?<why>[^]*)$/, ({ why = '' }, truth) => skipProblem(why, name, truth)],
];

function reinvocationProblem(sentence: string, truth: Truth): readonly string[] {
  const seconds = truth.done.filter(({ round }) => round === 1);
  const [, names = ''] = /^reinvocation triggered by ([^;]*?)(?:, whose patch .*)?(?:;|$)/.exec(sentence) ?? [];
  const changers = names.split(', ').filter((name) => truth.chain.webhooks.some((one) => one.name === name));
  const idle = changers.filter((name) => !callsOf(truth, name).some(({ hasPatch }) => hasPatch));
  return [
    ...(sentence.includes('no reinvocation') && seconds.length > 0 ? [`${sentence}: some were called twice`] : []),
    ...(sentence.includes('; no') && seconds.length > 0
      ? [`${sentence}: ${asString(seconds[0]?.webhook ?? '')} was`]
      : []),
    ...idle.map((name) => `${sentence}: ${name} sent no patch`),
  ];
}
