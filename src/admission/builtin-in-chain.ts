import type { Clock } from '../apimachinery/clock.ts';
import type { Result } from '../apimachinery/result.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { ChainPlugin } from './chain-plugin.ts';
import type { AdmissionPhase, AdmissionResult, AuditAnnotation, PluginRecord } from './outcome.ts';
import type { CompiledInPlugin, Decide, PluginAnswer, PluginPorts } from './plugin.ts';

/** A compiled-in plugin as the chain runs it. */
export function builtinInChain(plugin: CompiledInPlugin, ports: PluginPorts, clock: Clock): ChainPlugin {
  const { name, operations, mutate, validate } = plugin;
  const run = (
    decide: Decide,
    request: AdmissionAttributes,
    place: Place,
  ): AdmissionResult | Promise<AdmissionResult> => {
    const startedAt = clock.now();
    const conclude = (answer: Result<PluginAnswer>): AdmissionResult =>
      resultOf(answer, request, { ...place, plugin: name, startedAt, finishedAt: clock.now() });
    const answer = decide(request, ports);
    return answer instanceof Promise ? answer.then(conclude) : conclude(answer);
  };
  return {
    name,
    operations,
    asksOthers: false,
    ...(mutate && {
      openMutation: () => (request, _limits, round) => run(mutate, request, { phase: 'mutating', round }),
    }),
    ...(validate && { validate: (request) => run(validate, request, { phase: 'validating', round: 0 }) }),
  };
}

interface Place {
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
}

function resultOf(
  answer: Result<PluginAnswer>,
  request: AdmissionAttributes,
  place: Pick<PluginRecord, 'phase' | 'round' | 'plugin' | 'startedAt' | 'finishedAt'>,
): AdmissionResult {
  const said = answer.ok ? answer.value : undefined;
  const object = said ? said.object : request.object;
  const warnings = said?.warnings ?? noWarnings;
  const outcome = outcomeOf(answer, object !== request.object);
  const { phase, round, plugin, startedAt, finishedAt } = place;
  return {
    verdict:
      outcome.outcome === 'denied' ? { outcome: 'refused', status: outcome.status } : { outcome: 'admitted', object },
    records: [{ type: 'plugin', plugin, phase, round, outcome, object, warnings, startedAt, finishedAt }],
    warnings,
    annotations: said?.annotations ? auditAnnotations(said.annotations) : noAnnotations,
    ...(said?.counts && { counts: said.counts }),
  };
}

const auditAnnotations = (annotations: Readonly<Record<string, string>>): readonly AuditAnnotation[] =>
  Object.entries(annotations).map(([key, value]) => ({ key, value, level: 'Metadata' }));

const noWarnings: readonly string[] = Object.freeze([]);
const noAnnotations: readonly AuditAnnotation[] = Object.freeze([]);
const unchanged: PluginRecord['outcome'] = Object.freeze({ outcome: 'passed', changed: false });

function outcomeOf(answer: Result<PluginAnswer>, changed: boolean): PluginRecord['outcome'] {
  if (!answer.ok) return { outcome: 'denied', status: answer.status };
  if (answer.value.refusal) return { outcome: 'denied', status: answer.value.refusal };
  return changed ? { outcome: 'passed', changed } : unchanged;
}
