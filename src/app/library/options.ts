import { admissionPluginsOf } from '../../apiserver/admission/plugins/plugin-order.ts';
import { type OwnPlugin, readOwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { asString, isJsonObject } from '../../machinery/json/json.ts';
import { readFlags } from '../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../adapters/config/flags/serve/serve-options.ts';
import { flagProblem, pluginProblems, checkAuthorization, modesOfFlags } from '../../adapters/config/start-problem.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { aggregated } from '../../adapters/config/upstream/validate-options.ts';
import { minorOfVersion } from '../../machinery/meta/release-names.ts';

/** Options of servers and worlds, with the names and meaning of the flags of `kadmit serve`. */
export interface ClusterOptions {
  /** CustomResourceDefinitions to install first: paths of files and folders, and objects. */
  readonly crds?: readonly Manifest[];
  /** Manifests to store: paths of files and folders, and objects. */
  readonly load?: readonly Manifest[];
  /** Addresses of webhook Services: `{ 'shop/webhook:443': 'https://localhost:9443' }`. */
  readonly map?: Readonly<Record<string, string>>;
  /** Assumed responses of webhooks that do not run: `{ 'injector.example.com': 'allow', '*': 'ignore' }`. */
  readonly assume?: Readonly<Record<string, 'allow' | 'deny' | 'ignore'>>;
  /** Default `['*']`; `[]` is a bare API server. */
  readonly controllers?: readonly string[];
  /** Number of simulated nodes, on which Pods become ready; default 0. */
  readonly nodes?: number;
  readonly authorizationMode?: 'RBAC' | 'AlwaysAllow';
  /** The Kubernetes release, `1.33` or `1.33.10`; default: `followedVersion`. */
  readonly kubernetesVersion?: string;
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** Records the branches of expressions for `traces.coverage()`; each expression is evaluated twice then. */
  readonly coverage?: boolean;
  /** Shuffles admission policies and their bindings, whose order is random in kube-apiserver; 0: by name. */
  readonly policySeed?: number;
  /** Custom admission plugins. */
  readonly plugins?: readonly OwnPlugin[];
}

/** The flag of `kadmit serve` for each option. */
export type OptionFlags = Readonly<Record<string, keyof typeof serveFlags | 'none'>>;

export const clusterFlags = {
  crds: 'none',
  load: 'none',
  map: 'map',
  assume: 'assume',
  controllers: 'controllers',
  nodes: 'nodes',
  authorizationMode: 'authorizationMode',
  kubernetesVersion: 'kubernetesVersion',
  enableAdmissionPlugins: 'enableAdmissionPlugins',
  disableAdmissionPlugins: 'disableAdmissionPlugins',
  coverage: 'coverage',
  policySeed: 'policySeed',
  plugins: 'none',
} as const satisfies OptionFlags;

/** Checks options as flags. Throws ConfigError with the name of `what` and of the option. */
export function readClusterOptions(what: string, options: object, flags: OptionFlags): ServerConfig {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(flags, name));
  if (unknown !== undefined) {
    throw new ConfigError(`${what}: unknown option ${unknown}; the options are ${Object.keys(flags).join(', ')}`);
  }
  const given = Object.entries(options).flatMap(([name, value]) => flagTexts(flags[name] ?? 'none', value));
  const reading = readFlags(serveFlags, new Map(given));
  if (reading.outcome === 'wrong') throw new ConfigError(`${what}: ${reading.problem}`);
  const plugins = admissionPluginsOf(minorOfVersion(reading.value.kubernetesVersion));
  const problem = flagProblem(reading.value, []) ?? aggregated(pluginProblems(reading.value, plugins));
  if (problem !== undefined) throw new ConfigError(`${what}: ${problem}`);
  const config = { ...reading.value, authorizationMode: modesOfFlags(reading.value) };
  checkAuthorization(config);
  return config;
}

export type Contents = Required<Pick<ClusterOptions, 'crds' | 'load'>>;

/** Throws ConfigError unless both are lists. */
export function readContents(what: string, { crds = [], load = [] }: ClusterOptions): Contents {
  for (const [name, given] of Object.entries({ crds, load })) {
    if (!Array.isArray(given)) throw new ConfigError(`${what}: ${name} is not a list of paths and objects`);
  }
  return { crds, load };
}

/** Throws ConfigError for an invalid plugin. */
export function readPlugins(what: string, { plugins = [] }: ClusterOptions): readonly OwnPlugin[] {
  const taken: OwnPlugin[] = [];
  for (const plugin of plugins) {
    const reading = readOwnPlugin(plugin, taken);
    if (typeof reading === 'string') throw new ConfigError(`${what}: plugins: ${reading}`);
    taken.push(reading);
  }
  return taken;
}

/** One text for each item of a list, `KEY=VALUE` for each field of an object. */
function flagTexts(field: OptionFlags[string], value: unknown): readonly (readonly [string, readonly string[]])[] {
  if (field === 'none' || value === undefined) return [];
  const texts = Array.isArray(value)
    ? value.map(flagText)
    : isJsonObject(value)
      ? Object.entries(value).map(([key, one]) => `${key}=${asString(one)}`)
      : [flagText(value)];
  return [[serveFlags[field].name, texts]];
}

const flagText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** The path of a file or folder, or an object. */
export type Manifest = string | object;
