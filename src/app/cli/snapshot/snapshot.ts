import { kubeconfigFlag, outputFlag, readNames, switchFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import {
  playChanges,
  type Played,
  maxSpeed,
  minSpeed,
  type Speed,
  wallClock,
} from '../../../testing/record-replay/snapshot/changes/play-changes.ts';
import { readSnapshot } from '../../../testing/record-replay/snapshot/read-snapshot.ts';
import { type RestoreReport, restoreOverApi } from '../../../testing/record-replay/snapshot/restore-over-api.ts';
import { saveTo } from '../../../testing/record-replay/snapshot/save-to.ts';
import { defineAction, defineCommandWithActions } from '../command.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/terminal.ts';

const namesFlag = (name: string, help: string): Flag<readonly string[]> => ({
  name,
  argument: 'NAMES',
  help,
  fallback: [],
  read: readNames,
});

const speedFlag: Flag<Speed> = {
  name: 'speed',
  argument: 'TIMES|max',
  help: 'factor of the recorded pace; max does not wait at all',
  fallback: 1,
  read: readSpeed,
};

const filePositional = { name: 'FILE', min: 1, max: 1, complete: [{ type: 'files' }] } as const;

const save = defineAction({
  name: 'save',
  synopsis: ['FILE [FLAGS]'],
  flags: {
    kinds: namesFlag('kinds', 'only these resources (pods,deployments.apps,widgets), also Secrets and Events'),
    namespaces: { ...namesFlag('namespaces', 'only namespaced objects in these'), short: 'n' },
    showSecrets: switchFlag('show-secrets', 'also Secrets, with their values'),
    output: outputFlag,
    kubeconfig: kubeconfigFlag,
  },
  positionals: filePositional,
  run: async ({ args: [file = ''], options: { showSecrets, output, ...options } }, io) => {
    const objects = await saveTo(file, { ...options, secrets: showSecrets });
    const without = showSecrets || options.kinds.length > 0 ? '' : ', without Secrets and Events';
    await printDocument(io, output, { file, objects }, () => `${objects} objects in ${file}${without}`);
    return exitCodes.fine;
  },
});

const restore = defineAction({
  name: 'restore',
  synopsis: ['FILE [FLAGS]'],
  flags: { output: outputFlag, kubeconfig: kubeconfigFlag },
  positionals: filePositional,
  run: async ({ args: [file = ''], options: { output, kubeconfig } }, io) => {
    const { objects } = readSnapshot(file);
    const line = createLiveLine(process.stderr);
    const access = await readKubeconfig(kubeconfig);
    const report = await restoreOverApi(objects, access, line.show);
    line.clear();
    const { problems } = report;
    await printDocument(io, output, { file, server: access.url, ...report }, () =>
      restoredText(report, file, access.url),
    );
    for (const problem of problems) io.error(`kadmit snapshot: ${problem}`);
    return problems.length > 0 ? exitCodes.failed : exitCodes.fine;
  },
});

const replay = defineAction({
  name: 'replay',
  synopsis: ['FILE [FLAGS]'],
  flags: { speed: speedFlag, output: outputFlag, kubeconfig: kubeconfigFlag },
  positionals: filePositional,
  run: async ({ args: [file = ''], options: { speed, output, kubeconfig } }, io) => {
    const line = createLiveLine(process.stderr);
    const access = await readKubeconfig(kubeconfig);
    const played = await playChanges(file, access, { speed, clock: wallClock, onProgress: line.show });
    line.clear();
    await printDocument(io, output, { file, server: access.url, ...played }, () => replayedText(played, speed));
    for (const problem of problemLines(played)) io.error(`kadmit snapshot: ${problem}`);
    return played.refused > 0 ? exitCodes.failed : exitCodes.fine;
  },
});

/** `kadmit snapshot save FILE`, `restore FILE` and `replay FILE`. */
export const snapshotCommand = defineCommandWithActions({
  name: 'snapshot',
  group: 'Server',
  purpose: 'save, restore or replay the objects of a server',
  details: [
    'save writes the objects of any API server into one file (gzipped if its name ends with .gz). kadmit serve --load FILE ' +
      'starts with them and keeps their uids; restore writes them to a running server.',
    'replay makes recorded changes on a running server at the recorded pace or faster: recordings of kwokctl snapshot record, ' +
      'and of kubectl get --watch --output-watch-events -o json --show-managed-fields.',
    'Exit codes: 0 done, 1 an object was refused, 2 a file or a server cannot be used.',
  ],
  examples: ['snapshot save cluster.jsonl.gz', 'snapshot replay changes.jsonl --speed 10'],
  actions: [save, restore, replay],
});

function readSpeed(texts: readonly string[]): FlagReading<Speed> {
  const text = texts.at(-1) ?? '';
  if (text === 'max') return { outcome: 'read', value: Infinity };
  const times = /^[\d.]+x?$/.test(text) ? Number(text.replace(/x$/, '')) : Number.NaN;
  return times >= minSpeed && times <= maxSpeed
    ? { outcome: 'read', value: times }
    : { outcome: 'wrong', problem: `is no speed: give a number from ${minSpeed} to ${maxSpeed}, or max` };
}

function restoredText({ created, replaced, problems, lostOwners }: RestoreReport, file: string, url: string): string {
  return [
    `${created} objects created, ${replaced} replaced, ${problems.length} refused by ${url}`,
    ...(lostOwners > 0 ? [`${lostOwners} owners are not in ${file}: their objects have no owner now`] : []),
  ].join('\n');
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

function replayedText(played: Played, speed: Speed): string {
  const { restored, created, changed, removed, gone, refused, recordedMs, playedMs, behindMs } = played;
  const changes = created + changed + removed + gone;
  const pace = speed === Infinity ? 'as fast as it goes' : `${speed} times as fast`;
  return [
    `${restored} objects restored, ${changes} changes played: ${created} created, ${changed} changed, ${removed} removed, ${gone} gone already; ${refused} refused`,
    `${seconds(recordedMs)} of recording in ${seconds(playedMs)}, ${pace}`,
    ...(speed !== Infinity && behindMs > 1000
      ? [`the server was behind by up to ${seconds(behindMs)}: it is slower than this pace`]
      : []),
  ].join('\n');
}

/** The first line of each problem: messages with objects are long. */
function problemLines({ problems, refused }: Played): readonly string[] {
  const listed = problems.reduce((sum, { times }) => sum + times, 0);
  return [
    ...problems.map(({ problem, times }) => `${problem.split('\n')[0] ?? ''}${times > 1 ? ` (${times} times)` : ''}`),
    ...(refused > listed ? [`and ${refused - listed} more`] : []),
  ];
}
