import type { Fault, ReviewFunction } from '../../testing/stubs/webhook-spec.ts';
import { checkFaults } from './check-webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

interface FunctionAddress {
  readonly name: string;
  readonly configuration?: string | undefined;
  readonly faults: readonly Fault[];
}

interface Registered<Review> {
  readonly calls: () => readonly Review[];
  readonly errors: () => readonly unknown[];
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly remove: () => void;
}

/** Registers a function as a stub and collects the errors that it throws. */
export function registerFunction<Review>(
  board: WebhookRegistry,
  { name, configuration, faults }: FunctionAddress,
  answer: (review: Review) => unknown,
): Registered<Review> {
  const errors: unknown[] = [];
  // The server sends reviews of this form.
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
