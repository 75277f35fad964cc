import type { Case } from './case.ts';
import { payloads, withPayload } from './payloads.ts';
import { smallerValues } from './smaller-values.ts';

/** Does the smaller case still show what was found? */
export type StillShows = (acts: Case) => Promise<boolean>;

export interface ShrinkLimits {
  readonly tries: number;
  readonly milliseconds: number;
}

/**
 * The smallest case that still shows it, as far as the limits let it be found: first acts are left out, then parts of
 * what they carry.
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
    await lessOfTheValue({ current, put, isOver });
    await fewerBytes({ current, put, isOver });
  }
  return best;
}

/** One payload that shall become smaller. */
interface Shrinking {
  readonly current: () => Uint8Array;
  /** Does it still show with these bytes? Then they are the current ones. */
  readonly put: (bytes: Uint8Array) => Promise<boolean>;
  readonly isOver: () => boolean;
}

/** A JSON document loses fields and items as long as one can be spared. */
async function lessOfTheValue({ current, put, isOver }: Shrinking): Promise<void> {
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

/** Halves are left out, then quarters, down to single bytes. */
async function fewerBytes({ current, put, isOver }: Shrinking): Promise<void> {
  for (let size = Math.ceil(current().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < current().length && !isOver();) {
      const bytes = current();
      const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + size)]);
      if (!(await put(rest))) start += size;
    }
  }
}
