import type { Clock, YieldIfLong } from '../../../machinery/clock.ts';
import { append } from '../../../machinery/json/json.ts';
import { firstOfEachKey } from '../webhooks/audit-annotations.ts';
import type { AdmissionAttributes, AdmissionPhase, Operation } from './attributes.ts';
import type { AdmissionResult, CallingTime } from './outcome.ts';
import { createPassLog, type PassLog } from './pass-log.ts';
import type { PluginCount } from './plugin.ts';
import type { Deadline } from '../../../machinery/meta/deadline.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';

export interface ChainPorts {
  readonly plugins: readonly ChainPlugin[];
  readonly clock: Clock;
  readonly yieldIfLong: YieldIfLong;
}

/** Follows apiserver pkg/admission/chain.go and reinvocation.go (rules PLG-1, PLG-2, REI-1). */
export function createAdmissionChain({ plugins, clock, yieldIfLong }: ChainPorts): AdmissionChain {
  const steps = { mutating: stepsOf(plugins, 'mutating'), validating: stepsOf(plugins, 'validating') };
  const openPass = (phase: AdmissionPhase, { operation }: AdmissionAttributes, limits: CallLimits): Pass => ({
    phase,
    limits,
    clock,
    yieldIfLong,
    log: createPassLog(),
    calling: [],
    counts: [],
    steps: steps[phase][operation],
    runs: steps[phase][operation].map(({ start }) => start()),
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

/** A plugin in one phase. */
interface ChainStep {
  readonly plugin: ChainPlugin;
  readonly start: () => RunMutation;
  /** undefined: all. */
  readonly resources: ReadonlySet<string> | undefined;
}

function stepsOf(plugins: readonly ChainPlugin[], phase: AdmissionPhase): Record<Operation, readonly ChainStep[]> {
  const inPhase = plugins.flatMap((plugin) => stepOf(plugin, phase) ?? []);
  const of = (operation: Operation): readonly ChainStep[] =>
    inPhase.filter(({ plugin }) => plugin.operations.includes(operation));
  return { CREATE: of('CREATE'), UPDATE: of('UPDATE'), DELETE: of('DELETE'), CONNECT: of('CONNECT') };
}

/** undefined for a plugin without this phase. */
function stepOf(plugin: ChainPlugin, phase: AdmissionPhase): ChainStep | undefined {
  const { mutate, createMutation, mutatesOnly, validate, validatesOnly } = plugin;
  const [run, only] = phase === 'mutating' ? [mutate, mutatesOnly] : [validate, validatesOnly];
  const start = run ? () => run : phase === 'mutating' ? createMutation : undefined;
  return start && { plugin, start, resources: only && new Set(only.map(({ resource }) => resource)) };
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
  readonly steps: readonly ChainStep[];
  readonly runs: readonly RunMutation[];
}

async function runPlugins(
  request: AdmissionAttributes,
  round: 0 | 1,
  { steps, runs, clock, yieldIfLong, limits, log, calling, counts, phase }: Pass,
): Promise<{ readonly end: End; readonly reinvoke: boolean }> {
  let current = request;
  let reinvoke = false;
  let at = clock.now();
  for (const [index, { plugin, resources }] of steps.entries()) {
    const { name, callsOut } = plugin;
    const run = runs[index];
    if (!run || resources?.has(request.resource.resource) === false) {
      log.passed(name, { phase, round, object: current.object }, at, at);
      continue;
    }
    await yieldIfLong();
    const startedAt = callsOut ? at : clock.now();
    const result = await run(current, limits, round);
    at = clock.now();
    reinvoke ||= result.wantsReinvocation === true;
    log.append(result);
    if (result.counts) append(counts, result.counts);
    const { verdict: end, records } = result;
    const rejected = end.outcome === 'refused';
    if (callsOut) calling.push({ plugin: name, rejected, startedAt, finishedAt: at });
    else if (records.length === 0) log.passed(name, { phase, round, object: current.object }, startedAt, at);
    if (rejected) return { end, reinvoke };
    if (end.object !== current.object) current = { ...current, object: end.object };
  }
  return { end: { outcome: 'admitted', object: current.object }, reinvoke };
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

/** A plugin as the chain runs it: compiled in, or calling webhooks or policies. */
export interface ChainPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** The time of such a plugin is measured, even if nothing was called. */
  readonly callsOut: boolean;
  /** Called for round 0 and, after a reinvocation, for round 1. */
  readonly mutate?: RunMutation;
  readonly createMutation?: () => RunMutation;
  /** absent: all resources. */
  readonly mutatesOnly?: readonly GroupResource[] | undefined;
  readonly validatesOnly?: readonly GroupResource[] | undefined;
  readonly validate?: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

export type RunMutation = (request: AdmissionAttributes, limits: CallLimits, round: 0 | 1) => Promise<MutationResult>;

export interface MutationResult extends AdmissionResult {
  /** The whole mutating chain runs once more (rule REI-1). */
  readonly wantsReinvocation?: boolean;
}

export interface AdmissionChain {
  /** Runs all mutating plugins, and once more if a webhook or policy requests it. */
  readonly mutate: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
  readonly validate: (request: AdmissionAttributes, limits: CallLimits) => Promise<AdmissionResult>;
}

export interface CallLimits {
  /** None for CONNECT: only timeoutSeconds bounds a call (rule FAIL-40). */
  readonly deadline: Deadline;
  readonly signal?: () => AbortSignal;
}
