import { defaultMinor } from '../../../machinery/meta/release-names.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { ServerConfig } from '../server-config.ts';

type Version = readonly [major: number, minor: number];

const binary: Version = [1, defaultMinor];
const floor: Version = [1, defaultMinor - 3];

const isBefore = (a: Version, b: Version): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
const printed = ([major, minor]: Version): string => `${major}.${minor}`;

/** The version given for `kube`, by default that of the binary; or the error of a pair. */
function readEmulatedVersion(pairs: readonly string[]): Version | string {
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

/** An error in --emulated-version that precedes all others. Follows component-base compatibility/registry.go Set. */
export function unreadableVersion(pairs: readonly string[]): string | undefined {
  const emulated = readEmulatedVersion(pairs);
  return typeof emulated === 'string' ? emulated : undefined;
}

/** Follows component-base compatibility/version.go Validate. */
export function emulationProblems(pairs: readonly string[]): readonly string[] {
  const emulated = readEmulatedVersion(pairs);
  if (typeof emulated === 'string') return [];
  return [
    ...(isBefore(binary, emulated) || isBefore(emulated, floor)
      ? [`emulation version ${printed(emulated)} is not between [${printed(floor)}, ${printed(binary)}.0]`]
      : []),
    ...(isBefore(emulated, floor)
      ? [`minCompatibilityVersion version ${printed(floor)} is not between [${printed(floor)}, ${printed(emulated)}]`]
      : []),
  ];
}

/** The release that --emulated-version selects; undefined for that of the binary. */
export function emulatedRelease({ emulatedVersion }: ServerConfig): string | undefined {
  const emulated = readEmulatedVersion(emulatedVersion);
  return typeof emulated === 'string' || printed(emulated) === printed(binary) ? undefined : printed(emulated);
}

/** Emulating an older version selects its release, unless another one is given. */
export const applyEmulatedVersion = (config: ServerConfig): ServerConfig =>
  config.kubernetesVersion === '' ? { ...config, kubernetesVersion: emulatedRelease(config) ?? '' } : config;
