import type { Clock, YieldIfLong } from '../../../machinery/clock.ts';
import { append } from '../../../machinery/json/json.ts';
import { firstOfEachKey } from '../webhooks/audit-annotations.ts';
import type { AdmissionAttributes, AdmissionPhase } from './attributes.ts';
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
  const openPass = (phase: AdmissionPhase, { operation }: AdmissionAttributes, limits: CallLimits): Pass => ({
    phase,
    limits,
    clock,
    yieldIfLong,
    log: createPassLog(),
    calling: [],
    counts: [],
    turns: plugins
      .filter(({ operations }) => operations.includes(operation))
      .flatMap((plugin) => turnOf(plugin, phase) ?? []),
  });
  return {
    mutate: async (request, limits) => {
      const pass = openPass('mutating', request, limits);
      const first = await runPlugins(request, 0, pass);
      if (!first.reinvoke || first.end.outcome === 'refused') return conclude(pass, request, first.end);
      const second = await runPlugins({ ...request, object: first.end.object }, 1, pass);
      return conclude(pass, request, second.end);
    },
    validate: async (request, limits) => {
      const pass = openPass('validating', request, limits);
      const { end } = await runPlugins(request, 0, pass);
      return conclude(pass, request, end);
    },
  };
}

interface PluginTurn {
  readonly plugin: ChainPlugin;
  readonly run: RunMutation;
  /** undefined: all resources. */
  readonly only: ChainPlugin['mutatesOnly'];
}

/** undefined for a plugin without this phase. */
function turnOf(plugin: ChainPlugin, phase: AdmissionPhase): PluginTurn | undefined {
  const { mutate, createMutation, mutatesOnly, validate, validatesOnly } = plugin;
  const isMutating = phase === 'mutating';
  const run = isMutating ? (mutate ?? createMutation?.()) : validate;
  return run && { plugin, run, only: isMutating ? mutatesOnly : validatesOnly };
}

type End = AdmissionResult['verdict'];

interface Pass {
  readonly phase: AdmissionPhase;
  readonly limits: CallLimits;
  readonly clock: Clock;
  readonly yieldIfLong: YieldIfLong;
  readonly log: PassLog;
  readonly calling: CallingTime[];
  readonly counts: PluginCount[];
  readonly turns: readonly PluginTurn[];
}

async function runPlugins(
  request: AdmissionAttributes,
  round: 0 | 1,
  { turns, clock, yieldIfLong, limits, log, calling, counts, phase }: Pass,
): Promise<{ readonly end: End; readonly reinvoke: boolean }> {
  let current = request;
  let reinvoke = false;
  let at = clock.now();
  for (const { plugin, run, only } of turns) {
    if (only?.every(({ resource }) => resource !== request.resource.resource)) {
      log.idle(plugin.name, { phase, round, object: current.object, at });
      continue;
    }
    await yieldIfLong();
    const said = await run(current, limits, round);
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

function conclude(
  { log, calling, counts }: Pass,
  { object: received }: AdmissionAttributes,
  end: End,
): AdmissionResult {
  const result = end.outcome === 'refused' ? log.result(end.status, null) : log.result(undefined, end.object);
  const { verdict, records, warnings, annotations } = result;
  return { verdict, received, records, warnings, annotations: firstOfEachKey(annotations), calling, counts };
}
