import type { Finished } from '../request/handle.ts';
import type { Family, Sample } from './family.ts';
import { createCell, histogramSamples, observe } from './histogram.ts';
import type { HistogramCell } from './histogram.ts';
import { responseCode } from '../request/response-code.ts';
import { createSeries } from './series.ts';

/** Counts and times requests. */
export interface RequestMetrics {
  readonly record: (finished: Finished, now: number) => void;
  readonly families: readonly Family[];
}

const labels = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const bounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

interface Counted {
  readonly codes: Map<number, number>;
  readonly cell: HistogramCell;
}

/** Follows apiserver pkg/endpoints/metrics/metrics.go. A watch is counted when it begins, and not timed. */
export function createRequestMetrics(): RequestMetrics {
  const series = createSeries(labels, (): Counted => ({ codes: new Map(), cell: createCell(bounds) }));
  const total: Family = {
    name: 'apiserver_request_total',
    help: '[STABLE] Requests, by what they asked for and the answer.',
    type: 'counter',
    samples: () =>
      series
        .all()
        .flatMap(([own, { codes }]) =>
          [...codes].map(([code, value]): Sample => ({ suffix: '', labels: { code: String(code), ...own }, value })),
        ),
  };
  const duration: Family = {
    name: 'apiserver_request_duration_seconds',
    help: '[STABLE] How long requests took until they were answered.',
    type: 'histogram',
    samples: () => series.all().flatMap(([own, { cell }]) => histogramSamples(cell, own)),
  };
  return {
    record: (finished, now) => {
      const { request, response } = finished;
      const code = responseCode(response);
      const { codes, cell } = series.at(...labelValues(finished, code));
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (response.type !== 'watch') observe(cell, (now - request.receivedAt) / 1000);
    },
    families: [total, duration],
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
