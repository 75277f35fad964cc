import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { enabledNames } from '../../../../src/apiserver/admission/plugins/plugin-order.ts';
import { defaultSettings } from '../../../../src/apiserver/admission/plugins/plugin-settings.ts';
import type { ConfigurationFiles } from '../../../../src/apiserver/admission/configuration/admission-configuration.ts';
import { readSettings, type SettingsReading } from '../../../../src/apiserver/admission/configuration/read-settings.ts';
import { commandFailed } from '../../../../src/adapters/config/config-error.ts';

interface Start {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly stderrLastLine?: string;
  readonly exitCode?: number;
}

const filesOf = (files: Start['files']): ConfigurationFiles => ({
  read: (path) => {
    const text = files[path.replace('$DIR/', '')];
    return text === undefined ? { ok: false, error: 'no such file or directory' } : { ok: true, value: text };
  },
  beside: (_from, path) => (path.startsWith('$DIR/') ? path : `$DIR/${path}`),
  isAbsolute: (path) => path.startsWith('$DIR/') || path.startsWith('/'),
  isFolder: (path) =>
    path === '/gone' ? { ok: false, error: `stat ${path}: gone` } : { ok: true, value: path === '/m' },
  hasStaticManifests: false,
});

/** The value of a flag, or ''. */
const flag = (flags: readonly string[], name: string): string =>
  flags.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';

const starts: readonly Start[] = JSON.parse(readFileSync('test/facts/startup-errors.json', 'utf8'));
/** Of plugins whose configuration is read elsewhere, or of other flags. */
const others = /^--(?!admission-control-config-file|enable-admission-plugins)|Nonsense|AlwaysPullImages/;

// Source: kube-apiserver v1.36.2, started with these flags and files.
const configured = starts.filter(
  ({ flags, files }) => ![...flags, ...Object.values(files)].some((one) => others.test(one)),
);

test.each(configured)('$flags with $files', ({ flags, files, stderrLastLine, exitCode }) => {
  const enable = flag(flags, 'enable-admission-plugins').split(',');
  const path = flag(flags, 'admission-control-config-file');
  const reading = readSettings(path, enabledNames({ enable, disable: [] }), filesOf(files));
  expect(endOf(reading)).toEqual({ line: stderrLastLine, exitCode });
});

/** How such a start ends; without line and code when it does not. */
function endOf(reading: SettingsReading): Pick<Start, 'exitCode'> & { readonly line?: string } {
  if (reading.outcome === 'read') return {};
  const { error, exitCode } = reading;
  return { line: exitCode === 255 ? error : commandFailed(error).message, exitCode };
}

test('enough starts are compared', () => {
  expect(configured.length).toBeGreaterThan(20);
});

const configuration = (plugin: string, fields: object): ConfigurationFiles =>
  filesOf({
    'a.yaml': JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [{ name: plugin, configuration: fields }],
    }),
  });

// Source: profiles p-* of the recorded servers.
const reported: readonly [plugin: string, fields: object, settings: object][] = [
  [
    'PodSecurity',
    {
      apiVersion: 'pod-security.admission.config.k8s.io/v1beta1',
      kind: 'PodSecurityConfiguration',
      defaults: { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.30' },
      exemptions: { usernames: ['u'], namespaces: ['n'], runtimeClasses: ['c'] },
    },
    {
      podSecurity: {
        defaults: {
          enforce: { level: 'baseline', minor: Infinity },
          audit: { level: 'privileged', minor: Infinity },
          warn: { level: 'restricted', minor: 30 },
        },
        exemptions: { usernames: ['u'], namespaces: ['n'], runtimeClasses: ['c'] },
      },
    },
  ],
  [
    'EventRateLimit',
    {
      apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      limits: [
        { type: 'User', qps: 2, burst: 3 },
        { type: 'Namespace', qps: 1, burst: 1, cacheSize: 7 },
      ],
    },
    {
      eventLimits: [
        { type: 'User', qps: 2, burst: 3, cacheSize: 4096 },
        { type: 'Namespace', qps: 1, burst: 1, cacheSize: 7 },
      ],
    },
  ],
  [
    'PodNodeSelector',
    { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b', ns: 'c=d' } },
    { nodeSelectors: new Map(Object.entries({ clusterDefaultNodeSelector: 'a=b', ns: 'c=d' })) },
  ],
  [
    'ResourceQuota',
    {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'ResourceQuotaConfiguration',
      limitedResources: [
        {
          apiGroup: 'apps',
          resource: 'deployments',
          matchContains: ['count/'],
          matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['x'] }],
        },
      ],
    },
    {
      limitedResources: [
        {
          resource: { group: 'apps', resource: 'deployments' },
          matchContains: ['count/'],
          matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['x'] }],
        },
      ],
    },
  ],
];
test.each(reported)('%s receives its configuration', (plugin, fields, settings) => {
  expect(readSettings('$DIR/a.yaml', [plugin], configuration(plugin, fields))).toEqual({
    outcome: 'read',
    settings: { ...defaultSettings, ...settings },
  });
});

