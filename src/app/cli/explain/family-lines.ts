import { humanDuration } from '../../../machinery/go/human-duration.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';

/** When it was and what: `3s ago: create pods web, 201`. */
export const lineOf = ({ startedAt, verb, resource, name, code }: NumberedSummary): string =>
  `${humanDuration(Date.now() - startedAt)} ago: ${verb} ${resource}${name === '' ? '' : ` ${name}`}, ${code}`;

/** A line for each member; of those that went alike the last stands for all. */
export function familyLines(family: readonly NumberedSummary[]): readonly string[] {
  const alike = new Map<string, NumberedSummary[]>();
  for (const one of family) {
    const key = JSON.stringify([one.verb, one.resource, one.code, one.webhooks]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].flatMap((members) => {
    const last = members.at(-1);
    const more = members.length === 1 ? '' : `, and ${members.length - 1} more like it`;
    return last ? [`  ${lineOf(last)}${more}${webhookWords(last)}  (${last.id})`] : [];
  });
}

function webhookWords({ webhooks: { called, denied, failed, skipped } }: NumberedSummary): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['called', called],
    ['denied by', denied],
    ['failed', failed],
    ['skipped', skipped],
  ];
  const words = parts.filter(([, names]) => names.length > 0).map(([word, names]) => `${word} ${names.join(', ')}`);
  return `; ${words.length === 0 ? 'no webhook' : words.join('; ')}`;
}
