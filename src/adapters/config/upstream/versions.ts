import { defaultMinor } from '../../../machinery/meta/release-names.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { ServerConfig } from '../server-config.ts';
import type { UpstreamOptions } from './options.ts';

type Version = readonly [major: number, minor: number];

const binary: Version = [1, defaultMinor];
const floor: Version = [1, defaultMinor - 3];

const isBefore = (a: Version, b: Version): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
const printed = ([major, minor]: Version): string => `${major}.${minor}`;

/** The version given for `kube`, default: the binary's; or the error of a pair. */
function versionOf(pairs: readonly string[]): Version | string {
  let version = binary;
  for (const pair of pairs) {
    const [first = '', second] = pair.split('=');
    const [component, text] = second === undefined ? ['kube', first] : [first, second];
    if (component !== 'kube') return `component not registered: ${component}`;
    const parts = /^v?(\d{1,9})\.(\d{1,9})((?:\.\d+)*)$/.exec(text);
    if (!parts) return `could not parse ${goQuote(text)} as version`;
    if (parts[3] !== '') return `patch version not allowed, got: kube=${text}`;
    version = [Number(parts[1]), Number(parts[2])];
  }
  return version;
}

/** Errors in version flags that precede all others. Follows component-base compatibility/registry.go Set. */
export function unreadableVersion({ list }: UpstreamOptions): string | undefined {
  const emulated = versionOf(list['emulated-version']);
  return typeof emulated === 'string' ? emulated : undefined;
}

/** Follows component-base compatibility/version.go Validate and apiserver pkg/server/options/server_run_options.go. */
export function versionProblems({ list, given }: UpstreamOptions): readonly string[] {
  const emulated = versionOf(list['emulated-version']);
  if (typeof emulated === 'string') return [];
  const isCurrent = printed(emulated) === printed(binary);
  const isOn = (name: string): boolean => isCurrent && /^(?:1|t|true)$/i.test(given.get(name)?.at(-1) ?? '');
  const same = 'cannot be set to true if the emulation version is the same as the binary version';
  return [
    ...(isBefore(binary, emulated) || isBefore(emulated, floor)
      ? [`emulation version ${printed(emulated)} is not between [${printed(floor)}, ${printed(binary)}.0]`]
      : []),
    ...(isBefore(emulated, floor)
      ? [`minCompatibilityVersion version ${printed(floor)} is not between [${printed(floor)}, ${printed(emulated)}]`]
      : []),
    ...(isOn('emulation-forward-compatible') ? [`ServerRunOptions.EmulationForwardCompatible ${same}`] : []),
    ...(isOn('runtime-config-emulation-forward-compatible')
      ? [`ServerRunOptions.RuntimeConfigEmulationForwardCompatible ${same}`]
      : []),
  ];
}

export function emulatedVersion({ list }: UpstreamOptions): string | undefined {
  const emulated = versionOf(list['emulated-version']);
  return typeof emulated === 'string' || printed(emulated) === printed(binary) ? undefined : printed(emulated);
}

/** Emulating an older version selects its release, unless another one is given. */
export const emulating = (config: ServerConfig): ServerConfig =>
  config.kubernetesVersion === '' && config.upstream
    ? { ...config, kubernetesVersion: emulatedVersion(config.upstream) ?? '' }
    : config;
