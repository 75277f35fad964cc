import { type ChainParticipant, type ChainSection, serverParticipant } from '../explain/render/chain-model.ts';
import type { CalleeModel } from '../explain/render/callee-headline.ts';
import type { DecisionModel, PluginModel } from '../explain/render/decision-model.ts';
import type { PassModel, TraceModel } from '../explain/render/model.ts';
import type { Trace } from '../explain/trace/trace.ts';
import { plural } from './words.ts';

/** The chain as this request went through it: what each participant did, up to the one that refused. */
export function createTracedChain(trace: Trace, model: TraceModel): readonly ChainSection[] {
  const sections = model.passes.map(createPassSection);
  const at = model.passes.findIndex(({ phase }) => phase === 'validating');
  const before = at === -1 ? sections.length : at;
  return [
    ...sections.slice(0, before),
    ...createServerSections(trace),
    ...sections.slice(before),
    ...createStorageSections(trace),
  ];
}

const createPassSection = (pass: PassModel): ChainSection => ({
  name: pass.phase === 'validating' ? 'validating' : pass.round === 1 ? 'again' : 'mutating',
  title: pass.title,
  participants: splitRuns(pass.decisions).flatMap(toParticipants),
});

/** Splits into runs of plugins and single others. */
function splitRuns(decisions: readonly DecisionModel[]): readonly (readonly DecisionModel[])[] {
  const runs: DecisionModel[][] = [];
  for (const decision of decisions) {
    const last = runs.at(-1);
    if (decision.type === 'plugin' && last?.[0]?.type === 'plugin') last.push(decision);
    else runs.push([decision]);
  }
  return runs;
}

function toParticipants(run: readonly DecisionModel[]): readonly ChainParticipant[] {
  const plugins = run.filter((one) => one.type === 'plugin');
  return plugins.length > 0
    ? [createPluginParticipant(plugins)]
    : run.flatMap((one) => (one.type === 'plugin' ? [] : [createCalleeParticipant(one)]));
}

function createPluginParticipant(plugins: readonly PluginModel[]): ChainParticipant {
  const busy = plugins.filter(({ outcome }) => outcome !== 'passed');
  const names = plugins.map(({ name }) => name).join(', ');
  return {
    ...serverParticipant(plugins[0]?.key ?? '', names),
    type: 'plugins',
    word: plural(plugins.length, 'plugin'),
    tone: plugins.some(({ outcome }) => outcome === 'denied') ? 'bad' : 'quiet',
    because: busy.map(({ name, sentence }) => `${name}: ${sentence}`),
  };
}

const outcomeTexts: Readonly<Record<CalleeModel['outcome'], string>> = {
  called: 'called',
  evaluated: 'evaluated',
  skipped: 'skipped',
  denied: 'denied',
  'failed-open': 'failed open',
  'failed-closed': 'failed closed',
  refused: 'refused',
};

function createCalleeParticipant(decision: CalleeModel): ChainParticipant {
  const { key, type, name, outcome, tone, sentence, hints, warnings } = decision;
  const within = decision.type === 'webhook' ? decision.configuration : decision.binding;
  return {
    ...serverParticipant(key, `${type} ${name}${within === '' ? '' : ` (${within})`}`),
    type,
    name,
    within,
    word: outcomeTexts[outcome],
    tone: outcome === 'skipped' ? 'quiet' : tone,
    because: [sentence, ...warnings.map((warning) => `warning: ${warning}`), ...hints],
  };
}

/** What the API server does between the phases; it is shown when it refuses, or when something follows. */
function createServerSections({ stages, verdict }: Trace): readonly ChainSection[] {
  const own = stages.find(({ name }) => name === 'prepare-for-storage');
  if (own === undefined) return [];
  const isRefusing = verdict === 'refused' && !own.passed;
  return [
    {
      name: 'validation',
      title: 'The API server itself',
      participants: [
        {
          ...serverParticipant('validation', 'defaults, pruning and validation'),
          tone: isRefusing ? 'bad' : 'quiet',
          because: isRefusing ? ['refused the object'] : [],
        },
      ],
    },
  ];
}

function createStorageSections({ verdict, request: { dryRun, verb } }: Trace): readonly ChainSection[] {
  if (verdict === 'refused') return [];
  const done = verb === 'delete' ? 'removed, or marked as being deleted' : 'written';
  return [
    {
      name: 'store',
      title: 'Stored',
      participants: [serverParticipant('store', dryRun ? 'nothing: this was a dry run' : done)],
    },
  ];
}
