import type { Fault, ReviewFunction } from '../../testing/stubs/webhook-spec.ts';
import { checkFaults } from './check-webhook.ts';
import type { ApiObject } from './objects.ts';
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

export interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: 'ConversionReview';
  readonly request: {
    readonly uid: string;
    /** `example.com/v2`. */
    readonly desiredAPIVersion: string;
    readonly objects: readonly ApiObject[];
  };
}

/** `response` of a ConversionReview. */
export interface ConversionResponse {
  readonly convertedObjects?: readonly object[];
  readonly result: { readonly status: 'Success' | 'Failure'; readonly message?: string };
}

/** Returns the converted objects in order, or a whole response; the API server receives what it throws as status 500. */
export type ConverterFunction = (
  review: ConversionReview,
) => readonly object[] | ConversionResponse | Promise<readonly object[] | ConversionResponse>;

/** A converter that is a function of this process. */
export interface Converter {
  /** The CustomResourceDefinition's name. */
  readonly definition: string;
  /** Every review received, in order; also those that a fault left without response. */
  readonly calls: () => readonly ConversionReview[];
  /** What the function threw, in order. */
  readonly errors: () => readonly unknown[];
  /** Faults of the following calls; [] for none. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Removes it; a definition that had no converter before has none again. */
  readonly remove: () => Promise<void>;
}
