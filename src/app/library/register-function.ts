import type { Fault, ReviewFunction } from '../../testing/stubs/webhook-spec.ts';
import { checkFaults } from './check-webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** Whom a function answers for. */
interface FunctionAddress {
  readonly name: string;
  readonly configuration?: string | undefined;
  readonly faults: readonly Fault[];
}

/** A function that answers, as its caller sees it. */
interface Registered<Review> {
  readonly calls: () => readonly Review[];
  readonly errors: () => readonly unknown[];
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly remove: () => void;
}

/** Has a function answer on this board; what it throws is kept. */
export function registerFunction<Review>(
  board: WebhookRegistry,
  { name, configuration, faults }: FunctionAddress,
  answer: (review: Review) => unknown,
): Registered<Review> {
  const errors: unknown[] = [];
  // A review is what the server sent: it has this form.
  const run: ReviewFunction = async (review) => {
    try {
      return await answer(review as unknown as Review);
    } catch (error) {
      errors.push(error);
      throw error;
    }
  };
  const place = configuration === undefined ? {} : { configuration };
  const entry = board.add({ name, ...place, does: [{ type: 'script', run }], faults });
  return {
    calls: () => entry.calls().map(({ review }) => review as unknown as Review),
    errors: () => errors,
    setFaults: (changed) => {
      checkFaults(name, changed);
      entry.setFaults(changed);
    },
    remove: entry.remove,
  };
}
