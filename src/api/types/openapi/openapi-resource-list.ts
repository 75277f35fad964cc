import type { JsonObject } from '../../../machinery/json/json.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const text: JsonObject = { type: 'string' };
const named: JsonObject = { type: 'string', default: '' };
const texts: JsonObject = { type: 'array', items: named, 'x-kubernetes-list-type': 'atomic' };
const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${meta}.${name}` });

/** What the root of a version answers; no other object has these types. Follows apimachinery pkg/apis/meta/v1/types.go. */
export const resourceListSchemas: JsonObject = {
  [`${meta}.APIResource`]: {
    type: 'object',
    required: ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
    properties: {
      categories: texts,
      group: text,
      kind: named,
      name: named,
      namespaced: { type: 'boolean', default: false },
      shortNames: texts,
      singularName: named,
      storageVersionHash: text,
      verbs: { type: 'array', items: named },
      version: text,
    },
  },
  [`${meta}.APIResourceList`]: {
    type: 'object',
    required: ['groupVersion', 'resources'],
    properties: {
      apiVersion: text,
      groupVersion: named,
      kind: text,
      resources: {
        type: 'array',
        items: { default: {}, allOf: [refTo('APIResource')] },
        'x-kubernetes-list-type': 'atomic',
      },
    },
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'APIResourceList', version: 'v1' }],
  },
};

/** `GET /apis/apps/v1/`. Follows apiserver pkg/endpoints/discovery/version.go. */
export const resourceListPath: JsonObject = {
  get: {
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: refTo('APIResourceList') } } },
      '401': { description: 'Unauthorized' },
    },
  },
};
