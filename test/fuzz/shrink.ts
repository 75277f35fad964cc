import type { Case } from './case.ts';
import { payloads, withPayload } from './payloads.ts';
import { smallerValues } from './smaller-values.ts';

/** Whether the smaller case still shows the problem. */
export type StillShows = (acts: Case) => Promise<boolean>;

export interface ShrinkLimits {
  readonly tries: number;
  readonly milliseconds: number;
}

/**
 * The smallest case that still shows the problem, within the limits: acts are removed first, then parts of
 * their payloads.
 */
export async function shrink(acts: Case, stillShows: StillShows, limits: ShrinkLimits): Promise<Case> {
  const until = performance.now() + limits.milliseconds;
  let best = acts;
  let left = limits.tries;
  const isOver = (): boolean => left <= 0 || performance.now() > until;
  const attempt = async (smaller: Case): Promise<boolean> => {
    if (isOver()) return false;
    left -= 1;
    if (!(await stillShows(smaller))) return false;
    best = smaller;
    return true;
  };
  for (let index = best.length - 1; index >= 0 && best.length > 1; index -= 1) await attempt(best.toSpliced(index, 1));
  for (let place = 0; place < payloads(best).length; place += 1) {
    const current = (): Uint8Array => payloads(best)[place] ?? new Uint8Array();
    const put = (bytes: Uint8Array): Promise<boolean> => attempt(withPayload(best, place, bytes));
    if (current().length === 0 || (await put(new Uint8Array()))) continue;
    await shrinkJson({ current, put, isOver });
    await shrinkBytes({ current, put, isOver });
  }
  return best;
}

/** A payload to shrink. */
interface Shrinking {
  readonly current: () => Uint8Array;
  /** Whether the problem occurs with these bytes; then they become the current ones. */
  readonly put: (bytes: Uint8Array) => Promise<boolean>;
  readonly isOver: () => boolean;
}

/** Removes fields and items of a JSON document while the problem remains. */
async function shrinkJson({ current, put, isOver }: Shrinking): Promise<void> {
  let shrunk = true;
  while (shrunk && !isOver()) {
    shrunk = false;
    for (const smaller of smallerValues(jsonIn(current()))) {
      shrunk = await put(new TextEncoder().encode(JSON.stringify(smaller)));
      if (shrunk || isOver()) break;
    }
  }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Removes halves, then quarters, down to single bytes. */
async function shrinkBytes({ current, put, isOver }: Shrinking): Promise<void> {
  for (let size = Math.ceil(current().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < current().length && !isOver();) {
      const bytes = current();
      const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + size)]);
      if (!(await put(rest))) start += size;
    }
  }
}
