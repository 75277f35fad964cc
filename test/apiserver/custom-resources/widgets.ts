import type { CallReply, WebhookCall } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const widgets = '/apis/example.com/v1/namespaces/default/widgets';

/** A definition of widgets; `spec` goes over the usual one. */
export const definition = (spec: JsonObject = {}, name = 'widgets.example.com'): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version('v1', { storage: true })],
    ...spec,
  },
});

export const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string' }, size: { type: 'integer', default: 1 } } },
      },
    },
  },
  ...more,
});

export const widget = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  ...more,
});

/** A definition of two versions whose converter has an address. */
export const converted = (reviewVersions: readonly string[] = ['v1']): JsonObject =>
  definition({
    versions: [version('v1', { storage: true }), version('v2')],
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://converter.example' }, conversionReviewVersions: reviewVersions },
    },
  });

/** What a converter is sent. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

/** The answer of a converter, made of the review; `objects` are converted by their apiVersion alone unless given. */
export function reply(
  { body }: WebhookCall,
  make: (review: Review, objects: readonly JsonObject[]) => JsonValue = converting(),
): CallReply {
  const review: Review = JSON.parse(body);
  const objects = review.request.objects.map((object) => ({ ...object, apiVersion: review.request.desiredAPIVersion }));
  const answer = JSON.stringify(make(review, objects));
  return { outcome: 'answered', code: 200, contentType: 'application/json', body: new TextEncoder().encode(answer) };
}

/** A successful answer with parts of `response` replaced. */
export const converting =
  (response: (objects: readonly JsonObject[]) => JsonObject = () => ({})) =>
  ({ apiVersion, kind, request }: Review, objects: readonly JsonObject[]): JsonObject => ({
    apiVersion,
    kind,
    response: { uid: request.uid, convertedObjects: objects, result: { status: 'Success' }, ...response(objects) },
  });
