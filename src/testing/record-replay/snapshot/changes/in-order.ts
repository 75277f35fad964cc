import type { Change, Recorded } from './change.ts';

/** So many changes may be before their turn: those who record write some together. */
const window = 1024;

/** The same in the order of their time, as far as they are not more than 1,024 out of order; those of one moment as they came. */
export async function* inOrder(recorded: AsyncIterable<Recorded>): AsyncGenerator<Recorded> {
  const waiting: Change[] = [];
  for await (const one of recorded) {
    if (one.type === 'object') {
      yield one;
      continue;
    }
    const at = waiting.findLastIndex((other) => other.at <= one.change.at);
    waiting.splice(at + 1, 0, one.change);
    if (waiting.length < window) continue;
    const [first] = waiting.splice(0, 1);
    if (first) yield { type: 'change', change: first };
  }
  for (const change of waiting) yield { type: 'change', change };
}
