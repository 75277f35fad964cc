import type { Random } from '../../apimachinery/clock.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { randomSuffix } from '../../apimachinery/random-suffix.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const namePrefix = 'kube-api-access-';

/**
 * A pod spec in which every container that mounts nothing there has the token of the ServiceAccount.
 * Follows kubernetes plugin/pkg/admission/serviceaccount/admission.go mountServiceAccountToken.
 */
export function withTokenVolume(spec: JsonObject, random: Random): JsonObject {
  const volumes = asList(spec['volumes']);
  const present = volumes.map((volume) => asString(asObject(volume)['name'])).find(isTokenVolume);
  const name = present ?? `${namePrefix}${randomSuffix(random)}`;

  const mounted = Object.fromEntries(
    ['initContainers', 'containers'].map((field) => [field, withMounts(spec[field], name)]),
  );
  if (Object.keys(mounted).every((field) => mounted[field] === spec[field])) return spec;
  const allVolumes = present === undefined ? [...volumes, tokenVolume(name)] : spec['volumes'];
  return { ...spec, ...mounted, volumes: allVolumes };
}

const isTokenVolume = (name: string): boolean => name.startsWith(namePrefix);

/** The same list when every container mounts something at the path. */
function withMounts(containers: JsonValue | undefined, name: string): JsonValue | undefined {
  const all = asList(containers).map(asObject);
  if (all.every(mountsAtPath)) return containers;
  return all.map((container) => (mountsAtPath(container) ? container : withMount(container, name)));
}

const mountsAtPath = (container: JsonObject): boolean =>
  asList(container['volumeMounts']).some((mount) => asObject(mount)['mountPath'] === mountPath);

const withMount = (container: JsonObject, name: string): JsonObject => ({
  ...container,
  volumeMounts: [...asList(container['volumeMounts']), { name, readOnly: true, mountPath }],
});

/** Three projections; the token lives a little over an hour so that its use past the hour can be noticed. */
const tokenVolume = (name: string): JsonObject => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
});
