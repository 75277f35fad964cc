import { asObject } from '../../../machinery/json/json.ts';
import type { PlaygroundAnswer } from '../../../app/playground/protocol.ts';

interface Releases {
  readonly own: string;
  readonly other: string;
}

/** `admitted in 1.35, refused in 1.37`; '' for answers without a difference. The older release comes first. */
export function differenceText(
  answer: PlaygroundAnswer,
  other: PlaygroundAnswer,
  { own, other: release }: Releases,
): string {
  const sides = [
    { release: own, answer },
    { release, answer: other },
  ].toSorted((a, b) => minorVersion(a.release) - minorVersion(b.release));
  const words = sides.map((side) => ({ ...side, word: side.answer.code >= 400 ? 'refused' : 'admitted' }));
  const [first, second] = words;
  if (first === undefined || second === undefined) return '';
  if (first.word !== second.word) return `${first.word} in ${first.release}, ${second.word} in ${second.release}`;
  if (answer.code !== other.code)
    return `${first.word} with ${first.answer.code} in ${first.release}, with ${second.answer.code} in ${second.release}`;
  if (answer.printed !== other.printed) return `${first.word} in both, with other words`;
  if (comparableJson(answer) !== comparableJson(other)) return `${first.word} in both, another object`;
  return '';
}

/** Without what differs between any two servers. */
function comparableJson({ object }: PlaygroundAnswer): string {
  const metadata = Object.entries(asObject(object?.['metadata'])).filter(([name]) => !serverSetFields.has(name));
  return JSON.stringify({ ...object, metadata });
}

const serverSetFields: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']);

const minorVersion = (release: string): number => Number(release.split('.')[1]);
