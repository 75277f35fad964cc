import type { Draw } from '../../harness/draw.ts';
import { oddTexts } from '../../harness/hostile-value.ts';
import { type Sample, samples } from '../../harness/hostile-samples.ts';
import { request, type Target } from '../case.ts';

/** Parameters that select objects: label and field selectors, pages, revisions, in lists, watches and deletecollection. */
export const selectors: Target = {
  name: 'selector',
  before: () =>
    Array.from({ length: 200 }, (_none, index) =>
      request('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: `object-${index}`, labels: { app: `a${index % 7}`, 'example.com/tier': 'web' } },
      }),
    ),
  draw: (draw) => {
    const [sampled] = draw.one<readonly [Sample, ...Sample[]]>(samples);
    const collection = draw.chance(0.5) ? '/api/v1/namespaces/default/configmaps' : sampled;
    const query = new URLSearchParams();
    do {
      const name = draw.one(['labelSelector', 'labelSelector', 'fieldSelector', 'fieldSelector', ...listParameters]);
      query.append(name, valueOf(draw, name));
    } while (draw.chance(0.55));
    if (draw.chance(0.15)) query.append('watch', '1');
    // Go and Node decode percent-encoding alike; some values are sent unencoded.
    const text = draw.chance(0.9)
      ? query.toString()
      : encodeURI(decodeURIComponent(query.toString().replaceAll('%', '')));
    const path = draw.chance(0.05) ? collection.replace('/v1/', '/v1/watch/') : collection;
    const method = draw.chance(0.97) ? 'GET' : 'DELETE';
    return [{ ...request(method, `${path}?${text}`), http2: draw.chance(0.2) }];
  },
};

const listParameters = [
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'allowWatchBookmarks',
] as const;

function valueOf(draw: Draw, name: string): string {
  if (draw.chance(0.1)) return draw.one(oddTexts);
  if (name === 'labelSelector') return selector(draw, labelTerm);
  if (name === 'fieldSelector') return selector(draw, fieldTerm);
  return draw.one(['0', '1', '5', '-1', 'true', 'false', 'Exact', 'NotOlderThan', '99999999999999999999', token(draw)]);
}

function selector(draw: Draw, term: (draw: Draw) => string): string {
  const text = Array.from({ length: 1 + draw.upTo(3) }, () => term(draw)).join(draw.one([',', ',', ', ', ' ,\t', ';']));
  return draw.chance(0.08) ? longest(draw, text) : text;
}

/** Node takes requests lines of up to a mebibyte here. */
const longest = (draw: Draw, text: string): string => {
  const count = Math.floor(200_000 / (text.length + 6) / 10 ** (draw.upTo(300) / 100)) + 1;
  return draw.one([
    () => Array.from({ length: count }, () => text).join(','),
    () => `app in (${Array.from({ length: count }, (_none, index) => `v${index}`).join(',')})`,
    () => text + '('.repeat(count),
    () => ' '.repeat(count) + text,
    () => `app=${'a'.repeat(count)}`,
    () => '!'.repeat(count) + text,
    () => `${'a.'.repeat(count)}b/app=c`,
    () => `metadata.name=${'\\,'.repeat(count)}`,
    () => Array.from({ length: count }, (_none, index) => `k${index}!=v`).join(','),
  ])();
};

const keys = ['app', 'example.com/tier', 'a/b/c', '-a', 'é', '', 'in', 'notin', 'x'.repeat(64)] as const;

const labelTerm = (draw: Draw): string => {
  const key = draw.one(keys);
  const value = (): string => draw.one(['a1', 'web', '', 'a b', '(', ')', "'", 'x'.repeat(64)]);
  return draw.one([
    () => key,
    () => `!${key}`,
    () => `${key}=${value()}`,
    () => `${key} == ${value()}`,
    () => `${key}!=${value()}`,
    () => `${key} in (${value()},${value()})`,
    () => `${key} notin (${value()})`,
    () => `${key} > ${value()}`,
    () => `${key}<5`,
    () => `${key} in ${value()}`,
    () => `${key}=${value()}=${value()}`,
  ])();
};

const fieldTerm = (draw: Draw): string =>
  draw.one([
    'metadata.name',
    'metadata.namespace',
    'spec.nodeName',
    'status.phase',
    'type',
    'involvedObject.kind',
    'spec.__proto__',
    '',
  ]) +
  draw.one(['=', '==', '!=', ' in ', '\\=']) +
  draw.one(['object-1', 'default', '', '\\', '\\,', 'a\\=b', '\\\\', ...oddTexts]);

/** A continue token, valid or not. */
const token = (draw: Draw): string =>
  Buffer.from(
    JSON.stringify({
      v: draw.one(['meta.k8s.io/v1', 'v0', 1]),
      rv: draw.one([-1, 0, 5, 2 ** 53, '5', null]),
      start: draw.one(['object-1\u0000', '../x', '', '/'.repeat(1000)]),
    }),
  ).toString('base64url');
