import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Finished } from '../../apiserver/request/handle.ts';
import { responseCode } from '../../apiserver/request/response-code.ts';

export type RecordRequest = (finished: Finished, now: number) => void;

const labelNames = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const;
type Labels = Readonly<Record<(typeof labelNames)[number], string>>;

/** Follows apiserver pkg/endpoints/metrics/metrics.go. A watch is counted when it begins and has no duration. */
export function createRequestMetrics(registry: Registry): RecordRequest {
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
function labelsFor({ request, info }: Finished, code: number): Labels {
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

function scopeOf({ name, verb, namespace }: Extract<Finished['info'], { type: 'resource' }>): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

const verbs: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

function verbOf(verb: string, { headers }: Finished['request']): string {
  if (verb === 'patch')
    return String(headers['content-type']).startsWith('application/apply-patch') ? 'APPLY' : 'PATCH';
  return verbs[verb] ?? verb.toUpperCase();
}
