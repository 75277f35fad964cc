import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder } from '../../../adapters/files/make-folder.ts';
import { schemaFor } from '../package-file.ts';
import { exitCodes, type Io } from '../terminal/io.ts';

/** `kadmit test --init FOLDER`. Throws ConfigError. */
export function initScenario(folder: string, io: Io): number {
  const file = join(folder, 'scenario.yaml');
  if (existsSync(file)) throw new ConfigError(`--init ${folder}: scenario.yaml exists already`);
  try {
    makeFolder(folder, 0o777);
    writeFileSync(file, firstScenario(schemaFor(folder)));
    if (!existsSync(join(folder, 'pod.yaml'))) writeFileSync(join(folder, 'pod.yaml'), pod);
  } catch (error) {
    throw new ConfigError(`--init ${folder}: ${errorText(error)}`);
  }
  io.out(`wrote ${file} and pod.yaml; run it with: kadmit test ${folder}`);
  return exitCodes.fine;
}

const firstScenario = (schema: string): string => `# yaml-language-server: $schema=${schema}
name: privileged Pods are refused
namespaces: { shop: {} }
webhooks:
  # A stub. To use your own configuration and webhook instead: load: [configuration.yaml], and here its name with to: URL.
  - name: no-privileged.example.com
    type: validating
    rules: CREATE pods
    does: { deny: privileged containers are not allowed }
steps:
  - create: pod.yaml
    namespace: shop
    expect:
      deniedBy: no-privileged.example.com
      message: /privileged containers/
  # An object with finalizers that is deleted stays until they are removed by updates. A webhook that denies these keeps it for ever.
  - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: held, finalizers: [example.com/held] } }
    namespace: shop
  - delete: configmap/held
    namespace: shop
  - name: delete, then remove finalizers
    patch: configmap/held
    namespace: shop
    merge: { metadata: { finalizers: null } }
    expect: { outcome: admitted }
`;

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: web, image: nginx, securityContext: { privileged: true } }
`;
