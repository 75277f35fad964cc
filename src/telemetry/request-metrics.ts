import type { Finished } from '../request/handle.ts';
import { createCounter } from './counter.ts';
import type { Family } from './family.ts';
import { responseCode } from './response-code.ts';
import { createTiming } from './timing.ts';

/** Counts and times requests. */
export interface RequestMetrics {
  readonly record: (finished: Finished, now: number) => void;
  readonly families: readonly Family[];
}

const labels = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const bounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** Follows apiserver pkg/endpoints/metrics/metrics.go. A watch is counted when it begins, and not timed. */
export function createRequestMetrics(): RequestMetrics {
  const total = createCounter('apiserver_request_total', '[STABLE] Requests, by what they asked for and the answer.', [
    'code',
    ...labels,
  ]);
  const duration = createTiming({
    name: 'apiserver_request_duration_seconds',
    help: '[STABLE] How long requests took until they were answered.',
    labels,
    bounds,
  });
  return {
    record: (finished, now) => {
      const { request, response } = finished;
      const code = responseCode(response);
      const values = labelValues(finished, code);
      total.add(String(code), ...values);
      if (response.type !== 'watch') duration.observe((now - request.receivedAt) / 1000, ...values);
    },
    families: [total.family, duration.family],
  };
}

/** Paths that nobody serves are one series: anybody can make them up. */
function labelValues({ request, info }: Finished, code: number): readonly string[] {
  const dryRun = request.query.has('dryRun') ? 'All' : '';
  if (info.type === 'path') {
    return ['apiserver', dryRun, '', '', '', code === 404 ? '' : info.path, request.method, ''];
  }
  const { group, version, resource, subresource, verb } = info;
  if (code === 404 && info.name === '') return ['apiserver', dryRun, '', '', '', '', request.method, ''];
  return ['apiserver', dryRun, group, resource, scopeOf(info), subresource, verbOf(verb, request), version];
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
