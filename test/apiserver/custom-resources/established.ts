import { adminUser, createTestWorld, type TestWorld, type TestWorldOptions } from '../../harness/world.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { definitionOf, schemaOf } from '../../harness/custom-definition.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const things = '/apis/turns.dev/v1/namespaces/default/things';

const definition = (schema: JsonObject, subresources?: JsonObject) =>
  definitionOf('things.turns.dev', 'Thing', { ...schemaOf(schema), ...(subresources && { subresources }) });

/** No controller of this world says so. */
const established = {
  acceptedNames: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
  conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True', lastTransitionTime: null })),
};

/** A world that serves things, whose `spec` has this schema. */
export const worldOfThings = (spec: JsonObject): Promise<TestWorld> =>
  worldWith(definition({ type: 'object', properties: { spec } }));

/** A world that serves things with whatever fields. */
export const worldOfAnything = (): Promise<TestWorld> =>
  worldWith(definition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }));

/** A world that serves things with `/status` and a `/scale` of `spec.n`. */
export function scalableThings(): Promise<TestWorld> {
  const numbers = { type: 'object', properties: { n: { type: 'integer' } } };
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } };
  return worldWith(definition({ type: 'object', properties: { spec: numbers, status: numbers } }, subresources));
}

/** The same, where a thing may have anything in the place of its numbers. */
export function looselyScalableThings(): Promise<TestWorld> {
  const subresources = {
    scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.of.selector' },
  };
  const anything = { 'x-kubernetes-preserve-unknown-fields': true };
  return worldWith(definition({ type: 'object', properties: { spec: anything, status: anything } }, subresources));
}

/** A world that serves the things of this definition. */
export async function worldWith(body: JsonObject, options: TestWorldOptions = {}): Promise<TestWorld> {
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow', ...options });
  const as = adminUser;
  await world.send('POST', crds, body, { as });
  await world.send('PATCH', `${crds}/things.turns.dev/status`, { status: established }, { as });
  return world;
}
