import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { playChanges } from '../../../testing/record-replay/snapshot/changes/play.ts';
import type { Played } from '../../../testing/record-replay/snapshot/changes/play.ts';
import type { Speed } from '../../../testing/record-replay/snapshot/changes/speed.ts';
import { wallClock } from '../../../testing/record-replay/snapshot/changes/wall-clock.ts';
import { readSnapshot } from '../../../testing/record-replay/snapshot/read-snapshot.ts';
import { restoreOverApi } from '../../../testing/record-replay/snapshot/restore-over-api.ts';
import { saveTo } from '../../../testing/record-replay/snapshot/save-to.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { replayChangesFlags, restoreFlags, saveFlags } from './snapshot-options.ts';

/** `kadmit snapshot save FILE`, `restore FILE` and `replay FILE`; resolves with the exit code. */
export async function snapshot(args: readonly string[], io: Io): Promise<number> {
  const [action = '', ...rest] = args;
  try {
    if (action === 'save') return await save(rest, io);
    if (action === 'restore') return await restore(rest, io);
    if (action === 'replay') return await replay(rest, io);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'snapshot', error.message);
    throw error;
  }
  if (['--help', '-h'].includes(action)) return told(io);
  return usageError(
    io,
    'snapshot',
    action === ''
      ? 'say save, restore or replay'
      : `there is no ${JSON.stringify(action)}${didYouMean(action, ['save', 'restore', 'replay', '--help']) || '; say save, restore or replay'}`,
  );
}

function told(io: Io): number {
  io.out(help());
  return exitCodes.fine;
}

async function save(args: readonly string[], io: Io): Promise<number> {
  const parsed = parsedArgs(saveFlags, spelledOut(args, { n: 'namespaces' }), 'save');
  if (parsed === 'help') return told(io);
  const { file, options } = parsed;
  const objects = await saveTo(file, options);
  io.out(
    `${objects} objects in ${file}${options.secrets || options.kinds.length > 0 ? '' : ', without Secrets and Events'}`,
  );
  return exitCodes.fine;
}

async function restore(args: readonly string[], io: Io): Promise<number> {
  const parsed = parsedArgs(restoreFlags, args, 'restore');
  if (parsed === 'help') return told(io);
  const { objects } = readSnapshot(parsed.file);
  const line = createLiveLine(process.stderr);
  const access = await readKubeconfig(parsed.options.kubeconfig);
  const { created, replaced, problems, lostOwners } = await restoreOverApi(objects, access, line.show);
  line.clear();
  io.out(`${created} objects created, ${replaced} replaced, ${problems.length} refused by ${access.url}`);
  if (lostOwners > 0) io.out(`${lostOwners} owners are not in ${parsed.file}: what they owned belongs to nobody`);
  for (const problem of problems) io.error(`kadmit snapshot: ${problem}`);
  return problems.length > 0 ? exitCodes.failed : exitCodes.fine;
}

async function replay(args: readonly string[], io: Io): Promise<number> {
  const parsed = parsedArgs(replayChangesFlags, args, 'replay');
  if (parsed === 'help') return told(io);
  const { speed, kubeconfig } = parsed.options;
  const line = createLiveLine(process.stderr);
  const access = await readKubeconfig(kubeconfig);
  const played = await playChanges(parsed.file, access, { speed, clock: wallClock, onProgress: line.show });
  line.clear();
  io.out(playedText(played, speed));
  for (const line of problemLines(played)) io.error(`kadmit snapshot: ${line}`);
  return played.refused > 0 ? exitCodes.failed : exitCodes.fine;
}

function parsedArgs<Options>(
  flags: FlagsOf<Options>,
  args: readonly string[],
  action: string,
): { readonly options: Options; readonly file: string } | 'help' {
  const parsed = parseFlags(flags, args);
  if (parsed.outcome === 'help') return 'help';
  if (parsed.outcome === 'usage') throw new ConfigError(parsed.problem);
  const [file, extra] = parsed.rest;
  if (file === undefined) throw new ConfigError(`${action} needs a file: kadmit snapshot ${action} cluster.jsonl.gz`);
  if (extra !== undefined) throw new ConfigError(`${JSON.stringify(extra)} is one argument too many`);
  return { options: parsed.options, file };
}

const help = (): string =>
  [
    'usage: kadmit snapshot save FILE [FLAGS]',
    '       kadmit snapshot restore FILE [--kubeconfig FILE]',
    '       kadmit snapshot replay FILE [--speed TIMES|max] [--kubeconfig FILE]',
    '',
    'save writes the objects of a server, whatever keeps them and whosever it is, into one file (gzipped if its name ends with',
    '.gz), as they are. kadmit serve --load FILE begins with them, uids and all; restore writes them to a running server.',
    'replay makes recorded changes on a running server, at the pace at which they were made or faster: those that kwokctl',
    'snapshot record writes, and those of kubectl get --watch --output-watch-events -o json --show-managed-fields.',
    'Exit codes: 0 done, 1 something was refused, 2 a file or a server that cannot be used.',
    '',
    'save:',
    ...flagLines(saveFlags),
    '',
    'replay:',
    ...flagLines(replayChangesFlags),
  ].join('\n');

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** What the playing of a recording came to, for people. */
function playedText(played: Played, speed: Speed): string {
  const { restored, created, changed, removed, gone, refused, recordedMs, playedMs, behindMs } = played;
  const changes = created + changed + removed + gone;
  const pace = speed === Infinity ? 'as fast as it goes' : `${speed} times as fast`;
  return [
    `${restored} objects restored, ${changes} changes played: ${created} created, ${changed} changed, ${removed} removed, ${gone} gone already; ${refused} refused`,
    `${seconds(recordedMs)} of recording in ${seconds(playedMs)}, ${pace}`,
    ...(speed !== Infinity && behindMs > 1000
      ? [`the server was behind by up to ${seconds(behindMs)}: it does not take them this fast`]
      : []),
  ].join('\n');
}

/** What was refused: the first line of each, since what a server shows of an object may be long. */
function problemLines({ problems, refused }: Played): readonly string[] {
  const told = problems.reduce((sum, { times }) => sum + times, 0);
  return [
    ...problems.map(({ problem, times }) => `${problem.split('\n')[0] ?? ''}${times > 1 ? ` (${times} times)` : ''}`),
    ...(refused > told ? [`and ${refused - told} more`] : []),
  ];
}
