import { append } from '../../../machinery/json/append.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { YieldIfLong } from '../../../machinery/yield-if-long.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { ChainPlugin, RunMutation } from './chain-plugin.ts';
import type { AdmissionChain, CallLimits } from './chain.ts';
import type { AdmissionResult, CallingTime } from './outcome.ts';
import type { AdmissionPhase } from './admission-phase.ts';
import { createTurns } from './plugin-turns.ts';
import type { PluginTurn } from './plugin-turns.ts';
import { createPassLog } from './pass-log.ts';
import type { PassLog } from './pass-log.ts';
import type { PluginCount } from './plugin.ts';
import { firstOfEachKey } from '../webhooks/audit-annotations.ts';

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
