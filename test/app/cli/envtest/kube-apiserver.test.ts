import { afterEach, expect, test, vi } from 'vitest';
import { kubeApiserver, selectRelease } from '../../../../src/app/cli/envtest/kube-apiserver.ts';
import type { CommandContext } from '../../../../src/app/cli/command-context.ts';
import { ConfigError } from '../../../../src/adapters/config/config-error.ts';
import type { ServerConfig } from '../../../../src/adapters/config/server-config.ts';
import { readYamlBody } from '../../../../src/adapters/http/body-formats.ts';

afterEach(() => vi.unstubAllEnvs());

/** With what configuration the launcher would start; what goes wrong in a start ends it at once. */
async function startedWith(args: readonly string[]): Promise<ServerConfig | undefined> {
  let seen: ServerConfig | undefined;
  const parts: CommandContext = {
    startApiserver: (config) => {
      seen = config;
      return Promise.reject(new ConfigError('enough'));
    },
    startOwnServer: () => Promise.reject(new Error('no server')),
    runCommand: () => Promise.reject(new Error('no commands')),
    openTraces: () => Promise.reject(new Error('no traces')),
    createWorlds: () => Promise.reject(new Error('no scenarios')),
    readYaml: readYamlBody,
    runningPlugins: () => Promise.resolve([]),
    admissionPlugins: () => Promise.resolve({ inOrder: ['AlwaysAdmit'], byDefault: [] }),
  };
  await kubeApiserver([...needed, ...args], { out: () => {}, error: () => {} }, parts);
  return seen;
}

const needed = [
  '--etcd-servers=http://127.0.0.1:1',
  '--service-account-issuer=https://a.b',
  '--service-account-key-file=k',
  '--service-account-signing-key-file=k',
];

test.each([
  [[], '', ''],
  [['--emulated-version=1.35'], '', '1.35'],
  [['--emulated-version=kube=1.34'], '', '1.34'],
  [['--emulated-version=1.37'], '', ''],
  [['--emulated-version=1.34'], '1.35', '1.35'],
])('%j with KADMIT_KUBERNETES_VERSION=%j is the release %j', async (args, variable, release) => {
  vi.stubEnv('KADMIT_KUBERNETES_VERSION', variable);
  expect((await startedWith(args))?.kubernetesVersion).toBe(release);
});

const known = 'is not a supported release: 1.33, 1.34, 1.35, 1.36, 1.37';

test.each([
  ['/a/dist/envtest/kube-apiserver', '', 'v1.37.2', ''],
  ['/a/dist/envtest/kube-apiserver', '1.33', 'v1.33.0', '1.33'],
  ['/a/dist/envtest/kube-apiserver', 'v1.34.1', 'v1.34.1', 'v1.34.1'],
  ['/a/dist/envtest/kube-apiserver', '1.36', 'v1.36.2', '1.36'],
  ['/home/me/.local/share/kubebuilder-envtest/k8s/1.33.0-linux-amd64/kube-apiserver', '', 'v1.33.0', '1.33.0'],
  ['/bin/k8s/1.35.1-darwin-arm64/kube-apiserver', '', 'v1.35.1', '1.35.1'],
  // What is said goes before where it lies.
  ['/bin/k8s/1.33.0-linux-amd64/kube-apiserver', '1.36', 'v1.36.2', '1.36'],
  // A folder above is none of versions.
  ['/bin/1.33.0-linux-amd64/sub/kube-apiserver', '', 'v1.37.2', ''],
])('%s with %j is Kubernetes %s', (program, variable, version, argument) => {
  expect(selectRelease(program, variable)).toEqual({ outcome: 'known', version, argument });
});

test.each([
  ['/a/kube-apiserver', '1.32', `KADMIT_KUBERNETES_VERSION: "1.32" ${known}`],
  [
    '/k8s/1.32.0-linux-amd64/kube-apiserver',
    '',
    `the folder of /k8s/1.32.0-linux-amd64/kube-apiserver: "1.32.0" ${known}`,
  ],
])('%s with %j is refused', (program, variable, problem) => {
  expect(selectRelease(program, variable)).toEqual({ outcome: 'unknown', problem });
});
