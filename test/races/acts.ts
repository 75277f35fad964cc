import type { Random } from '../../src/machinery/clock.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { SendOptions } from '../harness/world.ts';

const verbs = [
  'post',
  'put',
  'put at version',
  'merge',
  'merge at version',
  'json',
  'strategic',
  'apply',
  'hold',
  'release',
  'delete',
  'delete at version',
  'status',
  'scale',
] as const;
export type Verb = (typeof verbs)[number];

/** One request of a writer, and the requests that its webhooks send during their calls. */
export interface Act {
  readonly verb: Verb;
  readonly kind: Kind;
  readonly name: string;
  readonly key: string;
  readonly value: string;
  readonly dryRun: boolean;
  /** A validating webhook denies it. */
  readonly denied: boolean;
  /** One per webhook call. */
  readonly during: readonly (Act | undefined)[];
}

export interface Kind {
  readonly resource: string;
  readonly collection: string;
  readonly head: JsonObject;
  readonly body: JsonObject;
  readonly hasScale?: boolean;
}

const labels = { app: 'a' };
const kinds: readonly Kind[] = [
  {
    resource: 'configmaps',
    collection: '/api/v1/namespaces/default/configmaps',
    head: { apiVersion: 'v1', kind: 'ConfigMap' },
    body: {},
  },
  {
    // Created by PUT.
    resource: 'limitranges',
    collection: '/api/v1/namespaces/default/limitranges',
    head: { apiVersion: 'v1', kind: 'LimitRange' },
    body: { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } },
  },
  {
    // Created by PUT, never updated without a resourceVersion.
    resource: 'leases',
    collection: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    head: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
    body: { spec: { holderIdentity: 'h' } },
  },
  {
    resource: 'deployments',
    collection: '/apis/apps/v1/namespaces/default/deployments',
    head: { apiVersion: 'apps/v1', kind: 'Deployment' },
    body: {
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    hasScale: true,
  },
];

export const resources = kinds.map(({ resource }) => resource);

const pick = <T>(random: Random, list: readonly T[]): T => {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
};

/** Deletions and finalizers cause most races. */
const weightedVerbs: readonly Verb[] = [...verbs, 'delete', 'hold', 'hold', 'release', 'release'];

/** Few objects, fields and values: most acts conflict with others, and many change nothing. */
export function generateAct(random: Random, about?: Pick<Act, 'kind' | 'name'>): Act {
  const { kind, name } = about ?? { kind: pick(random, kinds), name: pick(random, ['x', 'y']) };
  const all =
    kind.hasScale === true ? weightedVerbs : weightedVerbs.filter((verb) => verb !== 'status' && verb !== 'scale');
  const isClient = about === undefined;
  const during = isClient
    ? [0, 1, 2].map(() =>
        random() < 0.3 ? generateAct(random, random() < 0.9 ? { kind, name } : pickObject(random)) : undefined,
      )
    : [];
  return {
    verb: pick(random, all),
    kind,
    name,
    key: pick(random, ['a', 'b']),
    value: pick(random, ['0', '1']),
    dryRun: random() < 0.05,
    denied: isClient && random() < 0.05,
    during,
  };
}

const pickObject = (random: Random): Pick<Act, 'kind' | 'name'> => ({
  kind: pick(random, kinds),
  name: pick(random, ['x', 'y']),
});

export const finalizer = 'example.com/hold';

type Wire = readonly [method: string, path: string, body: unknown, more: SendOptions];

const withContentType = (contentType: string): SendOptions => ({ contentType: `application/${contentType}` });
const merge = withContentType('merge-patch+json');

/** The request on the wire; `resourceVersion` is the stored one at that time. */
export function requestOf({ verb, kind, name, key, value, dryRun }: Act, resourceVersion: string): Wire {
  const { collection, head, body } = kind;
  const item = `${collection}/${name}`;
  const metadata = { name, annotations: { [key]: value } };
  const whole = { ...head, ...body, metadata };
  const queryOf = (...parts: readonly string[]): string =>
    [...parts, ...(dryRun ? ['dryRun=All'] : [])].map((part, at) => (at === 0 ? `?${part}` : `&${part}`)).join('');
  const query = queryOf();
  const requests: Readonly<Record<Verb, Wire>> = {
    post: ['POST', `${collection}${query}`, whole, {}],
    put: ['PUT', `${item}${query}`, whole, {}],
    'put at version': ['PUT', `${item}${query}`, { ...whole, metadata: { ...metadata, resourceVersion } }, {}],
    merge: ['PATCH', `${item}${query}`, { metadata }, merge],
    'merge at version': ['PATCH', `${item}${query}`, { metadata: { ...metadata, resourceVersion } }, merge],
    json: [
      'PATCH',
      `${item}${query}`,
      [{ op: 'add', path: `/metadata/annotations/${key}`, value }],
      withContentType('json-patch+json'),
    ],
    strategic: ['PATCH', `${item}${query}`, { metadata }, withContentType('strategic-merge-patch+json')],
    apply: [
      'PATCH',
      `${item}${queryOf('force=true', `fieldManager=m-${key}`)}`,
      whole,
      withContentType('apply-patch+yaml'),
    ],
    hold: ['PATCH', `${item}${query}`, { metadata: { finalizers: [finalizer] } }, merge],
    release: ['PATCH', `${item}${query}`, { metadata: { finalizers: null } }, merge],
    delete: ['DELETE', `${item}${query}`, undefined, {}],
    'delete at version': ['DELETE', `${item}${queryOf(`resourceVersion=${resourceVersion}`)}`, undefined, {}],
    status: ['PATCH', `${item}/status${query}`, { status: { replicas: Number(value) } }, merge],
    scale: ['PATCH', `${item}/scale${query}`, { spec: { replicas: Number(value) + 2 } }, merge],
  };
  return requests[verb];
}
