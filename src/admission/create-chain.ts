import type { Clock } from '../apimachinery/clock.ts';
import type { Result } from '../apimachinery/result.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import type { CallingPlugin, RunMutation } from './calling-plugin.ts';
import type { AdmissionChain, CallLimits } from './chain.ts';
import type { AdmissionPhase, AdmissionResult, AuditAnnotation, CallingTime, PluginRecord } from './outcome.ts';
import { createPassLog } from './pass-log.ts';
import type { PassLog } from './pass-log.ts';
import type { BuiltinPlugin, PluginAnswer, PluginCount, PluginPorts } from './plugin.ts';
import { firstOfEachKey } from './webhooks/audit-annotations.ts';

export type ChainPlugin = BuiltinPlugin | CallingPlugin;

export interface ChainPorts {
  /** In the order in which kube-apiserver runs them (rule PLG-1). */
  readonly plugins: readonly ChainPlugin[];
  readonly pluginPorts: PluginPorts;
  readonly clock: Clock;
}

/**
 * The admission chain: plugins in their order, the first refusal ends a pass, the mutating pass runs once more if a
 * webhook or policy changed something. Follows apiserver pkg/admission/chain.go and reinvocation.go (rules PLG-2, REI-1).
 */
export function createAdmissionChain({ plugins, pluginPorts, clock }: ChainPorts): AdmissionChain {
  const mutating = byOperation(plugins.filter((plugin) => ('type' in plugin ? plugin.openMutation : plugin.mutate)));
  const validating = byOperation(plugins.filter((plugin) => plugin.validate));
  const openPass = (phase: AdmissionPhase, limits: CallLimits, log: PassLog): Pass => {
    return { phase, limits, log, ports: pluginPorts, clock, calling: [], counts: [], open: openMutations() };
  };
  return {
    mutate: async (request, limits) => {
      const log = createPassLog();
      const pass = openPass('mutating', limits, log);
      const first = await runPlugins(mutating[request.operation], request, 0, pass);
      if (!first.reinvoke || first.end.outcome === 'refused') return conclude(pass, request, first.end);
      const again = { ...request, object: first.end.object };
      const second = await runPlugins(mutating[request.operation], again, 1, pass);
      return conclude(pass, request, second.end);
    },
    validate: async (request, limits) => {
      const log = createPassLog();
      const pass = openPass('validating', limits, log);
      const { end } = await runPlugins(validating[request.operation], request, 0, pass);
      return conclude(pass, request, end);
    },
  };
}

type End = AdmissionResult['verdict'];

/** What the plugins of one pass share. */
interface Pass {
  readonly phase: AdmissionPhase;
  readonly limits: CallLimits;
  readonly log: PassLog;
  readonly ports: PluginPorts;
  readonly clock: Clock;
  readonly calling: CallingTime[];
  readonly counts: PluginCount[];
  readonly open: (plugin: CallingPlugin) => RunMutation | undefined;
}

const byOperation = (plugins: readonly ChainPlugin[]): Readonly<Record<Operation, readonly ChainPlugin[]>> => ({
  CREATE: plugins.filter(({ operations }) => operations.includes('CREATE')),
  UPDATE: plugins.filter(({ operations }) => operations.includes('UPDATE')),
  DELETE: plugins.filter(({ operations }) => operations.includes('DELETE')),
  CONNECT: plugins.filter(({ operations }) => operations.includes('CONNECT')),
});

/** Both rounds of a request must meet the same opened mutation of a plugin. */
function openMutations(): (plugin: CallingPlugin) => RunMutation | undefined {
  const opened = new Map<CallingPlugin, RunMutation | undefined>();
  return (plugin) => {
    if (!opened.has(plugin)) opened.set(plugin, plugin.openMutation?.());
    return opened.get(plugin);
  };
}

