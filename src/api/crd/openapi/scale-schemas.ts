import type { JsonObject } from '../../../machinery/json/json.ts';
import { typeMetaProperties, conventions } from './published-schema.ts';

const prefix = '#/components/schemas/';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const part = (name: string, description: string): JsonObject => ({
  description,
  default: {},
  allOf: [{ $ref: `${prefix}${name}` }],
});

/** Follows kubernetes staging/src/k8s.io/api/autoscaling/v1/types.go. */
export const scaleSchemas: JsonObject = {
  'io.k8s.api.autoscaling.v1.Scale': {
    description: 'Scale represents a scaling request for a resource.',
    type: 'object',
    properties: {
      ...typeMetaProperties,
      metadata: part(meta, `Standard object metadata; More info: ${conventions}#metadata.`),
      spec: part(
        'io.k8s.api.autoscaling.v1.ScaleSpec',
        `spec defines the behavior of the scale. More info: ${conventions}#spec-and-status.`,
      ),
      status: part(
        'io.k8s.api.autoscaling.v1.ScaleStatus',
        `status is the current status of the scale. More info: ${conventions}#spec-and-status. Read-only.`,
      ),
    },
    'x-kubernetes-group-version-kind': [{ group: 'autoscaling', kind: 'Scale', version: 'v1' }],
  },
  'io.k8s.api.autoscaling.v1.ScaleSpec': {
    description: 'ScaleSpec describes the attributes of a scale subresource.',
    type: 'object',
    properties: {
      replicas: {
        description: 'replicas is the desired number of instances for the scaled object.',
        type: 'integer',
        format: 'int32',
        default: 0,
      },
    },
  },
  'io.k8s.api.autoscaling.v1.ScaleStatus': {
    description: 'ScaleStatus represents the current status of a scale subresource.',
    type: 'object',
    required: ['replicas'],
    properties: {
      replicas: {
        description: 'replicas is the actual number of observed instances of the scaled object.',
        type: 'integer',
        format: 'int32',
        default: 0,
      },
      selector: {
        description:
          'selector is the label query over pods that should match the replicas count. This is same as the label selector but in the string format to avoid introspection by clients. The string will be in the same format as the query-param syntax. More info about label selectors: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/',
        type: 'string',
      },
    },
  },
};
