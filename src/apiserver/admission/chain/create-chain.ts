import type { Clock, YieldIfLong } from '../../../machinery/clock.ts';
import { append } from '../../../machinery/json/json.ts';
import type { GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import { firstOfEachKey } from '../webhooks/audit-annotations.ts';
import type { AdmissionAttributes, AdmissionPhase, Operation } from './attributes.ts';
import type { AdmissionChain, CallLimits, ChainPlugin, RunMutation } from './chain-plugin.ts';
import type { AdmissionResult, CallingTime } from './outcome.ts';
import { createPassLog, type PassLog } from './pass-log.ts';
import type { PluginCount } from './plugin.ts';

export interface ChainPorts {
  readonly plugins: readonly ChainPlugin[];
  readonly clock: Clock;
  readonly yieldIfLong: YieldIfLong;
}

/** Follows apiserver pkg/admission/chain.go and reinvocation.go (rules PLG-1, PLG-2, REI-1). */
export function createAdmissionChain({ plugins, clock, yieldIfLong }: ChainPorts): AdmissionChain {
  const mutating = createTurns('mutating', plugins);
  const validating = createTurns('validating', plugins);
  const openPass = (phase: AdmissionPhase, limits: CallLimits): Pass => {
    return {
      phase,
      limits,
      log: createPassLog(),
      clock,
      yieldIfLong,
      calling: [],
      counts: [],
      open: createMutations(),
    };
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

/** Both rounds of a request use the same opened mutation of a plugin. */
function createMutations(): (plugin: ChainPlugin) => RunMutation | undefined {
  const opened = new Map<ChainPlugin, RunMutation | undefined>();
  return (plugin) => {
    if (!opened.has(plugin)) opened.set(plugin, plugin.createMutation?.());
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
    at = plugin.callsOut ? clock.now() : lastOf(said, at);
    if (plugin.callsOut) calling.push({ plugin: plugin.name, rejected, startedAt, finishedAt: at });
    if (rejected) return { end, reinvoke };
    if (end.object !== current.object) current = { ...current, object: end.object };
  }
  return { end: { outcome: 'admitted', object: current.object }, reinvoke };
}

function lastOf({ records }: AdmissionResult, before: number): number {
  const last = records.at(-1);
  return last?.type === 'plugin' ? last.finishedAt : before;
}

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

interface PluginTurn {
  readonly idle: readonly string[];
  readonly plugin: ChainPlugin | undefined;
}

type TurnsOf = (operation: Operation, resource: GroupVersionResource) => readonly PluginTurn[];

/** Most plugins handle Pods or one resource of their own: the idle ones are found once per resource. */
function createTurns(phase: AdmissionPhase, plugins: readonly ChainPlugin[]): TurnsOf {
  const ofPhase = plugins.filter(({ mutate, createMutation, validate }) =>
    phase === 'mutating' ? (mutate ?? createMutation) : validate,
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
  /** By resource name, whatever the group: the plugin checks the group. */
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