test('a plugin that does not run is not asked what it thinks of its configuration', () => {
  const files = configuration('EventRateLimit', { nonsense: true });
  expect(readSettings('$DIR/a.yaml', ['PodSecurity'], files)).toMatchObject({ outcome: 'read' });
});

const refusedFolder = (plugin: string): string =>
  `failed to apply admission: couldn't init admission plugin "${plugin}": staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled`;

const pluginKinds = [
  ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyConfiguration'],
  ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyConfiguration'],
  ['ValidatingAdmissionWebhook', 'WebhookAdmissionConfiguration'],
] as const;

/** A configuration of one plugin, as that plugin alone reads it. */
const readingOf = (plugin: string, kind: string, fields: object, hasStaticManifests = false): SettingsReading => {
  const own = { apiVersion: 'apiserver.config.k8s.io/v1', kind, ...fields };
  const plugins = [{ name: plugin, configuration: own }];
  const whole = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins };
  const files = { ...filesOf({ 'a.yaml': JSON.stringify(whole) }), hasStaticManifests };
  return readSettings('$DIR/a.yaml', [plugin], files);
};

// Source: apiserver pkg/admission/plugin/manifest/validation.go, plugin/policy/config/config.go, plugin/webhook/config/kubeconfig.go.
test.each(pluginKinds)('%s: a folder of manifests is refused, none is fine, a typo is not', (plugin, kind) => {
  expect(readingOf(plugin, kind, { staticManifestsDir: '/m' })).toMatchObject({
    outcome: 'failed',
    error: refusedFolder(plugin),
  });
  expect(readingOf(plugin, kind, {})).toMatchObject({ outcome: 'read', settings: defaultSettings });
  expect(readingOf(plugin, kind, { staticManifestDir: '/m' })).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('unknown field "staticManifestDir"'),
  });
});

// Source: apiserver pkg/admission/plugin/manifest/validation.go ValidateStaticManifestsDir.
test.each([
  ['m', 'staticManifestsDir: Invalid value: "m": must be an absolute file path'],
  ['/gone', 'staticManifestsDir: Invalid value: "/gone": unable to read: stat /gone: gone'],
  ['/file', 'staticManifestsDir: Invalid value: "/file": must be a directory'],
])('with the feature on, %j is no folder of manifests', (folder, error) => {
  for (const [plugin, kind] of pluginKinds) {
    expect(readingOf(plugin, kind, { staticManifestsDir: folder }, true)).toMatchObject({
      outcome: 'failed',
      error: `failed to apply admission: couldn't init admission plugin "${plugin}": ${error}`,
    });
  }
});

test('with the feature on, every plugin has its folder', () => {
  for (const [plugin, kind] of pluginKinds) {
    expect(readingOf(plugin, kind, { staticManifestsDir: '/m' }, true)).toMatchObject({
      outcome: 'read',
      settings: { staticFolders: new Map([[plugin, '/m']]) },
    });
  }
});
