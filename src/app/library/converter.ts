import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { ApiObject } from './objects.ts';

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
