import { X509Certificate } from 'node:crypto';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { responseCode } from '../../apiserver/request/api-request.ts';
import { asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import {
  createOwnCounters,
  createPluginMetrics,
  createPolicyMetrics,
  createStepMetrics,
  stepLabels,
} from './admission-metrics.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

export interface Metrics {
  readonly record: (finished: FinishedRequest) => void;
  /** For `GET /metrics`. */
  readonly registry: Registry;
}

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/metrics/metrics.go (rules MET-1, MET-6). */
export function createMetrics(now: () => number): Metrics {
  const registry = new Registry();
  const recordStep = createStepMetrics(registry);
  const recordPlugins = createPluginMetrics(registry);
  const recordCounts = createOwnCounters(registry);
  const recordWebhook = createWebhookMetrics(registry);
  const recordPolicy = createPolicyMetrics(registry);
  const recordRequest = createRequestMetrics(registry);
  const recordCertificate = createCertificateMetrics(registry);
  addCelMetrics(registry);
  addProcessMetrics(registry);
  const recordAdmission = ({ journal }: FinishedRequest): void => {
    for (const entry of journal.entries()) {
      if (entry.type !== 'admission' || !entry.pass) continue;
      const { phase, result, pass } = entry;
      const { operation, startedAt, finishedAt } = pass;
      const labels = stepLabels(operation, phase, result.verdict.outcome === 'refused');
      recordStep(labels, (finishedAt - startedAt) / 1000);
      recordPlugins(result, phase, operation);
      recordCounts(result.counts ?? []);
      for (const record of result.records) {
        if (record.type === 'webhook') recordWebhook(record, operation);
        if (record.type === 'policy') recordPolicy(record);
      }
    }
  };
  return {
    record: (finished) => {
      recordRequest(finished, now());
      recordAdmission(finished);
      recordCertificate(finished);
    },
    registry,
  };
}

/** CEL durations of custom resource schemas: always present in kube-apiserver, always zero here. */
function addCelMetrics(registry: Registry): void {
  for (const what of ['compilation', 'evaluation']) {
    const histogram = new Histogram({
      name: `apiserver_cel_${what}_duration_seconds`,
      help: `[BETA] How long the ${what} of CEL in custom resource schemas took.`,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    histogram.zero({});
  }
}

/** Names of Go's process collector. */
const gauges = [
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system time of the process, in seconds.',
    value: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, in bytes.',
    value: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    value: () => performance.timeOrigin / 1000,
  },
];

function addProcessMetrics(registry: Registry): void {
  for (const { name, help, value } of gauges) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value()) });
  }
}

type RecordRequest = (finished: FinishedRequest, now: number) => void;

const labelNames = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const;
type Labels = Readonly<Record<(typeof labelNames)[number], string>>;

/** Follows apiserver pkg/endpoints/metrics/metrics.go. A watch is counted when it begins and has no duration. */
function createRequestMetrics(registry: Registry): RecordRequest {
  const registers = [registry];
  const total = new Counter({
    name: 'apiserver_request_total',
    help: '[STABLE] Requests by verb, resource and response code.',
    labelNames: ['code', ...labelNames],
    registers,
  });
  const duration = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: '[STABLE] How long requests took until they were answered.',
    labelNames,
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
    registers,
  });
  return (finished, now) => {
    const { request, response } = finished;
    const code = responseCode(response);
    const labels = labelsFor(finished, code);
    total.inc({ code: String(code), ...labels });
    if (response.type !== 'watch') duration.observe(labels, (now - request.receivedAt) / 1000);
  };
}

/** Unknown paths share one series: clients can make up any number. */
function labelsFor({ request, info }: FinishedRequest, code: number): Labels {
  const common = {
    component: 'apiserver',
    dry_run: request.query.has('dryRun') ? 'All' : '',
    group: '',
    resource: '',
    scope: '',
    subresource: '',
    verb: request.method,
    version: '',
  };
  if (info.type === 'path') return { ...common, subresource: code === 404 ? '' : info.path };
  if (code === 404 && info.name === '') return common;
  const { group, version, resource, subresource, verb } = info;
  return { ...common, group, resource, scope: scopeOf(info), subresource, verb: verbOf(verb, request), version };
}

function scopeOf({ name, verb, namespace }: Extract<FinishedRequest['info'], { type: 'resource' }>): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

const verbs: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

function verbOf(verb: string, { headers }: FinishedRequest['request']): string {
  if (verb === 'patch')
    return String(headers['content-type']).startsWith('application/apply-patch') ? 'APPLY' : 'PATCH';
  return verbs[verb] ?? verb.toUpperCase();
}

/**
 * Counts issued certificates whose requests named a duration. Follows kubernetes
 * pkg/registry/certificates/certificates/storage/metrics.go: only stored writes of /status count.
 */
function createCertificateMetrics(registry: Registry): (finished: FinishedRequest) => void {
  const counter = (what: string, help: string): Counter =>
    new Counter({
      name: `apiserver_certificates_registry_csr_${what}_duration_total`,
      help,
      labelNames: ['signerName'],
      registers: [registry],
    });
  const requested = counter('requested', '[ALPHA] Issued certificates whose requests named a duration.');
  const honored = counter('honored', '[ALPHA] Issued certificates that have the requested duration.');
  return (finished) => {
    const issued = issuedBy(finished);
    if (typeof issued?.expirationSeconds !== 'number') return;
    const { certificate, expirationSeconds } = issued;
    const signerName = asString(issued.signerName).startsWith('kubernetes.io/') ? asString(issued.signerName) : 'other';
    requested.inc({ signerName });
    const seconds = lifetimeOf(certificate);
    if (seconds !== undefined && isHonored(expirationSeconds, seconds)) honored.inc({ signerName });
  };
}

interface Issued {
  readonly certificate: string;
  readonly expirationSeconds: JsonValue | undefined;
  readonly signerName: JsonValue | undefined;
}

/** The certificate that a write of /status issued. */
function issuedBy({ info, exchange, response }: FinishedRequest): Issued | undefined {
  if (info.type !== 'resource' || info.group !== 'certificates.k8s.io' || info.subresource !== 'status')
    return undefined;
  if (!exchange?.current || responseCode(response) !== 200 || exchange.options.dryRun.length > 0) return undefined;
  const before = certificateOf(exchange.current.view);
  const certificate = certificateOf(exchange.object);
  const { expirationSeconds, signerName } = asObject(exchange.current.view['spec']);
  return before === '' && certificate !== '' ? { certificate, expirationSeconds, signerName } : undefined;
}

const certificateOf = (request: JsonObject | null): string => asString(asObject(request?.['status'])['certificate']);

/** Of the first certificate; undefined when it is unreadable. */
function lifetimeOf(issued: string): number | undefined {
  try {
    const { validFrom, validTo } = new X509Certificate(Buffer.from(issued, 'base64'));
    return (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
  } catch {
    return undefined;
  }
}

/** Certificates are backdated by five minutes; 5 % tolerance. */
const isHonored = (wanted: number, got: number): boolean => Math.abs(wanted - got) < 5 * 60 + wanted / 20;
