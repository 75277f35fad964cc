import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../src/machinery/json/json.ts';
import type { ReviewRequest, Respond } from './admission.ts';
import type { RequestStory, Hook, SentRequest } from './trace-requests.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

/** Rules for the creation of Pods. */
export const onPods = {
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
};

/** A mutating webhook for Pods in its own configuration. */
export const podHook = (configuration: string, name: string, more: object = {}): Hook => ({
  in: configuration,
  name,
  ...onPods,
  ...more,
});

export const again = { reinvocationPolicy: 'IfNeeded' } as const;

export const podOf = (more: JsonObject = {}, metadata: JsonObject = {}): SentRequest => [
  'POST',
  '/api/v1/namespaces/default/pods',
  { metadata: { name: 'web', ...metadata }, spec: { containers: [{ name: 'web', image: 'web:1' }], ...more } },
];

/** Creates a Pod with these webhooks. */
export const podStory = (
  mutating: readonly Hook[],
  responses: RequestStory['responses'] = {},
  more: Partial<RequestStory> = {},
): RequestStory => ({
  before: [['POST', accounts, { metadata: { name: 'default' } }]],
  mutating,
  responses,
  sent: [podOf()],
  ...more,
});

export const add = (path: string, value: JsonValue): JsonObject => ({ op: 'add', path, value });

/** Responds with this patch to every call. */
export const always =
  (...patch: readonly JsonObject[]): Respond =>
  () => ({ patch });

/** Adds the item unless the list has one with its name. */
export const inject =
  (list: string, item: JsonObject): Respond =>
  ({ object }) =>
    itemsOf(object, list).some(({ name }) => name === item['name']) ? {} : { patch: [addItem(object, list, item)] };

export const addItem = (object: JsonValue, list: string, item: JsonObject): JsonObject =>
  valueAt(object, 'spec', list) === undefined ? add(`/spec/${list}`, [item]) : add(`/spec/${list}/-`, item);

export const itemsOf = (object: JsonValue | undefined, list: string): readonly JsonObject[] =>
  asList(valueAt(object, 'spec', list)).map(asObject);

/** Adds the variable to each container without it. */
export const envForEach =
  (name: string, value = 'x'): Respond =>
  ({ object }) => ({
    patch: itemsOf(object, 'containers').flatMap(({ env }, at) => {
      if (asList(env).some((one) => asObject(one)['name'] === name)) return [];
      const path = `/spec/containers/${at}/env`;
      return [env === undefined ? add(path, [{ name, value }]) : add(`${path}/-`, { name, value })];
    }),
  });

/** Responds differently to the first call and to later ones. */
export const firstThen =
  (first: Respond, then: Respond): Respond =>
  (request, turn, timeoutMs) =>
    (turn === 1 ? first : then)(request, turn, timeoutMs);

export const imageOf = (request: ReviewRequest, at: number): string =>
  asString(itemsOf(request.object, 'containers')[at]?.['image']);
