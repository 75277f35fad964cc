import { Counter, Gauge, Histogram, type Registry, Summary } from 'prom-client';
import type { AdmissionPhase } from '../../apiserver/admission/chain/attributes.ts';
import type { AdmissionResult, PolicyRecord } from '../../apiserver/admission/chain/outcome.ts';
import { outOfBudget } from '../../apiserver/admission/matching/expressions.ts';
import { asList, asString } from '../../machinery/json/json.ts';
import type { PluginCount } from '../../apiserver/admission/chain/plugin.ts';

type RecordPlugins = (
  result: Pick<AdmissionResult, 'records' | 'calling'>,
  phase: AdmissionPhase,
  operation: string,
) => void;

/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionController (rule MET-6). */
export function createPluginMetrics(registry: Registry): RecordPlugins {
  const duration = new Histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: '[STABLE] How long each admission plugin took.',
    labelNames: ['name', 'operation', 'rejected', 'type'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    registers: [registry],
  });
  return ({ records, calling = [] }, phase, operation) => {
    const observe = (name: string, isRejected: boolean, milliseconds: number): void =>
      duration.observe({ name, ...stepLabels(operation, phase, isRejected) }, milliseconds / 1000);
    for (const record of records) {
      if (record.type === 'plugin') {
        observe(record.plugin, record.outcome.outcome === 'denied', record.finishedAt - record.startedAt);
      } else if (record.type === 'passed-plugins') {
        const { names, times } = record;
        names.forEach((plugin, at) => observe(plugin, false, (times[2 * at + 1] ?? 0) - (times[2 * at] ?? 0)));
      }
    }
    for (const { plugin, rejected, startedAt, finishedAt } of calling)
      observe(plugin, rejected, finishedAt - startedAt);
  };
}

export const stepLabels = (operation: string, phase: AdmissionPhase, isRejected: boolean): Record<string, string> => ({
  operation,
  rejected: String(isRejected),
  type: phase === 'mutating' ? 'admit' : 'validate',
});

type RecordStep = (labels: Record<string, string>, seconds: number) => void;

const name = 'apiserver_admission_step_admission_duration_seconds';
const help = 'How long the mutating and the validating phase of admission took, reinvocation included.';

/** Follows apiserver pkg/admission/metrics/metrics.go ObserveAdmissionStep (rule MET-6). */
export function createStepMetrics(registry: Registry): RecordStep {
  const labelNames = ['operation', 'rejected', 'type'];
  const registers = [registry];
  const duration = new Histogram({
    name,
    help: `[STABLE] ${help}`,
    labelNames,
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5],
    registers,
  });
  const summary = new Summary({
    name: `${name}_summary`,
    help: `[ALPHA] ${help}`,
    labelNames,
    percentiles: [0.5, 0.9, 0.99],
    maxAgeSeconds: 5 * 60 * 60,
    ageBuckets: 5,
    registers,
  });
  return (labels, seconds) => {
    duration.observe(labels, seconds);
    summary.observe(labels, seconds);
  };
}

type RecordPolicy = (record: PolicyRecord) => void;

/** Follows apiserver pkg/admission/plugin/policy/validating/metrics/metrics.go and mutating/metrics/metrics.go. */
export function createPolicyMetrics(registry: Registry): RecordPolicy {
  const own = ['error_type', 'policy', 'policy_binding'];
  const observeValidation = checksOf(registry, 'validating', ['enforcement_action', ...own], '[BETA]');
  const observeMutation = checksOf(registry, 'mutating', own, '[ALPHA]');
  return (record) => {
    const seconds = (record.finishedAt - record.startedAt) / 1000;
    const isValidating = record.phase === 'validating';
    const observe = isValidating ? observeValidation : observeMutation;
    for (const values of isValidating ? validationsOf(record) : mutationsOf(record)) {
      observe(seconds, [...values, record.policy, record.binding ?? '']);
    }
  };
}

function checksOf(
  registry: Registry,
  phase: 'validating' | 'mutating',
  labelNames: readonly string[],
  stability: string,
): (seconds: number, values: readonly string[]) => void {
  const name = `apiserver_${phase}_admission_policy_check`;
  const common = { labelNames, registers: [registry] };
  const total = new Counter({
    ...common,
    name: `${name}_total`,
    help: `${stability} Checks of ${phase} admission policies.`,
  });
  const duration = new Histogram({
    ...common,
    name: `${name}_duration_seconds`,
    help: `${stability} How long the checks of ${phase} admission policies took.`,
    buckets: [0.0000005, 0.001, 0.01, 0.1, 1],
  });
  return (seconds, values) => {
    total.labels(...values).inc();
    duration.labels(...values).observe(seconds);
  };
}

