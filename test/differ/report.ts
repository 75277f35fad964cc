import type { Answer, ServerRequest } from './server-client.ts';

/** A request with different responses. */
export interface Differing {
  readonly subject: string;
  readonly request: ServerRequest;
  readonly real: Answer;
  readonly ours: Answer;
}

interface Cause {
  count: number;
  readonly subjects: Set<string>;
  /** The shortest request with this difference. */
  example: Differing;
}

export interface Report {
  readonly add: (differing: Differing, causes: readonly string[]) => void;
  readonly text: (requests: number) => string;
  readonly requests: () => number;
}

/** Different responses grouped by cause, those of most kinds first. */
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
        ...[...causes]
          .toSorted(([, a], [, b]) => b.subjects.size - a.subjects.size || b.count - a.count)
          .map(renderCause),
        `${requests} requests, ${differing} answered differently, ${causes.size} causes`,
      ].join('\n\n'),
  };
}

const sizeOf = ({ request }: Differing): number => request.path.length + (request.body?.length ?? 0);

function renderCause([text, { count, subjects, example }]: readonly [string, Cause]): string {
  const { request, real, ours } = example;
  return [
    `${count} × ${text} (${[...subjects].slice(0, 8).join(', ')})`,
    `  ${request.method} ${request.path} ${(request.body ?? '').slice(0, 600)}`,
    `  real ${real.status} ${real.body.slice(0, 400)}`,
    `  ours ${ours.status} ${ours.body.slice(0, 400)}`,
  ].join('\n');
}
