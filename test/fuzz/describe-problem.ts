import type { Act } from './case.ts';
import type { FoundProblem } from './explore.ts';

const shownBytes = 500;

/** Renders a finding: the problem, its position, and how to reproduce it. */
export function describeFinding({ target, number, fault, detail, acts, isAlone }: FoundProblem, seed: number): string {
  const alone = isAlone ? '' : ' --before 200';
  return [
    `FOUND ${fault} by ${target}, case ${number}: ${detail}`,
    ...acts.flatMap(describeAct).map((line) => `    ${line}`),
    `  again: npm run fuzz -- --seed ${seed} --target ${target} --case ${number}${alone}`,
  ].join('\n');
}

function describeAct(act: Act): readonly string[] {
  switch (act.act) {
    case 'request':
      return [
        `${act.method} ${act.path}${act.http2 === true ? ' (HTTP/2)' : ''} ${JSON.stringify(act.headers)}`,
        ...describeBytes(act.body),
      ];
    case 'bytes':
      return [`bytes over ${act.protocol}:`, ...act.chunks.flatMap(describeBytes)];
    case 'answer':
      return [
        `the webhook answers ${act.code} ${JSON.stringify(act.headers)}, ${act.manner}:`,
        ...describeBytes(act.body),
      ];
    case 'folder':
      return [
        `kadmit ${act.command.join(' ')}`,
        ...Object.entries(act.files).flatMap(([name, bytes]) => [`file ${name}:`, ...describeBytes(bytes)]),
      ];
  }
}

/** Text as a JSON string, since the cause may be invisible; other bytes as base64. */
function describeBytes(bytes: Uint8Array): readonly string[] {
  if (bytes.length === 0) return [];
  const shown = bytes.subarray(0, shownBytes);
  const rest = bytes.length > shownBytes ? ` … ${bytes.length} bytes` : '';
  const text = new TextDecoder().decode(shown);
  const isText = !text.includes('\ufffd');
  return [(isText ? JSON.stringify(text) : `base64 ${Buffer.from(shown).toString('base64')}`) + rest];
}
