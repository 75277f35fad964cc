import type { Answer, Asked } from './pair.ts';

/** A request that was answered differently. */
export interface Differing {
  readonly subject: string;
  readonly asked: Asked;
  readonly real: Answer;
  readonly ours: Answer;
}

interface Cause {
  count: number;
  readonly subjects: Set<string>;
  /** The shortest request that shows it. */
  example: Differing;
}

export interface Report {
  readonly add: (differing: Differing, causes: readonly string[]) => void;
  readonly text: (requests: number) => string;
  readonly requests: () => number;
}

/** Differing requests by what differs, those of most kinds first. */
export function createReport(): Report {
  const causes = new Map<string, Cause>();
  let differing = 0;
  return {
    add: (found, texts) => {
      differing += 1;
      for (const text of texts) {
        const cause = causes.get(text) ?? { count: 0, subjects: new Set(), example: found };
        causes.set(text, cause);
        cause.count += 1;
        cause.subjects.add(found.subject);
        if (sizeOf(found) < sizeOf(cause.example)) cause.example = found;
      }
    },
    requests: () => differing,
    text: (requests) =>
      [
        ...[...causes].toSorted(([, a], [, b]) => b.subjects.size - a.subjects.size || b.count - a.count).map(told),
        `${requests} requests, ${differing} answered differently, ${causes.size} causes`,
      ].join('\n\n'),
  };
}

const sizeOf = ({ asked }: Differing): number => asked.path.length + (asked.body?.length ?? 0);

function told([text, { count, subjects, example }]: readonly [string, Cause]): string {
  const { asked, real, ours } = example;
  return [
    `${count} × ${text} (${[...subjects].slice(0, 8).join(', ')})`,
    `  ${asked.method} ${asked.path} ${(asked.body ?? '').slice(0, 600)}`,
    `  real ${real.status} ${real.body.slice(0, 400)}`,
    `  ours ${ours.status} ${ours.body.slice(0, 400)}`,
  ].join('\n');
}
