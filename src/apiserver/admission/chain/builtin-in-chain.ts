import type { Clock } from '../../../machinery/clock.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { ChainPlugin, RunMutation } from './chain-plugin.ts';
import type { AdmissionResult, AuditAnnotation, PluginRecord } from './outcome.ts';
import type { CompiledInPlugin, Decide, DecideNow, PluginAnswer, PluginPorts } from './plugin.ts';

/** Prints the result of a compiled-in plugin in Go's field order. */
export function builtinInChain(plugin: CompiledInPlugin, ports: PluginPorts, clock: Clock): ChainPlugin {
  const { name, operations, mutate, validate } = plugin;
  const { codec } = ports;
  const run = async (decide: Decide | DecideNow, request: AdmissionAttributes, turn: Turn): Promise<AdmissionResult> =>
    resultOf(await decide(request, ports), request, turn);
  const runMutation: RunMutation | undefined =
    mutate &&
    ((request, _limits, round) =>
      run(mutate, request, { phase: 'mutating', round, plugin: name, startedAt: clock.now(), clock, codec }));
  const runValidation: ChainPlugin['validate'] =
    validate &&
    ((request) =>
      run(validate, request, {
        phase: 'validating',
        round: 0,
        plugin: name,
        startedAt: clock.now(),
        clock,
        codec,
      }));
  return {
    name,
    operations,
    callsOut: false,
    ...(runMutation && { mutate: runMutation, mutatesOnly: mutate?.only }),
    ...(runValidation && { validate: runValidation, validatesOnly: validate?.only }),
  };
}

interface Turn extends Pick<PluginRecord, 'phase' | 'round' | 'plugin' | 'startedAt'> {
  readonly clock: Clock;
  readonly codec: PluginPorts['codec'];
}

/** Sets the fields in the order in which Go prints them. */
function resultOf(answer: Result<PluginAnswer>, request: AdmissionAttributes, turn: Turn): AdmissionResult {
  const said = answer.ok ? answer.value.object : request.object;
  if (said === request.object || said === null) return resultWith(said, answer, request, turn);
  const printed = turn.codec.inFieldOrder(said, request.object ?? undefined);
  return resultWith(printed, answer, request, turn);
}

function resultWith(
  object: KubernetesObject | null,
  answer: Result<PluginAnswer>,
  request: AdmissionAttributes,
  turn: Turn,
): AdmissionResult {
  const said = answer.ok ? answer.value : undefined;
  const warnings = said?.warnings ?? noWarnings;
  const outcome = outcomeOf(answer, object !== request.object);
  const { phase, round, plugin, startedAt, clock } = turn;
  const verdict: AdmissionResult['verdict'] =
    outcome.outcome === 'denied' ? { outcome: 'refused', status: outcome.status } : { outcome: 'admitted', object };
  const finishedAt = clock.now();
  const records: AdmissionResult['records'] = [
    { type: 'plugin', plugin, phase, round, outcome, object, warnings, startedAt, finishedAt },
  ];
  const annotations = said?.annotations ? auditAnnotations(said.annotations) : noAnnotations;
  const counts = said?.counts;
  return counts ? { verdict, records, warnings, annotations, counts } : { verdict, records, warnings, annotations };
}

const auditAnnotations = (annotations: Readonly<Record<string, string>>): readonly AuditAnnotation[] =>
  Object.entries(annotations).map(([key, value]) => ({ key, value, level: 'Metadata' }));

const noWarnings: readonly string[] = Object.freeze([]);
const noAnnotations: readonly AuditAnnotation[] = Object.freeze([]);
export const unchanged: PluginRecord['outcome'] = Object.freeze({ outcome: 'passed', changed: false });

function outcomeOf(answer: Result<PluginAnswer>, changed: boolean): PluginRecord['outcome'] {
  if (!answer.ok) return { outcome: 'denied', status: answer.status };
  const { refusal, refusedBy } = answer.value;
  if (refusal) return { outcome: 'denied', status: refusal, ...(refusedBy ? { by: refusedBy } : {}) };
  return changed ? { outcome: 'passed', changed } : unchanged;
}
