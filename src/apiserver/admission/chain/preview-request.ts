import { apiVersionOf, type GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { allAuthenticated, groupsOfServiceAccount, parseServiceAccountUsername } from '../../auth/user.ts';
import type { Catalogue, ResourceInfo } from '../../../api/types/catalogue/catalogue.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';

export interface PreviewRequest {
  readonly attributes: AdmissionAttributes;
  /** Without it, results that need labels or fields stay open. */
  readonly isObjectKnown: boolean;
}

const operations: ReadonlyMap<string, Operation> = new Map([
  ['create', 'CREATE'],
  ['update', 'UPDATE'],
  ['patch', 'UPDATE'],
  ['delete', 'DELETE'],
  ['connect', 'CONNECT'],
]);

/**
 * Reads `verb`, `group`, `version`, `resource`, `subresource`, `namespace`, `name`, `object`, `oldObject`, `user`,
 * `groups`; refuses unknown resources and verbs without admission.
 */
export function previewRequest(question: JsonValue, catalogue: Catalogue): Result<PreviewRequest> {
  const asked = asObject(question);
  const text = (field: string): string => asString(asked[field]);
  const operation = operations.get(text('verb'));
  if (operation === undefined) {
    return refuse(badRequest(`verb: ${JSON.stringify(text('verb'))} is none of ${[...operations.keys()].join(', ')}`));
  }
  const resource = { group: text('group'), version: text('version'), resource: text('resource') };
  const row = catalogue.find(resource, text('subresource'));
  if (!row) return refuse(badRequest(`there is no ${resourceWords(resource, text('subresource'))} on this server`));
  const name = text('name');
  const namespace = row.namespaced ? text('namespace') || 'default' : row.resource === 'namespaces' ? name : '';
  const given = objectOf(asked['object'] ?? asked['oldObject']);
  const object = given ?? standIn(row, namespace, name);
  const oldObject = operation === 'CREATE' || operation === 'CONNECT' ? null : (objectOf(asked['oldObject']) ?? object);
  return ok({
    isObjectKnown: given !== undefined,
    attributes: {
      operation,
      kind: row.kind,
      resource,
      subresource: row.subresource,
      name,
      namespace,
      object: operation === 'DELETE' ? null : object,
      oldObject,
      options: null,
      dryRun: false,
      userInfo: {
        username: text('user'),
        uid: '',
        groups: [...groupsOf(asList(asked['groups']).map(asString), text('user')), allAuthenticated],
        extra: {},
      },
    },
  });
}

/** Service accounts get their default groups. Follows apiserver pkg/endpoints/filters/impersonation.go. */
function groupsOf(given: readonly string[], username: string): readonly string[] {
  const account = given.length > 0 ? undefined : parseServiceAccountUsername(username);
  return account ? groupsOfServiceAccount(account.namespace) : given;
}

const resourceWords = ({ group, version, resource }: GroupVersionResource, subresource: string): string =>
  `${resource}${subresource === '' ? '' : `/${subresource}`} in ${apiVersionOf({ group, version })}`;

function objectOf(value: JsonValue | undefined): KubernetesObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return { ...value, kind: asString(value['kind']), apiVersion: asString(value['apiVersion']), ...metadataIn(value) };
}

const metadataIn = ({ metadata }: JsonObject): Pick<KubernetesObject, 'metadata'> =>
  isJsonObject(metadata) ? { metadata } : {};

const standIn = ({ kind, namespaced }: ResourceInfo, namespace: string, name: string): KubernetesObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { ...(name === '' ? {} : { name }), ...(namespaced ? { namespace } : {}) },
});
