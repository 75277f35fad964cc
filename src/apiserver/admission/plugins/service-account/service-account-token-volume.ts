import type { Random } from '../../../../machinery/clock.ts';
import { asList, asString } from '../../../../machinery/json/json.ts';
import type { Container, PodSpec, Volume } from '../../../../api/types/generated/core-v1.ts';
import { randomSuffix } from '../../../../machinery/meta/random-suffix.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const namePrefix = 'kube-api-access-';

/**
 * A pod spec in which every container that mounts nothing there has the token of the ServiceAccount.
 * Follows kubernetes plugin/pkg/admission/serviceaccount/admission.go mountServiceAccountToken.
 */
export function withTokenVolume(spec: PodSpec, random: Random): PodSpec {
  const volumes = asList(spec.volumes);
  const present = volumes.map((volume) => asString(volume.name)).find(isTokenVolume);
  const name = present ?? `${namePrefix}${randomSuffix(random)}`;

  const fields = (['initContainers', 'containers'] as const).filter((field) => spec[field] !== undefined);
  const mounted = Object.fromEntries(fields.map((field) => [field, withMounts(spec[field], name)]));
  if (fields.every((field) => mounted[field] === spec[field])) return spec;
  return { ...spec, ...mounted, volumes: present === undefined ? [...volumes, tokenVolume(name)] : volumes };
}

const isTokenVolume = (name: string): boolean => name.startsWith(namePrefix);

/** The same list when every container mounts something at the path. */
function withMounts(
  containers: readonly Container[] | null | undefined,
  name: string,
): readonly Container[] | null | undefined {
  const all = asList(containers);
  if (all.every(mountsAtPath)) return containers;
  return all.map((container) => (mountsAtPath(container) ? container : withMount(container, name)));
}

const mountsAtPath = (container: Container): boolean =>
  asList(container.volumeMounts).some((mount) => mount.mountPath === mountPath);

const withMount = (container: Container, name: string): Container => ({
  ...container,
  volumeMounts: [...asList(container.volumeMounts), { name, readOnly: true, mountPath }],
});

/** Three projections; the token lives a little over an hour so that its use past the hour can be noticed. */
const tokenVolume = (name: string): Volume => ({
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
