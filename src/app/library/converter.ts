import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { ApiObject } from './objects.ts';

/** What a converter is asked. */
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

/** A converter: the converted objects in the order of those it was asked about, or a whole response. What it throws, the API server sees as an answer with status 500. */
export type ConverterFunction = (
  review: ConversionReview,
) => readonly object[] | ConversionResponse | Promise<readonly object[] | ConversionResponse>;

/** A converter that is a function of this process. */
export interface Converter {
  /** The CustomResourceDefinition's name. */
  readonly definition: string;
  /** Every review that came so far, in order; also those that a fault kept from being answered. */
  readonly calls: () => readonly ConversionReview[];
  /** What the function threw, in order. */
  readonly errors: () => readonly unknown[];
  /** What goes wrong from the next call on; [] for nothing. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Nobody answers for it any more; a definition that had no converter before has none again. */
  readonly remove: () => Promise<void>;
}
