import type { Clock } from '../../../machinery/clock.ts';
import { append } from '../../../machinery/json/append.ts';
import type { GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { YieldIfLong } from '../../../machinery/yield-if-long.ts';
import { firstOfEachKey } from '../webhooks/audit-annotations.ts';
import type { AdmissionPhase } from './admission-phase.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import type { AdmissionChain, CallLimits, ChainPlugin, RunMutation } from './chain-plugin.ts';
import type { AdmissionResult, CallingTime } from './outcome.ts';
import { createPassLog } from './pass-log.ts';
import type { PassLog } from './pass-log.ts';
import type { PluginCount } from './plugin.ts';

export interface ChainPorts {
  /** In the order in which kube-apiserver runs them (rule PLG-1). */
  readonly plugins: readonly ChainPlugin[];
  readonly clock: Clock;
  readonly yieldIfLong: YieldIfLong;
}

/**
 * The admission chain: plugins in their order, the first refusal ends a pass, the mutating pass runs once more if a
 * webhook or policy changed something. Follows apiserver pkg/admission/chain.go and reinvocation.go (rules PLG-2, REI-1).
 */
export function createAdmissionChain({ plugins, clock, yieldIfLong }: ChainPorts): AdmissionChain {
  const mutating = createTurns('mutating', plugins);
  const validating = createTurns('validating', plugins);
  const openPass = (phase: AdmissionPhase, limits: CallLimits): Pass => {
    return { phase, limits, log: createPassLog(), clock, yieldIfLong, calling: [], counts: [], open: openMutations() };
  };
  return {
    mutate: async (request, limits) => {
      const pass = openPass('mutating', limits);
      const turns = mutating(request.operation, request.resource);
      const first = await runPlugins(turns, request, 0, pass);
      if (!first.reinvoke || first.end.outcome === 'refused') return conclude(pass, request, first.end);
      const again = { ...request, object: first.end.object };
      const second = await runPlugins(turns, again, 1, pass);
      return conclude(pass, request, second.end);
    },
    validate: async (request, limits) => {
      const pass = openPass('validating', limits);
      const { end } = await runPlugins(validating(request.operation, request.resource), request, 0, pass);
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
  readonly clock: Clock;
  readonly yieldIfLong: YieldIfLong;
  readonly calling: CallingTime[];
  readonly counts: PluginCount[];
  readonly open: (plugin: ChainPlugin) => RunMutation | undefined;
}

/** Both rounds of a request must meet the same opened mutation of a plugin. */
function openMutations(): (plugin: ChainPlugin) => RunMutation | undefined {
  const opened = new Map<ChainPlugin, RunMutation | undefined>();
  return (plugin) => {
    if (!opened.has(plugin)) opened.set(plugin, plugin.openMutation?.());
    return opened.get(plugin);
  };
}

async function runPlugins(
  turns: readonly PluginTurn[],
  request: AdmissionAttributes,
  round: 0 | 1,
  pass: Pass,
): Promise<{ readonly end: End; readonly reinvoke: boolean }> {
  const { clock, log, calling, counts, phase } = pass;
  let current = request;
  let reinvoke = false;
  // When one is done is when the next one begins: to look at the clock for each costs as much as most of them do.
  let at = clock.now();
  for (const { idle, plugin } of turns) {
    if (idle.length > 0) log.idle(idle, { phase, round, object: current.object, at });
    if (!plugin) break;
    await pass.yieldIfLong();
    const said = await ask(plugin, current, round, pass);
    if (!said) continue;
    reinvoke ||= said.wantsReinvocation === true;
    log.adopt(said);
    if (said.counts) append(counts, said.counts);
    const { verdict: end } = said;
    const rejected = end.outcome === 'refused';
    const startedAt = at;
    at = plugin.asksOthers ? clock.now() : lastOf(said, at);
    if (plugin.asksOthers) calling.push({ plugin: plugin.name, rejected, startedAt, finishedAt: at });
    if (rejected) return { end, reinvoke };
    if (end.object !== current.object) current = { ...current, object: end.object };
  }
  return { end: { outcome: 'admitted', object: current.object }, reinvoke };
}

/** When the last of these records was over. */
function lastOf({ records }: AdmissionResult, before: number): number {
  const last = records.at(-1);
  return last?.type === 'plugin' ? last.finishedAt : before;
}

/** What the plugin says in this phase; undefined when it has nothing to say. */
const ask = (
  plugin: ChainPlugin,
  request: AdmissionAttributes,
  round: 0 | 1,
  { phase, limits, open }: Pass,
): ReturnType<RunMutation> | undefined =>
  phase === 'mutating' ? (plugin.mutate ?? open(plugin))?.(request, limits, round) : plugin.validate?.(request, limits);

function conclude(
  { log, calling, counts }: Pass,
  { object: received }: AdmissionAttributes,
  end: End,
): AdmissionResult {
  const result = end.outcome === 'refused' ? log.result(end.status, null) : log.result(undefined, end.object);
  const { verdict, records, warnings, annotations } = result;
  return { verdict, received, records, warnings, annotations: firstOfEachKey(annotations), calling, counts };
}

/** A plugin in its place in a pass. */
interface PluginTurn {
  /** Those just before it that have nothing to do for the resource. */
  readonly idle: readonly string[];
  /** Undefined where only such are left. */
  readonly plugin: ChainPlugin | undefined;
}

/** The plugins that have a turn in a pass, in their order. */
type TurnsOf = (operation: Operation, resource: GroupVersionResource) => readonly PluginTurn[];

/** Of forty plugins most look at Pods alone, or at one resource of theirs: who is idle is told once for each that one names. */
function createTurns(phase: AdmissionPhase, plugins: readonly ChainPlugin[]): TurnsOf {
  const ofPhase = plugins.filter(({ mutate, openMutation, validate }) =>
    phase === 'mutating' ? (mutate ?? openMutation) : validate,
  );
  const all = {
    CREATE: inOperation('CREATE'),
    UPDATE: inOperation('UPDATE'),
    DELETE: inOperation('DELETE'),
    CONNECT: inOperation('CONNECT'),
  };
  function inOperation(operation: Operation): OfOperation {
    return turnsByResource(
      phase,
      ofPhase.filter(({ operations }) => operations.includes(operation)),
    );
  }
  return (operation, { resource }) => all[operation].named.get(resource) ?? all[operation].others;
}

interface OfOperation {
  /** By the name of a resource, of whatever group: a plugin looks at that itself. */
  readonly named: ReadonlyMap<string, readonly PluginTurn[]>;
  readonly others: readonly PluginTurn[];
}

function turnsByResource(phase: AdmissionPhase, plugins: readonly ChainPlugin[]): OfOperation {
  const onlyOf = ({ mutatesOnly, validatesOnly }: ChainPlugin): ChainPlugin['mutatesOnly'] =>
    phase === 'mutating' ? mutatesOnly : validatesOnly;
  const isIdle = (plugin: ChainPlugin, name: string | undefined): boolean =>
    onlyOf(plugin)?.every(({ resource }) => resource !== name) === true;
  const turnsFor = (name: string | undefined): readonly PluginTurn[] => {
    const turns: PluginTurn[] = [];
    let idle: string[] = [];
    for (const plugin of plugins) {
      if (isIdle(plugin, name)) idle.push(plugin.name);
      else {
        turns.push({ idle, plugin });
        idle = [];
      }
    }
    return idle.length === 0 ? turns : [...turns, { idle, plugin: undefined }];
  };
  const names = new Set(plugins.flatMap((plugin) => onlyOf(plugin) ?? []).map(({ resource }) => resource));
  return { named: new Map([...names].map((name) => [name, turnsFor(name)])), others: turnsFor(undefined) };
}
