import { asList, asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';

const secretFields: Readonly<Record<string, readonly string[]>> = {
  azureFile: ['secretName'],
  cephfs: ['secretRef', 'name'],
  cinder: ['secretRef', 'name'],
  csi: ['nodePublishSecretRef', 'name'],
  flexVolume: ['secretRef', 'name'],
  iscsi: ['secretRef', 'name'],
  rbd: ['secretRef', 'name'],
  scaleIO: ['secretRef', 'name'],
  secret: ['secretName'],
  storageos: ['secretRef', 'name'],
};

/** Follows kubernetes pkg/api/v1/pod/util.go VisitPodSecretNames. */
export function secretsOf(spec: JsonObject): readonly string[] {
  const volumes = asList(spec['volumes']);
  return [
    ...asList(spec['imagePullSecrets']).map((one) => nameIn(one, 'name')),
    ...fromContainers(spec, 'secretRef', 'secretKeyRef'),
    ...volumes.flatMap((volume) =>
      Object.entries(secretFields).map(([source, path]) => nameIn(volume, source, ...path)),
    ),
    ...projected(volumes, 'secret'),
  ];
}

export function configMapsOf(spec: JsonObject): readonly string[] {
  const volumes = asList(spec['volumes']);
  return [
    ...fromContainers(spec, 'configMapRef', 'configMapKeyRef'),
    ...volumes.map((volume) => nameIn(volume, 'configMap', 'name')),
    ...projected(volumes, 'configMap'),
  ];
}

export const claimNamesOfPod = (spec: JsonObject, podName: string): readonly string[] =>
  asList(spec['volumes'])
    .map(asObject)
    .map((volume) =>
      volume['ephemeral'] === undefined
        ? nameIn(volume, 'persistentVolumeClaim', 'claimName')
        : `${podName}-${asString(volume['name'])}`,
    );

type Value = Parameters<typeof asObject>[0];

const nameIn = (value: Value, ...path: readonly string[]): string => asString(valueAt(asObject(value), ...path));

function fromContainers(spec: JsonObject, all: string, one: string): readonly string[] {
  const fields = ['initContainers', 'containers', 'ephemeralContainers'];
  const containers = fields.flatMap((field) => asList(spec[field])).map(asObject);
  return containers.flatMap(({ env, envFrom }) => [
    ...asList(envFrom).map((source) => nameIn(source, all, 'name')),
    ...asList(env).map((variable) => nameIn(variable, 'valueFrom', one, 'name')),
  ]);
}

const projected = (volumes: readonly Value[], source: string): readonly string[] =>
  volumes.flatMap((volume) =>
    asList(valueAt(asObject(volume), 'projected', 'sources')).map((one) => nameIn(one, source, 'name')),
  );
