import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { tlsPairWarnings } from '../validation/core/tls-pair.ts';
import { accountWarnings, nodeWarnings, quotaWarnings } from './deprecation-warnings.ts';
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
    warningsOnCreate: tlsPairWarnings,
    warningsOnUpdate: tlsPairWarnings,
    prepareForUpdate: (secret, old) =>
      ok(secret['type'] === undefined || secret['type'] === '' ? withField(secret, 'type', old['type']) : secret),
  },
  '/serviceaccounts': {
    warningsOnCreate: (account) => accountWarnings(account),
    warningsOnUpdate: accountWarnings,
    returnsDeletedObject: true,
    prepareForCreate: (account) => ok(withSecretNamesOnly(account)),
    prepareForUpdate: (account) => ok(withSecretNamesOnly(account)),
  },
  '/limitranges': {
    allowCreateOnUpdate: true,
    prepareForCreate: (range, { newUid }) => ok(named(range, newUid)),
  },
  '/resourcequotas': { returnsDeletedObject: true, emptyStatus: {}, warningsOnCreate: quotaWarnings },
  '/nodes': {
    scope: 'Cluster',
    warningsOnCreate: nodeWarnings,
    warningsOnUpdate: (node, _old, subresource) => (subresource === '' ? nodeWarnings(node) : []),
    prepareForCreate: (node) => ok(withoutConfigSource(node)),
    prepareForUpdate: (node, old, subresource) => {
      const hadSource = asObject(old['spec'])['configSource'] !== undefined;
      const kept = hadSource ? node : withoutConfigSource(node);
      return ok(subresource === '' ? withField(kept, 'status', old['status']) : kept);
    },
  },
};

/** A field of the past, dropped where it is new. Follows kubernetes pkg/registry/core/node/strategy.go dropDisabledFields. */
function withoutConfigSource(node: KubernetesObject): KubernetesObject {
  const { configSource, ...spec } = asObject(node['spec']);
  return configSource === undefined ? node : withField(node, 'spec', spec);
}

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

/** Of all kinds only this one is given a name. Follows kubernetes pkg/registry/core/limitrange/strategy.go. */
const named = (range: KubernetesObject, newName: () => string): KubernetesObject =>
  asString(metadataOf(range).name) === '' ? withMetadata(range, { name: newName() }) : range;
