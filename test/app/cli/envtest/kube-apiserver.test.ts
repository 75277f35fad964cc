import { afterEach, expect, test, vi } from 'vitest';
import { kubeApiserver } from '../../../../src/app/cli/envtest/kube-apiserver.ts';
import type { CommandContext } from '../../../../src/app/cli/command.ts';
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
