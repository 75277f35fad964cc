import type { Played } from '../../../testing/record-replay/snapshot/changes/play.ts';
import type { Speed } from '../../../testing/record-replay/snapshot/changes/speed.ts';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** What the playing of a recording came to, for people. */
export function playedText(played: Played, speed: Speed): string {
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
export function problemLines({ problems, refused }: Played): readonly string[] {
  const told = problems.reduce((sum, { times }) => sum + times, 0);
  return [
    ...problems.map(({ problem, times }) => `${problem.split('\n')[0] ?? ''}${times > 1 ? ` (${times} times)` : ''}`),
    ...(refused > told ? [`and ${refused - told} more`] : []),
  ];
}
