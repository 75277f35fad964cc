import { asList, asObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok } from '../../apimachinery/result.ts';
import { namespaceRules } from './namespaces.ts';
import { podRules } from './pods.ts';
import type { ResourceRules } from './resource-rules.ts';
import { serviceRules } from './services.ts';
import { persistentVolumeClaimRules, persistentVolumeRules } from './volumes.ts';
import { withField } from './with-field.ts';

/** The resources of the core group but the workloads. Follows kubernetes pkg/registry/core. */
export const coreRules: Readonly<Record<string, ResourceRules>> = {
  '/pods': podRules,
  '/services': serviceRules,
  '/namespaces': namespaceRules,
  '/persistentvolumeclaims': persistentVolumeClaimRules,
  '/persistentvolumes': persistentVolumeRules,
  '/configmaps': {},
  '/secrets': {
    prepareForUpdate: (secret, old) =>
      ok(secret['type'] === undefined || secret['type'] === '' ? withField(secret, 'type', old['type']) : secret),
  },
  '/serviceaccounts': {
    returnsDeletedObject: true,
    prepareForCreate: (account) => ok(withSecretNamesOnly(account)),
    prepareForUpdate: (account) => ok(withSecretNamesOnly(account)),
  },
  '/limitranges': { allowCreateOnUpdate: true },
  '/resourcequotas': { returnsDeletedObject: true, emptyStatus: {} },
  '/nodes': {
    scope: 'Cluster',
    prepareForUpdate: (node, old, subresource) =>
      ok(subresource === '' ? withField(node, 'status', old['status']) : node),
  },
};

/** Of the references to secrets only the names are kept. */
function withSecretNamesOnly(account: KubernetesObject): KubernetesObject {
  const secrets = asList(account['secrets']);
  if (secrets.every((secret) => Object.keys(asObject(secret)).every((field) => field === 'name'))) return account;
  const names = secrets.map((secret) => asObject(secret)['name']);
  return withField(
    account,
    'secrets',
    names.map((name) => (name === undefined ? {} : { name })),
  );
}
