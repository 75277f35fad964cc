import { parseApiVersion } from '../../apimachinery/gvk.ts';
import { asObject, asString, isJsonObject, withValue } from '../../apimachinery/json.ts';
import type { JsonDocument } from '../../apimachinery/json.ts';
import { plainValue } from '../../apimachinery/json-reader.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { badRequest } from '../../apimachinery/status.ts';
import type { ApplyStep } from '../../stages/stage.ts';
import { applyContentType } from '../../stages/step-request.ts';
import type { Client } from '../client.ts';
import { unknownKind } from '../manifest.ts';
import { pathOf } from '../served-resources.ts';
import type { ServedResources } from '../served-resources.ts';
import { namespaceOf } from '../workloads/fields.ts';

export interface ApplyPorts {
  readonly client: Client;
  readonly served: ServedResources;
  /** Whose namespace it gets when it names none. */
  readonly beside: KubernetesObject;
}

/** Makes the object of a template, or patches the one that is there. Follows KWOK pkg/utils/lifecycle/apply.go. */
export async function applyObject(
  step: ApplyStep,
  made: JsonDocument,
  { client, served, beside }: ApplyPorts,
): Promise<Result<unknown>> {
  const value = plainValue(made);
  const kind = { ...parseApiVersion(asString(asObject(value)['apiVersion'])), kind: asString(asObject(value)['kind']) };
  if (!isJsonObject(value) || kind.kind === '')
    return refuse(badRequest('the template must include apiVersion and kind'));
  const resource = served.forKind(kind);
  if (!resource) return refuse(badRequest(unknownKind(kind)));
  const metadata = asObject(value['metadata']);
  const namespace = resource.namespaced ? asString(metadata['namespace']) || namespaceOf(beside) : '';
  const body = resource.namespaced ? withValue(value, ['metadata', 'namespace'], namespace) : value;
  const path = pathOf(resource, namespace, asString(metadata['name']));
  const query = step.patchType === 'apply' ? { fieldManager: 'kwok', force: 'true' } : {};
  const patch = { method: 'PATCH', query, body, contentType: applyContentType(step) } as const;
  if (step.subresource !== '') return client({ ...patch, path: `${path}/${step.subresource}` });
  const created = await client({ method: 'POST', path: pathOf(resource, namespace), body });
  if (created.ok || created.status.reason !== 'AlreadyExists') return created;
  return client({ ...patch, path });
}
