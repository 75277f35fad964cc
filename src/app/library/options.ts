import { admissionPlugins } from '../../apiserver/admission/plugins/plugin-order.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { readOwnPlugin } from '../../apiserver/admission/chain/place-own-plugins.ts';
import { asString, isJsonObject } from '../../machinery/json/json.ts';
import { readFlags } from '../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../adapters/config/flags/serve/serve-options.ts';
import { flagProblem, pluginProblems } from '../../adapters/config/start-problem.ts';
import { checkAuthorization, modesOfFlags } from '../../adapters/config/check-authorization.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { aggregated } from '../../adapters/config/upstream/validate-options.ts';
import type { Manifest } from './cluster.ts';

/** What a server and a world have in common. Names and meaning are those of the flags of `kadmit serve`. */
export interface ClusterOptions {
  /** CustomResourceDefinitions that are installed before anything else: paths of files and folders, and objects. */
  readonly crds?: readonly Manifest[];
  /** Manifests to begin with: paths of files and folders, and objects. */
  readonly load?: readonly Manifest[];
  /** Where Services of webhooks really listen: `{ 'shop/webhook:443': 'https://localhost:9443' }`. */
  readonly map?: Readonly<Record<string, string>>;
  /** What to take for the answers of webhooks that nobody runs: `{ 'injector.example.com': 'allow', '*': 'ignore' }`. */
  readonly assume?: Readonly<Record<string, 'allow' | 'deny' | 'ignore'>>;
  /** `['*']`, all, unless something else is said; `[]` is a bare API server. */
  readonly controllers?: readonly string[];
  /** So many ready nodes, on which Pods become ready though nothing is executed; none unless said. */
  readonly nodes?: number;
  readonly authorizationMode?: 'RBAC' | 'AlwaysAllow';
  /** The release of Kubernetes that is followed, `1.32` or `1.32.10`; the newest unless said. */
  readonly kubernetesVersion?: string;
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** `true`: `traces.coverage()` tells which branches of policies' and conditions' expressions were taken; each is evaluated twice then. */
  readonly coverage?: boolean;
  /** Shuffles admission policies and their bindings, whose order is a matter of chance on other servers; 0: by name. */
  readonly policySeed?: number;
  /** Admission plugins of your own, among the others. */
  readonly plugins?: readonly OwnPlugin[];
}

/** Every option of a kind of cluster, and the flag of `kadmit serve` that it is. */
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

/**
 * The configuration that these options stand for, checked as the flags are. Throws ConfigError, which says what is wrong
 * with an option of `what`.
 */
export function configOf(what: string, options: object, flags: OptionFlags): ServerConfig {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(flags, name));
  if (unknown !== undefined) {
    throw new ConfigError(`${what}: there is no option ${unknown}; there are ${Object.keys(flags).join(', ')}`);
  }
  const given = Object.entries(options).flatMap(([name, value]) => textsOf(flags[name] ?? 'none', value));
  const reading = readFlags(serveFlags, new Map(given));
  const problem =
    reading.outcome === 'wrong'
      ? reading.problem
      : (flagProblem(reading.value, []) ?? aggregated(pluginProblems(reading.value, admissionPlugins)));
  if (reading.outcome === 'wrong' || problem !== undefined) throw new ConfigError(`${what}: ${problem}`);
  const config = { ...reading.value, authorizationMode: modesOfFlags(reading.value) };
  checkAuthorization(config);
  return config;
}

/** What a cluster begins with, definitions first. */
export type Contents = Required<Pick<ClusterOptions, 'crds' | 'load'>>;

/** The definitions and manifests of these options. Throws ConfigError for what is no list. */
export function contentsOf(what: string, { crds = [], load = [] }: ClusterOptions): Contents {
  for (const [name, given] of Object.entries({ crds, load })) {
    if (!Array.isArray(given)) throw new ConfigError(`${what}: ${name} is no list of paths and objects`);
  }
  return { crds, load };
}

/** The plugins of these options. Throws ConfigError, which says what is wrong with one of them. */
export function pluginsOf(what: string, { plugins = [] }: ClusterOptions): readonly OwnPlugin[] {
  const taken: OwnPlugin[] = [];
  for (const plugin of plugins) {
    const reading = readOwnPlugin(plugin, taken);
    if (typeof reading === 'string') throw new ConfigError(`${what}: plugins: ${reading}`);
    taken.push(reading);
  }
  return taken;
}

/** A value as its flag has it: a text for each item of a list, `KEY=VALUE` for each field of an object. */
function textsOf(field: OptionFlags[string], value: unknown): readonly (readonly [string, readonly string[]])[] {
  if (field === 'none' || value === undefined) return [];
  const texts = Array.isArray(value)
    ? value.map(textOf)
    : isJsonObject(value)
      ? Object.entries(value).map(([key, one]) => `${key}=${asString(one)}`)
      : [textOf(value)];
  return [[serveFlags[field].name, texts]];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
