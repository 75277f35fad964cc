import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { outputFlag, textFlag, readChoice } from '../../../adapters/config/flags/common-flags.ts';
import { flagLines } from '../../../adapters/config/flags/flags.ts';
import type { Flag, FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface UpgradeOptions {
  readonly from: string;
  readonly to: string;
  readonly auditLog: string;
  readonly output: 'text' | 'json' | 'yaml';
}

const releaseFlag = (name: string, help: string, fallback: string): Flag<string> => ({
  name,
  argument: 'RELEASE',
  help: `${help}: one of ${releaseNames.join(', ')}`,
  fallback,
  read: readChoice(releaseNames),
});

/** The flags of `kadmit upgrade`, in the order of its help. */
export const upgradeFlags: FlagsOf<UpgradeOptions> = {
  from: releaseFlag('from', 'the release the cluster has', releaseNames[0] ?? ''),
  to: releaseFlag('to', 'the release it is to have', releaseNames.at(-1) ?? ''),
  auditLog: textFlag(
    'audit-log',
    'FILE',
    'requests to try besides: an audit log, JSON lines, perhaps gzipped; level Request or RequestResponse',
  ),
  output: outputFlag,
};

export const upgradeHelp = (): string =>
  [
    'usage: kadmit upgrade --from RELEASE --to RELEASE PATH... [--audit-log FILE]',
    '',
    'Stores the configurations and objects of these files and folders under both releases and those between them, tries the',
    'writes of an audit log as dry runs, and says what is refused, changed, dropped, warned of or called differently, since',
    'which release, and what upstream says of it. Webhooks are taken to allow everything.',
    'Exit codes: 0 nothing is different, 1 something is, 2 a file that cannot be read.',
    '',
    ...flagLines(upgradeFlags),
  ].join('\n');