async function runPlugins(
  plugins: readonly ChainPlugin[],
  request: AdmissionAttributes,
  round: 0 | 1,
  pass: Pass,
): Promise<{ readonly end: End; readonly reinvoke: boolean }> {
  let current = request;
  let reinvoke = false;
  for (const plugin of plugins) {
    const step =
      'type' in plugin
        ? await runCallingPlugin(plugin, current, round, pass)
        : { end: runBuiltinPlugin(plugin, current, round, pass), reinvoke: false };
    reinvoke ||= step.reinvoke;
    if (step.end.outcome === 'refused') return { end: step.end, reinvoke };
    if (step.end.object !== current.object) current = { ...current, object: step.end.object };
  }
  return { end: { outcome: 'admitted', object: current.object }, reinvoke };
}

async function runCallingPlugin(
  plugin: CallingPlugin,
  request: AdmissionAttributes,
  round: 0 | 1,
  pass: Pass,
): Promise<{ readonly end: End; readonly reinvoke: boolean }> {
  const { clock, log, calling } = pass;
  const startedAt = clock.now();
  const { result, wantsReinvocation } = await ask(plugin, request, round, pass);
  if (result) log.adopt(result);
  const end = result?.verdict ?? { outcome: 'admitted', object: request.object };
  calling.push({ plugin: plugin.name, rejected: end.outcome === 'refused', startedAt, finishedAt: clock.now() });
  return { end, reinvoke: wantsReinvocation };
}

/** What the plugin says in this phase; undefined when it has nothing to say. */
async function ask(
  plugin: CallingPlugin,
  request: AdmissionAttributes,
  round: 0 | 1,
  { phase, limits, open }: Pass,
): Promise<{ readonly result: AdmissionResult | undefined; readonly wantsReinvocation: boolean }> {
  if (phase === 'validating') {
    return { result: await plugin.validate?.(request, limits), wantsReinvocation: false };
  }
  return (await open(plugin)?.(request, limits, round)) ?? { result: undefined, wantsReinvocation: false };
}

function runBuiltinPlugin(plugin: BuiltinPlugin, request: AdmissionAttributes, round: 0 | 1, pass: Pass): End {
  const { phase, log, ports, clock } = pass;
  const startedAt = clock.now();
  const answer = (phase === 'mutating' ? plugin.mutate : plugin.validate)?.(request, ports);
  const said = answer?.ok ? answer.value : undefined;
  const object = said ? said.object : request.object;
  const warnings = said?.warnings ?? noWarnings;
  const outcome = outcomeOf(answer, object !== request.object);
  const finishedAt = clock.now();
  log.record({ type: 'plugin', plugin: plugin.name, phase, round, outcome, object, warnings, startedAt, finishedAt });
  if (said) keepAside(said, pass);
  return outcome.outcome === 'denied'
    ? { outcome: 'refused', status: outcome.status }
    : { outcome: 'admitted', object };
}

/** What the plugin said beside its decision. */
function keepAside({ warnings = [], annotations, counts: counted = [] }: PluginAnswer, { log, counts }: Pass): void {
  if (warnings.length > 0) log.warn(warnings);
  if (annotations) log.annotate(auditAnnotations(annotations));
  counts.push(...counted);
}

const auditAnnotations = (annotations: Readonly<Record<string, string>>): readonly AuditAnnotation[] =>
  Object.entries(annotations).map(([key, value]) => ({ key, value, level: 'Metadata' }));

const noWarnings: readonly string[] = Object.freeze([]);
const unchanged: PluginRecord['outcome'] = Object.freeze({ outcome: 'passed', changed: false });

function outcomeOf(answer: Result<PluginAnswer> | undefined, changed: boolean): PluginRecord['outcome'] {
  if (answer && !answer.ok) return { outcome: 'denied', status: answer.status };
  if (answer?.value.refusal) return { outcome: 'denied', status: answer.value.refusal };
  return changed ? { outcome: 'passed', changed } : unchanged;
}

function conclude(
  { log, calling, counts }: Pass,
  { object: received }: AdmissionAttributes,
  end: End,
): AdmissionResult {
  const result = end.outcome === 'refused' ? log.result(end.status, null) : log.result(undefined, end.object);
  const { verdict, records, warnings, annotations } = result;
  const first = annotations.length === 0 ? annotations : firstOfEachKey(annotations);
  return { verdict, received, records, warnings, annotations: first, calling, counts };
}
