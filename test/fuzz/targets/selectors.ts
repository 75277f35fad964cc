import type { RandomChoices } from '../../harness/random-choices.ts';
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
  generate: (random) => {
    const [sampled] = random.pick<readonly [Sample, ...Sample[]]>(samples);
    const collection = random.chance(0.5) ? '/api/v1/namespaces/default/configmaps' : sampled;
    const query = new URLSearchParams();
    do {
      const name = random.pick(['labelSelector', 'labelSelector', 'fieldSelector', 'fieldSelector', ...listParameters]);
      query.append(name, valueOf(random, name));
    } while (random.chance(0.55));
    if (random.chance(0.15)) query.append('watch', '1');
    // Go and Node decode percent-encoding alike; some values are sent unencoded.
    const text = random.chance(0.9)
      ? query.toString()
      : encodeURI(decodeURIComponent(query.toString().replaceAll('%', '')));
    const path = random.chance(0.05) ? collection.replace('/v1/', '/v1/watch/') : collection;
    const method = random.chance(0.97) ? 'GET' : 'DELETE';
    return [{ ...request(method, `${path}?${text}`), http2: random.chance(0.2) }];
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

function valueOf(random: RandomChoices, name: string): string {
  if (random.chance(0.1)) return random.pick(oddTexts);
  if (name === 'labelSelector') return selector(random, labelTerm);
  if (name === 'fieldSelector') return selector(random, fieldTerm);
  return random.pick([
    '0',
    '1',
    '5',
    '-1',
    'true',
    'false',
    'Exact',
    'NotOlderThan',
    '99999999999999999999',
    token(random),
  ]);
}

function selector(random: RandomChoices, term: (random: RandomChoices) => string): string {
  const text = Array.from({ length: 1 + random.upTo(3) }, () => term(random)).join(
    random.pick([',', ',', ', ', ' ,\t', ';']),
  );
  return random.chance(0.08) ? makeLong(random, text) : text;
}

/** Node takes requests lines of up to a mebibyte here. */
const makeLong = (random: RandomChoices, text: string): string => {
  const count = Math.floor(200_000 / (text.length + 6) / 10 ** (random.upTo(300) / 100)) + 1;
  return random.pick([
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

const labelTerm = (random: RandomChoices): string => {
  const key = random.pick(keys);
  const value = (): string => random.pick(['a1', 'web', '', 'a b', '(', ')', "'", 'x'.repeat(64)]);
  return random.pick([
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

const fieldTerm = (random: RandomChoices): string =>
  random.pick([
    'metadata.name',
    'metadata.namespace',
    'spec.nodeName',
    'status.phase',
    'type',
    'involvedObject.kind',
    'spec.__proto__',
    '',
  ]) +
  random.pick(['=', '==', '!=', ' in ', '\\=']) +
  random.pick(['object-1', 'default', '', '\\', '\\,', 'a\\=b', '\\\\', ...oddTexts]);

/** A continue token, valid or not. */
const token = (random: RandomChoices): string =>
  Buffer.from(
    JSON.stringify({
      v: random.pick(['meta.k8s.io/v1', 'v0', 1]),
      rv: random.pick([-1, 0, 5, 2 ** 53, '5', null]),
      start: random.pick(['object-1\u0000', '../x', '', '/'.repeat(1000)]),
    }),
  ).toString('base64url');