type Labels = readonly string[];

/** One per failed validation and action of the binding. */
function validationsOf({ outcome, bound }: PolicyRecord): readonly Labels[] {
  if (outcome.outcome === 'skipped') return [];
  const actions = asList(bound?.['validationActions']).map((action) => asString(action).toLowerCase());
  return outcome.validations.flatMap(({ result, message = '' }): readonly Labels[] => {
    if (result === 'true') return [];
    const isIgnored = result === 'error' && outcome.outcome === 'failed-open';
    return (isIgnored ? ['allow'] : actions).map((action) => [action, errorType(message)]);
  });
}

function mutationsOf({ outcome }: PolicyRecord): readonly Labels[] {
  if (outcome.outcome === 'skipped') return [];
  return (outcome.mutations ?? []).map(({ error }) => [error === undefined ? 'no_error' : errorType(error)]);
}

/** Follows errors.go beside the two: a false validation counts as invalid_error. */
function errorType(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith(outOfBudget) ? 'out_of_budget' : 'invalid_error';
}

type RecordCounts = (counts: readonly PluginCount[]) => void;

const requestLabels = ['request_operation', 'resource', 'subresource'];

const counters = [
  {
    name: 'pod_security_evaluations_total',
    help: '[ALPHA] Evaluations of pods against the Pod Security Standards.',
    labelNames: ['decision', 'policy_level', 'policy_version', 'mode', ...requestLabels],
  },
  {
    name: 'pod_security_errors_total',
    help: '[ALPHA] Pods evaluated against the strictest policy because the labels of their namespace are invalid.',
    labelNames: ['fatal', ...requestLabels],
  },
  {
    name: 'pod_security_exemptions_total',
    help: '[ALPHA] Requests that are exempt from the Pod Security Standards.',
    labelNames: requestLabels,
  },
];

/** Follows pod-security-admission metrics/metrics.go; upstream too creates some series at zero. */
export function createOwnCounters(registry: Registry): RecordCounts {
  const byName = new Map(counters.map((one) => [one.name, new Counter({ ...one, registers: [registry] })]));
  const count = (metric: string, values: readonly string[], by: number): void =>
    byName
      .get(metric)
      ?.labels(...values)
      .inc(by);
  for (const operation of ['create', 'update']) {
    count('pod_security_evaluations_total', ['allow', 'privileged', 'latest', 'enforce', operation, 'pod', ''], 0);
    for (const resource of ['pod', 'controller']) {
      count('pod_security_exemptions_total', [operation, resource, ''], 0);
    }
  }
  return (counts) => {
    for (const { metric, labels } of counts) count(metric, labels, 1);
  };
}

/** `hash` is undefined when the folder could not be loaded. */
export type RecordReload = (plugin: string, hash: string | undefined) => void;

const prefix = 'apiserver_manifest_admission_config_controller';

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/plugin/manifest/metrics/metrics.go (rule STA-9). */
export function createManifestMetrics(registry: Registry, now: () => number, serverIdHash: string): RecordReload {
  const labelNames = ['status', 'plugin', 'apiserver_id_hash'];
  const registers = [registry];
  const reloads = new Counter({
    name: `${prefix}_automatic_reloads_total`,
    help: '[ALPHA] Reloads of static admission configuration by status, plugin and API server.',
    labelNames,
    registers,
  });
  const lastReload = new Gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: '[ALPHA] When static admission configuration was reloaded last, by status, plugin and API server.',
    labelNames,
    registers,
  });
  const info = new Gauge({
    name: `${prefix}_last_config_info`,
    help: '[ALPHA] The hash of the current static admission configuration, by plugin and API server.',
    labelNames: ['plugin', 'apiserver_id_hash', 'hash'],
    registers,
  });
  const hashes = new Map<string, string>();
  return (plugin, hash) => {
    const labels = { status: hash === undefined ? 'failure' : 'success', plugin, apiserver_id_hash: serverIdHash };
    reloads.inc(labels);
    lastReload.set(labels, now() / 1000);
    if (hash === undefined) return;
    const earlier = hashes.get(plugin);
    if (earlier !== undefined) info.remove({ plugin, apiserver_id_hash: serverIdHash, hash: earlier });
    hashes.set(plugin, hash);
    info.set({ plugin, apiserver_id_hash: serverIdHash, hash }, 1);
  };
}
